import PeerCore
import PeerTestSupport
import PeerTesting
import Testing

@testable import NearbyPeers

/// How the body of a session is run.
@Suite(.timeLimit(.minutes(10))) struct RunningTests {
    private struct Hungry: Error {}

    /// What an application on the main actor keeps, and nobody else may touch.
    private final class Screen {
        var lines: [String] = []
    }

    @MainActor @Test func theBodyRunsOnTheActorOfItsCaller() async throws {
        let world = World(.memory)
        let screen = Screen()
        var count = 0
        let configuration = try world.configuration("anna")
        let shown = try await withPeerSession(configuration, environment: world.environment("anna")) { session in
            MainActor.assertIsolated()
            screen.lines.append(session.local.displayName)
            _ = await session.port
            MainActor.assertIsolated()
            count += 1
            return screen
        }
        #expect(shown === screen)
        #expect(screen.lines == ["anna"])
        #expect(count == 1)
    }

    private actor Kitchen {
        private var orders: [String] = []

        func cook(in world: World) async throws -> [String] {
            let configuration = try world.configuration("anna")
            try await withPeerSession(configuration, environment: world.environment("anna")) { session in
                assertIsolated()
                orders.append(session.local.displayName)
                _ = await session.port
                assertIsolated()
                orders.append("done")
            }
            return orders
        }
    }

    @Test func anActorOfTheApplicationKeepsItsState() async throws {
        #expect(try await Kitchen().cook(in: World(.memory)) == ["anna", "done"])
    }

    @Test func theErrorOfTheBodyIsThrown() async throws {
        let world = World(.memory)
        let configuration = try world.configuration("anna")
        await #expect(throws: Hungry.self) {
            try await withPeerSession(configuration, environment: world.environment("anna")) { _ in throw Hungry() }
        }
    }

    /// If the body throws errors of the library alone, nothing else is thrown.
    @Test func errorsOfTheLibraryAreTyped() async throws {
        let world = World(.memory)
        let environment = world.environment("anna")
        var configuration = try world.configuration("anna")
        let good = configuration
        do throws(PeerError) {
            try await withPeerSession(good, environment: environment) { _ throws(PeerError) in
                throw PeerError(.busy, "The kitchen is closed.")
            }
        } catch {
            #expect(error.code == .busy)
        }
        configuration.maximumPeers = 0
        do throws(PeerError) {
            try await withPeerSession(configuration, environment: environment) { _ throws(PeerError) in }
            Issue.record("no peers")
        } catch {
            #expect(error.code == .invalidArgument)
        }
    }

    @Test func aCancelledSessionSaysSoInItsType() async throws {
        let world = World(.memory)
        let configuration = try world.configuration("anna")
        let task = Task {
            await failure { () async throws(PeerError) in
                try await withPeerSession(configuration, environment: world.environment("anna")) {
                    _ throws(PeerError) in
                    _ = await ReadyQueue<Void>().next()
                    throw PeerError(.cancelled, "Enough.")
                }
            }
        }
        task.cancel()
        #expect(await task.value?.code == .cancelled)
    }
}
