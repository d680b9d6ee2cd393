import FoundationEssentials
import NearbyPeers
import PeerTestSupport
import PeerTesting
import Testing

/// Who is let in: digits, trust, links, refusals.
@Suite(.timeLimit(.minutes(10))) struct AdmissionTests {
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
                $0.admission = .ask(comparing: nil)
                $0.trust = annasTrust
            }
        ) { anna in
            let invitations = try anna.invitations()
            try await world.session(
                "ben",
                Settings {
                    $0.trust = bensTrust
                    $0.admission = .ask { _, digits in
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

    /// The time of the network is a minute ahead of the system's, and each answer takes two seconds.
    @Test func deadlinesFollowTheTimeOfTheNetwork() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.sessions { anna, ben in
            await network.clock.advance(by: .seconds(60))
            network.setDelay(.seconds(1))
            _ = try await world.whileTimePasses { try await ben.invite(at: [world.address(of: anna)]) }
            try await world.until { anna.connectedPeers == [ben.local.id] }
        }
    }

    @Test func nobodyComesInWithoutComparingDigits() async throws {
        let world = World(.memory)
        try await world.session("anna", Settings { $0.admission = .ask(comparing: nil) }) { anna in
            let invitations = try anna.invitations()
            try await world.session(
                "ben",
                Settings {
                    $0.admission = .ask { _, _ in .same }
                }
            ) { ben in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        var iterator = invitations.makeAsyncIterator()
                        let invitation = try #require(await iterator.next())
                        let error = await failure { () async throws(PeerError) in try await invitation.accept() }
                        #expect(error?.code == .notTrusted)
                        await invitation.decline("I do not know you.")
                        await invitation.withdrawal()
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
            try await world.session("ben", Settings { $0.admission = .ask(comparing: nil) }) { ben in
                let address = try await world.address(of: anna)
                let error = await failure { () async throws(PeerError) in _ = try await ben.invite(at: [address]) }
                #expect(error?.code == .notTrusted)
                #expect(anna.connectedPeers.isEmpty)
            }
        }
    }

    @Test func aLinkLetsIn() async throws {
        let world = World(.memory)
        try await world.session("anna", Settings { $0.admission = .ask(comparing: nil) }) { anna in
            let link = try await anna.makeShareLink()
            try await world.session("ben", Settings { $0.admission = .ask(comparing: nil) }) { ben in
                #expect(try await ben.join(link) == anna.local.id)
                try await world.until { anna.connectedPeers == [ben.local.id] }
            }
        }
    }

    @Test func aClosedSessionSaysWhy() async throws {
        let world = World(.memory)
        try await world.session("anna", Settings { $0.admission = .closed("We are full.", comparing: nil) }) { anna in
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
        try await world.session("anna", Settings { $0.admission = .ask(comparing: nil) }) { anna in
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
            Settings { $0.checkCertificate = { _, der, _ in der.isEmpty ? nil : Refusal(.notTrusted, "Not from us.") } }
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
            try await world.until { ben.peer(anna.local.id)?.state == .disconnected(.disconnected("Enough.")) }
            let address = try await world.address(of: anna)
            let error = try await world.whileTimePasses {
                await failure { () async throws(PeerError) in _ = try await ben.invite(at: [address]) }
            }
            #expect(error?.code == .declined)
            #expect(anna.connectedPeers.isEmpty)
        }
    }

    @Test func peopleHaveTheTimeOfTheInvitationToCompareDigits() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.session("anna", Settings { $0.admission = .ask(comparing: nil) }) { anna in
            let invitations = try anna.invitations()
            let clock = network.clock
            try await world.session(
                "ben",
                Settings {
                    $0.admission = .ask { _, _ in
                        // Ben looks up late.
                        try? await clock.sleep(for: .seconds(80))
                        return .same
                    }
                }
            ) { ben in
                let person = Task {
                    for await invitation in invitations { try await invitation.accept(.same) }
                }
                _ = try await world.whileTimePasses {
                    try await ben.invite(at: [world.address(of: anna)], timeout: .seconds(100))
                }
                #expect(ben.connectedPeers == [anna.local.id])
                person.cancel()
            }
        }
    }

    @Test func anImpostorLearnsNothingAndIsReported() async throws {
        let world = World(.memory)
        let trust = MemoryTrustStore()
        try await world.session("anna", Settings { $0.trust = trust }) { anna in
            let refused = Locked<[String]>([])
            let events = anna.events()
            let log = Task {
                for await case .refused(let peer, let error) in events {
                    refused.withLock { $0.append("\(peer.displayName): \(error.code)") }
                }
            }
            try await world.session("ben") { ben in
                await trust.pin(PeerID(digest: ContentDigest(hashing: [1])), name: "ben")
                let address = try await world.address(of: anna)
                let error = await failure { () async throws(PeerError) in _ = try await ben.invite(at: [address]) }
                #expect(error?.code == .notTrusted)
                #expect(error?.description.contains("ben") == false)
                try await world.until { refused.withLock { $0 } == ["ben: notTrusted"] }
            }
            log.cancel()
        }
    }
}
