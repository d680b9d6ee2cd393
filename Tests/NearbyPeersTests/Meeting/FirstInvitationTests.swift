import FoundationEssentials
import NearbyPeers
import PeerTestSupport
import PeerTesting
import Testing

/// Invitations that come before the application reads them.
@Suite(.timeLimit(.minutes(10))) struct FirstInvitationTests {
    private static let asking = Settings { $0.admission = .ask { _, _ in .same } }

    private static let inviting = Settings {
        asking.change(&$0)
        $0.invites = .everyoneFound
    }

    /// Reads invitations until cancelled, and accepts all.
    private static func accept(_ invitations: IncomingInvitations, on network: InMemoryNetwork) -> Task<Void, Never> {
        Task(executorPreference: network.executor) {
            for await invitation in invitations { try? await invitation.accept(.same) }
        }
    }

    /// The natural order of two tasks: this machine is announced, and reads its invitations a little later.
    @Test func anInvitationWaitsForItsFirstReader() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.session("anna", Self.asking) { anna in
            try await world.session("ben", Self.inviting) { ben in
                let announcement = Task(executorPreference: network.executor) { try? await anna.advertise() }
                await network.clock.advance(by: .seconds(2))
                #expect(anna.peers.map(\.id) == [ben.local.id] && anna.connectedPeers.isEmpty)
                let reader = Self.accept(try anna.invitations(), on: network)
                try await world.until(limit: .seconds(1)) { ben.connectedPeers == [anna.local.id] }
                reader.cancel()
                announcement.cancel()
            }
        }
    }

    /// The reader comes after the time: the inviter, whom nobody has answered, tries again by itself.
    @Test func whoWasNotAnsweredTriesAgain() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.session("anna", Self.asking) { anna in
            try await world.session("ben", Self.inviting) { ben in
                let announcement = Task(executorPreference: network.executor) { try? await anna.advertise() }
                await network.clock.advance(by: .seconds(60))
                #expect(ben.connectedPeers.isEmpty)
                let reader = Self.accept(try anna.invitations(), on: network)
                try await world.until(limit: .seconds(90)) { ben.connectedPeers == [anna.local.id] }
                reader.cancel()
                announcement.cancel()
            }
        }
    }

    /// An application that invites hears that nobody has answered: that is no refusal, and comes long before its time is over.
    @Test func anInvitationThatNobodyReadsIsAnsweredBusy() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.session("anna", Self.asking) { anna in
            try await world.session("ben", Self.asking) { ben in
                let address = try await world.address(of: anna)
                for limit in [Duration.seconds(11), .seconds(1)] {
                    let start = network.clock.elapsed
                    let error = try await world.whileTimePasses {
                        await failure { () async throws(PeerError) in _ = try await ben.invite(at: [address]) }
                    }
                    // The first one has waited for a reader. The second one is not kept any more.
                    #expect(error?.code == .busy && network.clock.elapsed - start <= limit)
                }
                // It was no failed pairing either, so there is no lock.
                let reader = Self.accept(try anna.invitations(), on: network)
                _ = try await world.whileTimePasses { try await ben.invite(at: [address]) }
                reader.cancel()
            }
        }
    }

    /// A time-out of nothing is a mistake, and not a peer that is late.
    @Test func aTimeOutIsLongerThanNothing() async throws {
        let world = World(.memory)
        try await world.linked { anna, ben in
            for timeout in [Duration.zero, .seconds(-1)] {
                let request = await failure { () async throws(PeerError) in
                    _ = try await ben.request(Greeting(name: "Ben"), from: anna.local.id, timeout: timeout)
                }
                #expect(request?.code == .invalidArgument)
                let address = PeerAddress(host: "192.0.2.1", port: 1)
                let invitation = await failure { () async throws(PeerError) in
                    _ = try await ben.invite(at: [address], timeout: timeout)
                }
                #expect(invitation?.code == .invalidArgument)
            }
        }
    }
}
