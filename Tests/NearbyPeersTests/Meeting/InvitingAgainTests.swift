import NearbyPeers
import PeerCore
import PeerTestSupport
import PeerTesting
import Testing

/// Invitations of peers that were linked before.
@Suite(.timeLimit(.minutes(10))) struct InvitingAgainTests {
    /// An invitation ends with its time, also if the peer was linked before: who appears later is not linked.
    @Test func anInvitationOfAPeerThatHasLeftEndsWithItsTime() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.session("anna") { anna in
            let (id, address) = try await world.session("ben") { ben in
                let address = try await world.address(of: ben)
                _ = try await world.whileTimePasses { try await anna.invite(at: [address]) }
                return (ben.local.id, address)
            }
            try await world.until { anna.connectedPeers.isEmpty }
            await #expect(throws: PeerError.self) {
                try await world.whileTimePasses {
                    try await anna.invite(at: [address], expecting: id, timeout: .seconds(5))
                }
            }
            let hellos = network.trace.count { $0.frame == "hello" }
            await network.clock.advance(by: .seconds(60))
            let isTried = if case .connecting? = anna.peer(id)?.state { true } else { false }
            #expect(!isTried && network.trace.count { $0.frame == "hello" } == hellos)
        }
    }

    /// An invitation with an address does not wait for an attempt that pauses.
    @Test func anInvitationByAddressIsNotHeldUpByAPause() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.linked { anna, ben in
            network.partition([["anna"], ["ben"]])
            try await world.until {
                if case .unreachable? = anna.peer(ben.local.id)?.state { true } else { false }
            }
            await network.clock.advance(by: .seconds(2))
            network.heal()
            let start = network.clock.elapsed
            let address = try await world.address(of: ben)
            _ = try await world.whileTimePasses { try await anna.invite(at: [address]) }
            #expect(network.clock.elapsed - start < .seconds(1))
        }
    }

    /// Whoever invites a peer that was sent away takes that back, also if only the address is given.
    @Test func aPeerThatWasSentAwayCanBeInvitedByItsAddress() async throws {
        let world = World(.memory)
        try await world.linked { anna, ben in
            await anna.disconnect(ben.local.id)
            try await world.until { ben.connectedPeers.isEmpty }
            let address = try await world.address(of: ben)
            _ = try await world.whileTimePasses { try await anna.invite(at: [address]) }
            try await world.until { ben.connectedPeers == [anna.local.id] }
        }
    }
}
