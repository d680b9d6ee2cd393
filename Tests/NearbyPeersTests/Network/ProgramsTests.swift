import NearbyPeers
import PeerTestSupport
import PeerTesting
import Testing

/// Programs that end, are killed, and start again.
@Suite(.timeLimit(.minutes(5))) struct ProgramsTests {
    private let world = World(.memory)

    private func configuration(_ name: String) throws -> PeerSession.Configuration {
        var configuration = try world.configuration(name)
        configuration.invites = .everyoneFound
        return configuration
    }

    @Test(arguments: [false, true]) func aKilledProgramSaysNothingAndComesBack(silently: Bool) async throws {
        let network = try #require(world.network)
        try await network.withPrograms { programs in
            let anna = try await programs.start("anna", with: try configuration("anna"))
            let ben = try await programs.start("ben", with: try configuration("ben")) { try await $0.advertise() }
            try await network.clock.advance(until: { anna.connectedPeers == [ben.local.id] })

            await programs.kill("ben", silently: silently)
            try await network.clock.advance(until: {
                if case .reconnecting? = anna.peer(ben.local.id)?.state { true } else { false }
            })

            let again = try await programs.start("ben", with: try configuration("ben")) { try await $0.advertise() }
            #expect(again.local.id == ben.local.id)
            try await network.clock.advance(until: { anna.connectedPeers == [ben.local.id] })

            try await programs.end("ben")
            try await network.clock.advance(until: { anna.peer(ben.local.id)?.state == .disconnected(.left("")) })
        }
    }

    @Test func aProgramThatCannotStartSaysWhy() async throws {
        let network = try #require(world.network)
        try await network.withPrograms { programs in
            var wrong = try configuration("anna")
            wrong.maximumPeers = 0
            do {
                try await programs.start("anna", with: wrong)
                Issue.record("The program has started.")
            } catch let error as PeerError {
                #expect(error.code == .invalidArgument)
            }
        }
    }

    @Test func whatAProgramThrowsFailsTheTest() async throws {
        struct Failure: Error {}
        let network = try #require(world.network)
        do {
            try await network.withPrograms { programs in
                _ = try await programs.start("anna", with: try configuration("anna")) { _ in throw Failure() }
            }
            Issue.record("Nothing was thrown.")
        } catch is Failure {}
    }

    /// A timer of the application stands still with the clock of the test.
    @Test func theClockOfTheEnvironmentIsTheOneThatATestMoves() async throws {
        let network = try #require(world.network)
        let isOver = Locked(false)
        let clock = world.environment("anna").clock
        let timer = Task(executorPreference: network.executor) {
            try await clock.sleep(for: .seconds(3600))
            isOver.withLock { $0 = true }
        }
        try await network.clock.advance(until: { isOver.value }, limit: .seconds(3601))
        #expect(network.clock.elapsed >= .seconds(3600))
        try await timer.value
    }
}
