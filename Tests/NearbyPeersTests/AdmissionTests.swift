import FoundationEssentials
import NearbyPeers
import PeerTestSupport
import PeerTesting
import Testing

/// Who is let in: digits, trust, links, refusals.
@Suite(.timeLimit(.minutes(1))) struct AdmissionTests {
    /// The digits that two people see.
    private final class Screens: Sendable {
        let anna = Locked<PairingDigits?>(nil)
        let ben = Locked<PairingDigits?>(nil)
    }

    @Test(arguments: World.Kind.allCases) func strangersCompareDigits(_ kind: World.Kind) async throws {
        let world = World(kind)
        let screens = Screens()
        let (annasTrust, bensTrust) = (MemoryTrustStore(), MemoryTrustStore())
        try await world.session(
            "anna",
            Settings {
                $0.admission = .ask
                $0.trust = annasTrust
            }
        ) { anna in
            let invitations = try anna.invitations()
            try await world.session(
                "ben",
                Settings {
                    $0.admission = .ask
                    $0.trust = bensTrust
                    $0.compareDigits = { _, digits in
                        screens.ben.withLock { $0 = digits }
                        return .same
                    }
                }
            ) { ben in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        var iterator = invitations.makeAsyncIterator()
                        let invitation = try #require(await iterator.next())
                        #expect(invitation.context == Data([1, 2]))
                        screens.anna.withLock { $0 = invitation.digits }
                        try await invitation.accept(.same)
                    }
                    try await ben.invite(at: [world.address(of: anna)], context: Data([1, 2]))
                    try await group.waitForAll()
                }
                #expect(screens.anna.withLock { $0 } != nil)
                #expect(screens.anna.withLock { $0 } == screens.ben.withLock { $0 })
                try await world.until { anna.connectedPeers == [ben.local.id] }
                #expect(anna.peer(ben.local.id)?.isVerified == true)
                #expect(ben.peer(anna.local.id)?.isVerified == true)
                try await world.until {
                    Array(annasTrust.peers.values) == ["ben"] && Array(bensTrust.peers.values) == ["anna"]
                }
            }
        }
    }

    @Test func nobodyComesInWithoutComparingDigits() async throws {
        let world = World(.memory)
        try await world.session("anna", Settings { $0.admission = .ask }) { anna in
            let invitations = try anna.invitations()
            try await world.session(
                "ben",
                Settings {
                    $0.admission = .ask
                    $0.compareDigits = { _, _ in .same }
                }
            ) { ben in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        var iterator = invitations.makeAsyncIterator()
                        let invitation = try #require(await iterator.next())
                        let error = await failure { () async throws(PeerError) in try await invitation.accept() }
                        #expect(error?.code == .notTrusted)
                        await invitation.decline("I do not know you.")
                        #expect(await invitation.isWithdrawn)
                    }
                    let address = try await world.address(of: anna)
                    let error = await failure { () async throws(PeerError) in _ = try await ben.invite(at: [address]) }
                    #expect(error?.code == .declined)
                    #expect(error?.message == "I do not know you.")
                    try await group.waitForAll()
                }
                #expect(anna.connectedPeers.isEmpty && ben.connectedPeers.isEmpty)
            }
        }
    }

    @Test func theInvitingSideMustCompareToo() async throws {
        let world = World(.memory)
        try await world.session("anna", Settings { $0.admission = .everyone }) { anna in
            try await world.session("ben", Settings { $0.admission = .ask }) { ben in
                let address = try await world.address(of: anna)
                let error = await failure { () async throws(PeerError) in _ = try await ben.invite(at: [address]) }
                #expect(error?.code == .notTrusted)
                #expect(anna.connectedPeers.isEmpty)
            }
        }
    }

    @Test func aLinkLetsIn() async throws {
        let world = World(.memory)
        try await world.session("anna", Settings { $0.admission = .ask }) { anna in
            let link = try await anna.makeLink()
            try await world.session("ben", Settings { $0.admission = .ask }) { ben in
                #expect(try await ben.join(link) == anna.local.id)
                try await world.until { anna.connectedPeers == [ben.local.id] }
            }
        }
    }

    @Test func aClosedSessionSaysWhy() async throws {
        let world = World(.memory)
        try await world.session("anna", Settings { $0.admission = .closed("We are full.") }) { anna in
            try await world.session("ben") { ben in
                let address = try await world.address(of: anna)
                let error = await failure { () async throws(PeerError) in _ = try await ben.invite(at: [address]) }
                #expect(error?.code == .declined)
                #expect(error?.message == "We are full.")
            }
        }
    }

    @Test func whoIsBusyDeclinesWithWords() async throws {
        let world = World(.memory)
        try await world.session("anna", Settings { $0.maximumPeers = 1 }) { anna in
            try await world.session("ben") { ben in
                try await ben.invite(at: [world.address(of: anna)])
                try await world.session("carla") { carla in
                    let address = try await world.address(of: anna)
                    let error = await failure { () async throws(PeerError) in
                        _ = try await carla.invite(at: [address])
                    }
                    #expect(error?.code == .busy)
                    #expect(anna.connectedPeers == [ben.local.id])
                }
            }
        }
    }

    @Test func anInvitationThatNobodyAnswersEndsInTime() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.session("anna", Settings { $0.admission = .ask }) { anna in
            let invitations = try anna.invitations()
            try await world.session("ben") { ben in
                let address = try await world.address(of: anna)
                let start = network.clock.elapsed
                let error = try await world.whileTimePasses {
                    await failure { () async throws(PeerError) in
                        _ = try await ben.invite(at: [address], timeout: .seconds(15))
                    }
                }
                #expect(error?.code == .timedOut || error?.code == .notTrusted)
                #expect(network.clock.elapsed - start <= .seconds(16))
                _ = invitations
            }
        }
    }

    @Test func aCertificateCanBeRefused() async throws {
        let world = World(.memory)
        try await world.session(
            "anna",
            Settings { $0.checkCertificate = { _, der in der.isEmpty ? nil : Refusal(.notTrusted, "Not from us.") } }
        ) { anna in
            try await world.session("ben") { ben in
                let address = try await world.address(of: anna)
                let error = await failure { () async throws(PeerError) in _ = try await ben.invite(at: [address]) }
                #expect(error?.code == .notTrusted)
                #expect(error?.message == "Not from us.")
            }
        }
    }

    @Test func whoIsDisconnectedStaysOut() async throws {
        let world = World(.memory)
        try await world.linked { anna, ben in
            await anna.disconnect(ben.local.id, telling: "Enough.")
            try await world.until { ben.peer(anna.local.id)?.state == .disconnected(.left("Enough.")) }
            let address = try await world.address(of: anna)
            let error = try await world.whileTimePasses {
                await failure { () async throws(PeerError) in _ = try await ben.invite(at: [address]) }
            }
            #expect(error?.code == .declined)
            #expect(anna.connectedPeers.isEmpty)
        }
    }

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
