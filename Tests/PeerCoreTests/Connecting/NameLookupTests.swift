import Dispatch
import NIOCore
import PeerTestSupport
import Testing

@testable import PeerCore

@Suite(.timeLimit(.minutes(10))) struct NameLookupTests {
    /// A resolver that does not answer until it is told to.
    private final class Resolver: Sendable {
        private let asked = AsyncStream.makeStream(of: Void.self)
        private let gate = DispatchSemaphore(value: 0)

        var lookup: NameLookup {
            NameLookup { [self] host, port in
                guard !host.hasPrefix("127.") else { return [try SocketAddress(ipAddress: host, port: port)] }
                asked.continuation.yield()
                gate.wait()
                return [try SocketAddress(ipAddress: "127.0.0.9", port: port)]
            }
        }

        func untilAsked() async { for await _ in asked.stream { break } }

        func answer() { gate.signal() }
    }

    @Test func aTaskThatIsCancelledDoesNotWaitForTheResolver() async throws {
        let resolver = Resolver()
        // It answers only after the task has ended; waiting for it would reach the test's limit.
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await #expect(throws: CancellationError.self) {
                    try await resolver.lookup.addresses(of: "laptop.example", port: 1)
                }
            }
            await resolver.untilAsked()
            group.cancelAll()
        }
        resolver.answer()
    }

    @Test func aTaskThatWasCancelledBeforeDoesNotAsk() async throws {
        await withTaskGroup(of: Void.self) { group in
            group.cancelAll()
            group.addTask {
                await #expect(throws: CancellationError.self) {
                    try await NameLookup { _, _ in [] }.addresses(of: "laptop.example", port: 1)
                }
            }
        }
    }

    @Test func theSystemKnowsNumbersAndThisMachine() async throws {
        let loopback = try await NameLookup().addresses(of: "localhost", port: 4711)
        let expected = try SocketAddress(ipAddress: "127.0.0.1", port: 4711)
        #expect(loopback.contains(expected))
        #expect(try await NameLookup().addresses(of: "::1", port: 2) == [SocketAddress(ipAddress: "::1", port: 2)])
        await #expect(throws: NameLookup.Failure.self) {
            try await NameLookup().addresses(of: "127.0.0.1\0.example", port: 1)
        }
    }

    @Test func aNameThatIsNotAnsweredDoesNotHoldUpTheOtherAddressesOfALink() async throws {
        let resolver = Resolver()
        let link = try ShareLink(
            for: .hikeshare,
            addresses: [PeerAddress(host: "laptop.example", port: 1), PeerAddress(host: "127.0.0.1", port: 2)],
            id: PeerIdentity.generate(for: .hikeshare).id,
            token: .random()
        )
        let addresses = try await link.resolve(namesWithin: .milliseconds(10), resolver.lookup)
        #expect(addresses.map(\.port) == [2])
        resolver.answer()
    }

    @Test func aNameThatIsTheOnlyAddressIsWaitedFor() async throws {
        let resolver = Resolver()
        let link = try ShareLink(
            for: .hikeshare,
            addresses: [PeerAddress(host: "laptop.example", port: 1)],
            id: PeerIdentity.generate(for: .hikeshare).id,
            token: .random()
        )
        async let addresses = link.resolve(namesWithin: .zero, resolver.lookup)
        await resolver.untilAsked()
        resolver.answer()
        #expect(try await addresses.map(\.port) == [1])
    }
}
