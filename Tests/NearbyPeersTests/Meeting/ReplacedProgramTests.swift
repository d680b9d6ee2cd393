import NearbyPeers
import PeerTestSupport
import PeerTesting
import Testing

/// Two programs with one key.
@Suite(.timeLimit(.minutes(10))) struct ReplacedProgramTests {
    /// A program that another one has replaced stays away, however long it runs.
    @Test func aReplacedProgramDoesNotComeBackLater() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.session("anna") { anna in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try? await anna.advertise() }
                try await world.session("ben", Settings { $0.invites = .everyoneFound }) { first in
                    try await world.until { first.connectedPeers == [anna.local.id] }
                    try await world.session("ben") { second in
                        _ = try await world.whileTimePasses { try await second.invite(at: [world.address(of: anna)]) }
                        try await world.until { first.peer(anna.local.id)?.state == .disconnected(.replaced) }
                        await network.clock.advance(by: .seconds(700))
                        #expect(first.peer(anna.local.id)?.state == .disconnected(.replaced))
                        #expect(second.connectedPeers == [anna.local.id])
                    }
                }
                group.cancelAll()
            }
        }
    }

    @Test func twoProgramsWithOneKeyDoNotFight() async throws {
        let world = World(.memory)
        try await world.session("anna") { anna in
            try await world.session("ben") { first in
                try await first.invite(at: [world.address(of: anna)])
                try await world.session("ben") { second in
                    _ = try await world.whileTimePasses { try await second.invite(at: [world.address(of: anna)]) }
                    try await world.until { first.peer(anna.local.id)?.state == .disconnected(.replaced) }
                    let network = try #require(world.network)
                    await network.clock.advance(by: .seconds(120))
                    #expect(first.peer(anna.local.id)?.state == .disconnected(.replaced))
                    #expect(second.connectedPeers == [anna.local.id])
                }
            }
        }
    }
}
