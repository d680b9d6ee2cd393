import NearbyPeers
import PeerTestSupport
import PeerTesting
import Testing

/// What an application that follows the documentation relies on; found with the examples.
@Suite(.timeLimit(.minutes(10))) struct ApplicationTests {
    @Test func aPeerThatReconnectsIsNotOnTheWayToItsFirstLink() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.linked { anna, ben in
            let logs = [StateLog(anna), StateLog(ben)]
            network.cut("anna", "ben")
            try await world.until { logs.allSatisfy { $0.names.contains("connected") } }
            for log in logs { #expect(log.names == ["reconnecting", "connected"]) }
        }
    }

    @Test func aRestartedPeerIsTakenByTheSideThatInvitedIt() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        let onItsPort: @Sendable (inout PeerSession.Configuration) -> Void = { $0.port = 4000 }
        try await world.session("ben") { ben in
            let id = try await world.session("anna", onItsPort) { anna in
                try await ben.invite(at: [world.address(of: anna)])
                // Anna's program ends, and her goodbye is not heard.
                network.cut("anna", "ben", silently: true)
                return anna.local.id
            }
            try await world.session("anna", onItsPort) { anna in
                try await world.until { ben.connectedPeers == [id] && anna.connectedPeers == [ben.local.id] }
            }
        }
    }

    @Test func theExampleInTheDocumentationEndsWithoutAnError() async throws {
        try await World(.memory).session("anna") { anna in
            try await withThrowingDiscardingTaskGroup { group in
                group.addTask { try await anna.advertise() }
                group.cancelAll()
            }
        }
    }

    @Test func whoSaysThatDigitsAreDifferentLetsNobodyIn() async throws {
        let world = World(.memory)
        let trust = MemoryTrustStore()
        let asking: @Sendable (inout PeerSession.Configuration) -> Void = { configuration in
            configuration.admission = .ask(comparing: nil)
            configuration.trust = trust
        }
        try await world.session("anna", asking) { anna in
            let invitations = try anna.invitations()
            try await world.session("ben", asking) { ben in
                await trust.pin(anna.local.id, name: "anna")
                await trust.pin(ben.local.id, name: "ben")
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        var iterator = invitations.makeAsyncIterator()
                        let invitation = try #require(await iterator.next())
                        #expect(invitation.digits == nil)
                        let error = await failure { () async throws(PeerError) in
                            try await invitation.accept(.different)
                        }
                        #expect(error?.code == .notTrusted)
                        await invitation.decline()
                    }
                    _ = try? await ben.invite(at: [world.address(of: anna)])
                    try await group.waitForAll()
                }
                #expect(ben.connectedPeers.isEmpty)
            }
        }
    }
}
