import NearbyPeers
import PeerCore
import PeerTestSupport
import PeerTesting
import Testing

/// Groups of more than two peers: who is in them, and what becomes of them.
@Suite(.timeLimit(.minutes(10))) struct GroupTests {
    private let names = ["anna", "ben", "cara", "dan"]

    /// A member that leaves at once says goodbye right after its last record: the record counts all the same.
    @Test func aMemberThatComesLaterDoesNotWaitForOneThatHasLeft() async throws {
        struct EndsAtOnce: Error {}
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.session("anna") { anna in
            let address = try await world.address(of: anna)
            let ben = Locked<PeerID?>(nil)
            await #expect(throws: EndsAtOnce.self) {
                try await world.session("ben") { session in
                    ben.set(session.local.id)
                    _ = try await world.whileTimePasses { try await session.invite(at: [address]) }
                    try await world.until { anna.connectedPeers == [session.local.id] }
                    throw EndsAtOnce()
                }
            }
            let id = try #require(ben.value)
            try await world.until { anna.connectedPeers.isEmpty }
            try await world.session("cara") { cara in
                _ = try await world.whileTimePasses { try await cara.invite(at: [address]) }
                await network.clock.advance(by: .seconds(10))
                #expect(cara.connectedPeers == [anna.local.id] && cara.peer(id) == nil)
            }
        }
    }

    /// The last record of a member overtakes the data that it has not sent yet.
    @Test func aMemberThatLeavesWithMuchUnsentDataIsGone() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.sessions(["anna", "cara"]) { sessions in
            let (anna, cara) = (sessions[0], sessions[1])
            let address = try await world.address(of: anna)
            try await world.session("ben") { ben in
                let id = ben.local.id
                let lines = Line(text: String(repeating: "a", count: 100_000))
                _ = try await world.whileTimePasses { try await ben.invite(at: [address]) }
                try await world.until { anna.connectedPeers == [id] }
                network.setRate(5000, between: "anna", "ben")
                for _ in 0..<4 { try await ben.send(lines).get() }
                // The new link changes Anna's record and Ben's, and the data is ahead of Ben's.
                _ = try await world.whileTimePasses { try await cara.invite(at: [address]) }
                try await world.whileTimePasses { await ben.leave(within: .zero) }
                try await world.until { anna.peer(id)?.hasLeft == true }
                await network.clock.advance(by: .seconds(10))
                #expect(cara.connectedPeers == [anna.local.id] && cara.peer(id)?.isUnreachable != true)
            }
        }
    }

    @Test(arguments: World.Kind.allCases) func membersAreIntroduced(_ kind: World.Kind) async throws {
        let world = World(kind)
        try await world.group(names) { sessions in
            let cara = sessions[2]
            let introduced = try #require(sessions[1].peer(cara.local.id))
            #expect(introduced.displayName == "cara" && !introduced.isVerified)
            #expect(sessions[1].peer(sessions[0].local.id)?.introducer == nil)
            let all = Set(sessions.map(\.local.id))
            try await world.until {
                sessions.allSatisfy { session in
                    session.links.count == all.count
                        && session.links.allSatisfy { $0.value == all.subtracting([$0.key]) }
                }
            }
        }
    }

    @Test func theCertificateHandlerIsAskedAboutThoseWhoAreIntroduced() async throws {
        let world = World(.memory)
        let relations = Locked<[String: [PeerRelation]]>([:])
        try await world.session("anna") { anna in
            try await world.session(
                "ben",
                Settings {
                    $0.checkCertificate = { peer, _, relation in
                        relations.withLock { $0[peer.displayName, default: []].append(relation) }
                        return peer.displayName == "dan" ? Refusal(.declined, "Not him.") : nil
                    }
                }
            ) { ben in
                try await world.sessions(["cara", "dan"]) { others in
                    for other in [ben] + others { try await anna.invite(at: [world.address(of: other)]) }
                    try await world.until { ben.connectedPeers.count == 2 && others[1].connectedPeers.count == 2 }
                    // Dan has his other links before Ben has heard of him.
                    try await world.until { relations.value["dan"]?.contains(.introduced(by: anna.local.id)) == true }
                    #expect(relations.value["anna"]?.first == .invitesUs)
                    #expect(relations.value["cara"]?.allSatisfy { $0 == .introduced(by: anna.local.id) } == true)
                    #expect(!ben.connectedPeers.contains(others[1].local.id))
                }
            }
        }
    }

    @Test func inAStarNobodyIsIntroduced() async throws {
        let world = World(.memory)
        try await world.sessions(names, Settings { $0.topology = .star }) { sessions in
            for other in sessions.dropFirst() { try await sessions[0].invite(at: [world.address(of: other)]) }
            await world.network?.clock.advance(by: .seconds(20))
            #expect(sessions[0].connectedPeers.count == 3)
            for other in sessions.dropFirst() { #expect(other.peers.map(\.id) == [sessions[0].local.id]) }
        }
    }

    @Test func whoeverLeavesIsGoneForAll() async throws {
        let world = World(.memory)
        try await world.group(["anna", "ben", "cara"]) { sessions in
            try await world.session("dan") { dan in
                try await sessions[0].invite(at: [world.address(of: dan)])
                try await world.until { world.areLinked(sessions + [dan]) }
                // Ben hears of it only from others.
                world.network?.cut("ben", "dan", silently: true)
                world.network?.block(from: "ben", to: "dan")
                world.network?.block(from: "dan", to: "ben")
                try await world.whileTimePasses { await dan.leave(telling: "home") }
                let id = dan.local.id
                try await world.until { sessions.allSatisfy { $0.peer(id)?.hasLeft == true } }
                #expect(sessions[0].peer(id)?.state == .disconnected(.left("home")))
            }
        }
    }

    @Test func whoeverWasRestartedReturnsToAll() async throws {
        let world = World(.memory)
        try await world.group(["anna", "ben", "cara"]) { sessions in
            let logs = sessions.map(EventLogOfReturns.init)
            try await world.session("dan") { dan in
                try await sessions[0].invite(at: [world.address(of: dan)])
                try await world.until { world.areLinked(sessions + [dan]) }
            }
            try await world.session("dan") { dan in
                try await dan.invite(at: [world.address(of: sessions[1])])
                try await world.until { world.areLinked(sessions + [dan]) }
                try await world.until { logs.allSatisfy { $0.returned.value.contains(dan.local.id) } }
            }
        }
    }

    @Test func aNetworkThatIsNotTransitiveIsShown() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.sessions(["anna", "ben", "cara"]) { sessions in
            let (anna, ben, cara) = (sessions[0], sessions[1], sessions[2])
            network.partition([["anna", "ben"], ["ben", "cara"]])
            try await ben.invite(at: [world.address(of: anna)])
            try await ben.invite(at: [world.address(of: cara)])
            try await world.until { anna.peer(cara.local.id)?.isUnreachable == true }
            // It is shown for as long as Ben sees it, and nothing is passed on.
            await network.clock.advance(by: .seconds(900))
            #expect(anna.peer(cara.local.id)?.isUnreachable == true)
            #expect(anna.links[ben.local.id] == [anna.local.id, cara.local.id])
            let result = try await anna.send(Line(text: "all?"))
            #expect(result.taken == [ben.local.id])
            network.heal()
            try await world.until { world.areLinked(sessions) }
        }
    }

    @Test func halvesGoOnAndBecomeOne() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.group(names) { sessions in
            network.partition([["anna", "ben"], ["cara", "dan"]])
            try await world.until(limit: .seconds(300)) {
                sessions[0].peer(sessions[2].local.id)?.isUnreachable == true && sessions[0].connectedPeers.count == 1
            }
            network.heal()
            try await world.until { world.areLinked(sessions) }
        }
    }

    @Test func twoGroupsBecomeOne() async throws {
        let world = World(.memory)
        try await world.sessions(names) { sessions in
            try await sessions[0].invite(at: [world.address(of: sessions[1])])
            try await sessions[2].invite(at: [world.address(of: sessions[3])])
            try await sessions[1].invite(at: [world.address(of: sessions[2])])
            try await world.until { world.areLinked(sessions) }
        }
    }

    @Test(arguments: World.Kind.allCases) func eightThatInviteOneAnotherAreAMesh(_ kind: World.Kind) async throws {
        let world = World(kind)
        let names = (1...8).map { "peer \($0)" }
        try await world.sessions(names, Settings { $0.invites = .everyoneFound }) { sessions in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for session in sessions { group.addTask { try await session.advertise() } }
                try await world.until { world.areLinked(sessions) }
                group.cancelAll()
            }
        }
    }

    @Test func whoeverWasSentAwayByOneStaysWithTheOthers() async throws {
        let world = World(.memory)
        try await world.group(["anna", "ben", "cara"]) { sessions in
            let (anna, ben, cara) = (sessions[0], sessions[1], sessions[2])
            await anna.disconnect(ben.local.id, telling: "Not today.")
            await world.network?.clock.advance(by: .seconds(60))
            #expect(anna.connectedPeers == [cara.local.id])
            #expect(ben.connectedPeers == [cara.local.id])
            #expect(cara.connectedPeers.count == 2)
        }
    }

    @Test func aGroupThatIsFullInvitesNobody() async throws {
        let world = World(.memory)
        try await world.group(["anna", "ben", "cara"], Settings { $0.maximumPeers = 2 }) { sessions in
            try await world.session("dan") { dan in
                let address = try await world.address(of: dan)
                await #expect(throws: PeerError.self) { try await sessions[1].invite(at: [address]) }
                let annas = try await world.address(of: sessions[0])
                let error = await #expect(throws: PeerError.self) {
                    try await world.whileTimePasses { try await dan.invite(at: [annas]) }
                }
                #expect(error?.code == .busy)
            }
        }
    }
}

/// The peers that have returned to a session.
private struct EventLogOfReturns {
    let returned = Locked<Set<PeerID>>([])

    init(_ session: PeerSession) {
        let (events, returned) = (session.events(), returned)
        Task {
            for await case .returned(let id) in events { returned.withLock { _ = $0.insert(id) } }
        }
    }
}

extension SessionPeer {
    fileprivate var hasLeft: Bool { if case .disconnected(.left) = state { true } else { false } }
}
