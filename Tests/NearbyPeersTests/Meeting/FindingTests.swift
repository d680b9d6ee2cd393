import FoundationEssentials
import NearbyPeers
import PeerTestSupport
import PeerTesting
import Testing

/// Announcing, finding, and inviting whom is found.
@Suite(.timeLimit(.minutes(10))) struct FindingTests {
    @Test func peersFindAndInviteOneAnother() async throws {
        let world = World(.memory)
        try await world.session("anna", Settings { $0.invites = .everyoneFound }) { anna in
            try await world.session("ben", Settings { $0.invites = .everyoneFound }) { ben in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try? await anna.advertise(info: ["role": "host"]) }
                    group.addTask { try? await ben.advertise(info: ["role": "client"]) }
                    try await world.until {
                        anna.connectedPeers == [ben.local.id] && ben.connectedPeers == [anna.local.id]
                    }
                    let found = try await world.whileTimePasses {
                        try await anna.browse().first { $0.contains { $0.info["role"] == "client" } }
                    }
                    #expect(found?.map(\.displayName) == ["ben"])
                    group.cancelAll()
                }
            }
        }
    }

    @Test func aClientThatStartsAgainIsFoundAndInvitedAgain() async throws {
        let world = World(.memory)
        try await world.session("host", Settings { $0.invites = .everyoneFound }) { host in
            for _ in 0..<3 {
                try await world.session("client") { client in
                    let announcement = Task { try? await client.advertise(info: ["role": "client"]) }
                    try await world.until {
                        host.connectedPeers == [client.local.id] && client.connectedPeers == [host.local.id]
                    }
                    announcement.cancel()
                    await announcement.value
                }
                try await world.until { host.connectedPeers.isEmpty }
            }
        }
    }

    @Test func anAnnouncementCanChange() async throws {
        let world = World(.memory)
        try await world.sessions { anna, ben in
            let found = Locked<[NearbyPeer]>([])
            let browsing = Task { for try await peers in ben.browse() { found.withLock { $0 = peers } } }
            let first = Task { try? await anna.advertise(info: ["state": "idle"]) }
            try await world.until { found.withLock { $0.first?.info == ["state": "idle"] } }
            let second = Task { try? await anna.advertise(info: ["state": "busy"], name: "Anna  B") }
            try await world.until {
                found.withLock { $0.map(\.info) == [["state": "busy"]] && $0.first?.displayName == "Anna  B" }
            }
            for task in [first, second] { task.cancel() }
            browsing.cancel()
        }
    }

    @Test func anAnnouncementThatBreaksARuleIsRefused() async throws {
        let world = World(.memory)
        try await world.session("anna") { anna in
            let error = await failure { () async throws(PeerError) in
                try await anna.advertise(info: ["shortName": "mine"])
            }
            #expect(error?.code == .invalidArgument)
        }
    }
}
