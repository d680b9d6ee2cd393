import NearbyPeers
import PeerCore
import PeerTestSupport
import PeerTesting
import Testing

/// Peers that are sent away before they are linked.
@Suite(.timeLimit(.minutes(10))) struct SendingAwayTests {
    @Test func aPeerThatIsNotKnownYetCanBeSentAway() async throws {
        let world = World(.memory)
        try await world.sessions { anna, ben in
            await anna.disconnect(ben.local.id, telling: "Not today.")
            let address = try await world.address(of: anna)
            let error = await #expect(throws: PeerError.self) {
                try await world.whileTimePasses { try await ben.invite(at: [address]) }
            }
            #expect(error?.code == .declined)
            #expect(anna.connectedPeers.isEmpty && ben.connectedPeers.isEmpty)
        }
    }

    /// At whatever moment of the first meeting a peer is sent away, it is not connected afterwards.
    @Test(arguments: 0...14) func aPeerThatIsJustComingCanBeSentAway(moment: Int) async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        network.setDelay(.milliseconds(100))
        try await world.sessions { anna, ben in
            let address = try await world.address(of: anna)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { _ = try? await ben.invite(at: [address], timeout: .seconds(5)) }
                await network.clock.advance(by: .milliseconds(100 * moment + 50))
                await anna.disconnect(ben.local.id)
                await network.clock.advance(by: .seconds(10))
                try await group.waitForAll()
            }
            #expect(anna.connectedPeers.isEmpty && ben.connectedPeers.isEmpty)
        }
    }
}
