import FoundationEssentials
import PeerTestSupport
import PeerTesting
import Testing

@testable import NearbyPeers

/// Connections that break, in memory, where time is moved by the tests.
@Suite(.timeLimit(.minutes(10))) struct ReconnectingTests {
    @Test(arguments: [false, true]) func messagesArriveOnceAcrossABreak(isSilent: Bool) async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.linked { anna, ben in
            let lines = try anna.messages(of: Line.self)
            let states = StateLog(ben)
            for number in 1...50 { try await ben.send(Line(text: "\(number)")).get() }
            network.cut("anna", "ben", silently: isSilent)
            for number in 51...100 {
                let result = try await ben.send(Line(text: "\(number)"))
                #expect(result.taken == [anna.local.id])
            }
            let received = Locked<[String]>([])
            let reader = Task { for await line in lines { received.withLock { $0.append(line.message.text) } } }
            try await world.until { received.withLock { $0.count } == 100 }
            #expect(received.withLock { $0 } == (1...100).map { "\($0)" })
            try await world.until { ben.connectedPeers == [anna.local.id] }
            #expect(states.names.contains("reconnecting"))
            reader.cancel()
        }
    }

    @Test func aRequestIsAnsweredAcrossABreak() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.linked { anna, ben in
            let requests = try anna.requests(Greeting.self)
            async let answer = ben.request(Greeting(name: "Ben"), from: anna.local.id, timeout: .seconds(30))
            var iterator = requests.makeAsyncIterator()
            let request = try #require(await iterator.next())
            network.cut("anna", "ben")
            try request.answer("Hello")
            try await world.until { anna.connectedPeers == [ben.local.id] && ben.connectedPeers == [anna.local.id] }
            #expect(try await answer == "Hello")
        }
    }

    @Test func aSilentPeerIsNoticedInSixSeconds() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.linked { anna, ben in
            let start = network.clock.elapsed
            network.partition([["anna"], ["ben"]])
            try await world.until { ben.peer(anna.local.id)?.isReconnecting == true }
            let time = network.clock.elapsed - start
            #expect(time >= .seconds(6) && time <= .seconds(9))
        }
    }

    @Test func aLinkThatIsLostIsMadeAnewAndSaysSo() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.linked { anna, ben in
            let states = StateLog(ben)
            network.partition([["anna"], ["ben"]])
            try await world.until { ben.peer(anna.local.id)?.isUnreachable == true }
            let result = try await ben.send(Line(text: "lost"), to: [anna.local.id])
            #expect(result.missed[anna.local.id]?.code == .notConnected)
            network.heal()
            try await world.until { ben.connectedPeers == [anna.local.id] && anna.connectedPeers == [ben.local.id] }
            try await world.until { states.names.contains("returned") }
            let lines = try anna.messages(of: Line.self)
            try await ben.send(Line(text: "new")).get()
            var iterator = lines.makeAsyncIterator()
            #expect(await iterator.next()?.message.text == "new")
        }
    }

    @Test func aPeerThatStaysAwayIsGivenUp() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.linked { anna, ben in
            network.partition([["anna"], ["ben"]])
            try await world.until(limit: .seconds(900)) { ben.peer(anna.local.id)?.state == .disconnected(.lost) }
        }
    }

    /// It has lost its place in a full group while it was away.
    @Test func aPeerThatIsNoMemberAnyMoreIsGivenUpAndNotSought() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.linked { anna, ben in
            network.partition([["anna"], ["ben"]])
            try await world.until { ben.peer(anna.local.id)?.isUnreachable == true }
            try await world.until { anna.peer(ben.local.id)?.isUnreachable == true }
            await ben.hub.loseMember(anna.local.id)
            await anna.hub.loseMember(ben.local.id)
            try await world.until(limit: .seconds(900)) {
                ben.peer(anna.local.id)?.state == .disconnected(.lost)
                    && anna.peer(ben.local.id)?.state == .disconnected(.lost)
            }
            network.heal()
            await network.clock.advance(by: .seconds(300))
            #expect(ben.peer(anna.local.id)?.state == .disconnected(.lost))
        }
    }

    /// Others are connected with it.
    @Test func aMemberThatOthersReachIsNotGivenUp() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.group(["anna", "ben", "cara"]) { sessions in
            let (ben, cara) = (sessions[1], sessions[2].local.id)
            network.partition([["anna", "ben"], ["anna", "cara"]])
            await network.clock.advance(by: .seconds(900))
            #expect(ben.peer(cara)?.isUnreachable == true)
        }
    }

    @Test func aRestartedPeerIsTakenAtOnce() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.session("anna") { anna in
            try await world.session("ben") { ben in
                try await ben.invite(at: [world.address(of: anna)])
                network.cut("anna", "ben", silently: true)
            }
            try await world.session("ben") { ben in
                _ = try await world.whileTimePasses { try await ben.invite(at: [world.address(of: anna)]) }
                try await world.until { anna.connectedPeers == [ben.local.id] }
                let lines = try anna.messages(of: Line.self)
                try await ben.send(Line(text: "back")).get()
                var iterator = lines.makeAsyncIterator()
                #expect(await iterator.next()?.message.text == "back")
            }
        }
    }

    @Test func bothMayInviteAtOnce() async throws {
        for _ in 0..<20 {
            let world = World(.memory)
            try await world.sessions { anna, ben in
                let (toAnna, toBen) = (try await world.address(of: anna), try await world.address(of: ben))
                try await world.whileTimePasses {
                    async let one = anna.invite(at: [toBen], expecting: ben.local.id)
                    async let other = ben.invite(at: [toAnna], expecting: anna.local.id)
                    _ = try await (one, other)
                }
                #expect(anna.connectedPeers == [ben.local.id])
                #expect(ben.connectedPeers == [anna.local.id])
                let lines = try anna.messages(of: Line.self)
                try await ben.send(Line(text: "one")).get()
                var iterator = lines.makeAsyncIterator()
                #expect(await iterator.next()?.message.text == "one")
            }
        }
    }

    @Test func aRestartedStrangerComparesDigitsAgain() async throws {
        let world = World(.memory)
        let asking: @Sendable (inout PeerSession.Configuration) -> Void = { configuration in
            configuration.admission = .ask { _, _ in .same }
        }
        try await world.session("anna", asking) { anna in
            let invitations = try anna.invitations()
            let answers = Locked(0)
            let person = Task {
                for await invitation in invitations {
                    answers.withLock { $0 += 1 }
                    try? await invitation.accept(.same)
                }
            }
            for _ in 0..<2 {
                try await world.session("ben", asking) { ben in
                    try await ben.invite(at: [world.address(of: anna)])
                    try await world.until { anna.connectedPeers == [ben.local.id] }
                }
                try await world.until { anna.connectedPeers.isEmpty }
            }
            #expect(answers.withLock { $0 } == 2)
            person.cancel()
        }
    }

    @Test func aStrangerThatCrashedIsAskedAboutAgain() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.session("anna", Settings { $0.admission = .ask(comparing: nil) }) { anna in
            let invitations = try anna.invitations()
            let digits = Locked<[PairingDigits?]>([])
            let person = Task {
                for await invitation in invitations {
                    digits.withLock { $0.append(invitation.digits) }
                    try? await invitation.accept(.same)
                }
            }
            for _ in 0..<2 {
                try await world.session(
                    "ben",
                    Settings {
                        $0.admission = .ask { _, _ in .same }
                    }
                ) { ben in
                    _ = try await world.whileTimePasses { try await ben.invite(at: [world.address(of: anna)]) }
                    network.cut("anna", "ben", silently: true)
                }
            }
            #expect(digits.withLock { $0.count { $0 != nil } } == 2)
            person.cancel()
        }
    }

    @Test func aStreamSurvivesABreak() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.linked { anna, ben in
            let streams = try anna.streams()
            let stream = try await ben.openStream(named: "log", to: anna.local.id)
            let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
            let writer = Task {
                try await stream.write(bytes)
                stream.finish()
            }
            var iterator = streams.makeAsyncIterator()
            let incoming = try #require(await iterator.next())
            let received = Locked(Data())
            let reader = Task {
                for try await piece in incoming.bytes {
                    let count = received.withLock {
                        $0 += piece
                        return $0.count
                    }
                    if count < 200_000 { network.cut("anna", "ben") }
                }
            }
            try await world.until { received.withLock { $0.count } == bytes.count }
            #expect(received.withLock { $0 } == bytes)
            try await writer.value
            try await reader.value
            _ = stream
        }
    }
}

/// The states and events of a session, by name.
final class StateLog: Sendable {
    private let log = Locked<[String]>([])

    var names: [String] { log.withLock { $0 } }

    init(_ session: PeerSession) {
        let events = session.events()
        let log = log
        Task {
            for await event in events {
                switch event {
                case .changed(let peer, _): log.withLock { $0.append(peer.state.name) }
                case .returned: log.withLock { $0.append("returned") }
                case .notUnderstood(let message, let version, _): log.withLock { $0.append("\(message) \(version)") }
                case .unread(let message, _): log.withLock { $0.append("unread \(message)") }
                case .announcement, .discoveryFailed, .refused, .linksChanged: break
                }
            }
        }
    }
}

extension PeerState {
    var name: String {
        switch self {
        case .connecting: "connecting"
        case .connected: "connected"
        case .reconnecting: "reconnecting"
        case .unreachable: "unreachable"
        case .disconnected: "disconnected"
        }
    }
}

extension SessionPeer {
    var isReconnecting: Bool { state.name == "reconnecting" }
    var isUnreachable: Bool { state.name == "unreachable" }
}

extension SessionHub {
    /// Forgets that a peer is in the group.
    fileprivate func loseMember(_ id: PeerID) { roster.forget(id, at: clock.now) }
}
