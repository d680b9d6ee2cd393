import FoundationEssentials
import Logging
import NearbyPeers
import PeerCore
import PeerTestSupport
import PeerTesting
import Testing

/// What a person at the inviting side is asked, and for how long.
@Suite(.timeLimit(.minutes(10))) struct QuestionTests {
    @Test(arguments: World.Kind.allCases)
    func aQuestionIsTakenBackWhenTheOtherPersonSaysNo(_ kind: World.Kind) async throws {
        let world = World(kind)
        let log = Locked<[String]>([])
        try await world.session("anna", Settings { $0.admission = .ask(comparing: nil) }) { anna in
            let invitations = try anna.invitations()
            let settings = Settings {
                $0.admission = .ask { _, _ in
                    log.withLock { $0.append("asked") }
                    await untilCancelled()
                    log.withLock { $0.append("taken back") }
                    return .same
                }
            }
            try await world.session("ben", settings) { ben in
                let address = try await world.address(of: anna)
                let invitation = Task {
                    await failure { () async throws(PeerError) in _ = try await ben.invite(at: [address]) }
                }
                var iterator = invitations.makeAsyncIterator()
                let question = try #require(await iterator.next())
                try await world.until { log.value == ["asked"] }
                await question.decline("Not you.")
                #expect(await invitation.value?.message == "Not you.")
                try await world.until { log.value == ["asked", "taken back"] }
                #expect(ben.connectedPeers.isEmpty)
            }
        }
    }

    @Test func anInvitationWhoseConnectionBreaksComesAgain() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.session("anna", Settings { $0.admission = .ask(comparing: nil) }) { anna in
            let invitations = try anna.invitations()
            let settings = Settings {
                $0.admission = .ask { _, _ in .same }
            }
            try await world.session("ben", settings) { ben in
                let address = try await world.address(of: anna)
                let invitation = Task {
                    try await ben.invite(at: [address], context: Data([7]), timeout: .seconds(60))
                }
                var iterator = invitations.makeAsyncIterator()
                let first = try #require(await iterator.next())
                network.cut("anna", "ben")
                let next = try await world.whileTimePasses {
                    var iterator = invitations.makeAsyncIterator()
                    return await iterator.next()
                }
                let second = try #require(next)
                await first.withdrawal()
                #expect(second.context == Data([7]))
                #expect(second.digits != nil && second.digits != first.digits)
                await #expect(throws: PeerError.self) { try await first.accept(.same) }
                try await second.accept(.same)
                #expect(try await invitation.value == anna.local.id)
                #expect(anna.connectedPeers == [ben.local.id])
            }
        }
    }

    /// The person answers the question, or invites the peer, which says yes as well.
    @Test(arguments: [false, true]) func aQuestionLastsUntilItIsAnswered(inAnotherWay: Bool) async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        let settings = Settings {
            $0.admission = .ask { _, _ in .same }
        }
        try await world.session("anna", settings) { anna in
            let invitations = try anna.invitations()
            try await world.session("ben", settings) { ben in
                let address = try await world.address(of: anna)
                let inviting = Task(executorPreference: network.executor) {
                    try await ben.invite(at: [address], timeout: .seconds(60))
                }
                var iterator = invitations.makeAsyncIterator()
                let invitation = try #require(await iterator.next())
                let isOver = Locked(false)
                let waiting = Self.waiting(for: invitation, on: network, isOver)
                await network.clock.advance(by: .seconds(5))
                #expect(!isOver.value)
                if inAnotherWay {
                    try await anna.invite(at: [world.address(of: ben)])
                } else {
                    try await invitation.accept(.same)
                }
                try await world.until { isOver.value }
                #expect(try await inviting.value == anna.local.id)
                #expect(anna.connectedPeers == [ben.local.id])
                await waiting.value
            }
        }
    }

    /// Waits for the end of an invitation, and notes it.
    private static func waiting(
        for invitation: IncomingInvitation,
        on network: InMemoryNetwork,
        _ isOver: Locked<Bool>
    ) -> Task<Void, Never> {
        Task(executorPreference: network.executor) {
            await invitation.withdrawal()
            isOver.withLock { $0 = true }
        }
    }

    private enum Answer: CaseIterable, Sendable {
        case same
        case no
        case none
    }

    /// Dan, whom both know, introduces them to each other while Ben is asked about Anna.
    @Test(arguments: Answer.allCases) private func anIntroductionLeavesAQuestionOpen(_ answer: Answer) async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        let asked = Locked<[String]>([])
        @Sendable func settings(_ name: String) -> Settings {
            Settings { configuration in
                configuration.admission = .ask { _, _ in
                    asked.withLock { $0.append(name) }
                    return .same
                }
            }
        }
        try await world.session("dan", settings("dan")) { dan in
            let link = try await dan.makeShareLink()
            try await world.session("anna", settings("anna")) { anna in
                try await anna.join(link)
                try await world.session("ben", settings("ben")) { ben in
                    let invitations = try ben.invitations()
                    let address = try await world.address(of: ben)
                    let inviting = Task(executorPreference: network.executor) { try await anna.invite(at: [address]) }
                    var iterator = invitations.makeAsyncIterator()
                    let invitation = try #require(await iterator.next())
                    let isOver = Locked(false)
                    let waiting = Self.waiting(for: invitation, on: network, isOver)
                    try await ben.join(link)
                    try await world.until { ben.peer(anna.local.id)?.introducer == dan.local.id }
                    await network.clock.advance(by: .seconds(5))
                    #expect(!isOver.value && asked.value == ["anna"])
                    switch answer {
                    case .same:
                        try await invitation.accept(.same)
                        #expect(try await inviting.value == ben.local.id)
                        #expect(ben.peer(anna.local.id)?.isVerified == true)
                    case .no:
                        await invitation.decline("Not now.")
                        await #expect(throws: PeerError.self) { _ = try await inviting.value }
                        await network.clock.advance(by: .seconds(180))
                        #expect(!ben.connectedPeers.contains(anna.local.id) && asked.value == ["anna"])
                        // Another invitation is another question.
                        let again = Task(executorPreference: network.executor) { try await anna.invite(at: [address]) }
                        let next = try await world.whileTimePasses {
                            var iterator = invitations.makeAsyncIterator()
                            return await iterator.next()
                        }
                        try await #require(next).accept(.same)
                        #expect(try await again.value == ben.local.id)
                        asked.withLock { #expect($0.popLast() == "anna") }
                    case .none:
                        let error = await #expect(throws: PeerError.self) {
                            _ = try await world.whileTimePasses { try await inviting.value }
                        }
                        #expect(error?.code == .timedOut)
                        // Then they are linked as members, whom nobody is asked about.
                        try await world.until(limit: .seconds(120)) { ben.connectedPeers.contains(anna.local.id) }
                        #expect(ben.peer(anna.local.id)?.isVerified == false)
                    }
                    #expect(asked.value == ["anna"])
                    try await world.until { isOver.value }
                    await waiting.value
                }
            }
        }
    }

    /// An attempt before has failed for a reason that passes, and the person's no counts more.
    @Test func aNoToDigitsEndsTheInvitationWhateverHasFailedBefore() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        let (asked, failures) = (Locked(0), Locked(0))
        try await world.session("anna", Settings { $0.admission = .ask(comparing: nil) }) { anna in
            let invitations = try anna.invitations()
            let settings = Settings {
                $0.logger = Logger(label: "ben") { _ in CountingLog(message: "attempt failed", count: failures) }
                $0.admission = .ask { _, _ in
                    let isFirst = asked.withLock { count in
                        count += 1
                        return count == 1
                    }
                    if isFirst { await untilCancelled() }
                    return .different
                }
            }
            try await world.session("ben", settings) { ben in
                let address = try await world.address(of: anna)
                let invitation = Task(executorPreference: network.executor) {
                    await failure { () async throws(PeerError) in
                        _ = try await ben.invite(at: [address], timeout: .seconds(600))
                    }
                }
                try await world.until { asked.value == 1 }
                network.block(from: "ben", to: "anna")
                network.cut("anna", "ben")
                try await world.until { failures.value == 1 }
                network.heal()
                let error = try await world.whileTimePasses { await invitation.value }
                #expect(error?.code == .notTrusted)
                await network.clock.advance(by: .seconds(60))
                #expect(asked.value == 2)
            }
            withExtendedLifetime(invitations) {}
        }
    }

    @Test func whoSaysThatTheDigitsDifferIsNotAskedAgainAndAgain() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        let count = Locked(0)
        try await world.session("anna", Settings { $0.admission = .ask(comparing: nil) }) { anna in
            let invitations = try anna.invitations()
            let settings = Settings {
                $0.invites = .everyoneFound
                $0.admission = .ask { _, _ in
                    count.withLock { $0 += 1 }
                    return .different
                }
            }
            try await world.session("ben", settings) { ben in
                // The clock waits for what runs on the network's executor.
                let announcement = Task(executorPreference: network.executor) { try? await anna.advertise() }
                let reader = Task(executorPreference: network.executor) { for await _ in invitations {} }
                try await world.until { ben.peer(anna.local.id)?.isRefused == true }
                let asked = count.value
                await network.clock.advance(by: .seconds(60))
                #expect(count.value == asked)
                announcement.cancel()
                await announcement.value
                // A peer that appears anew may have been told to try again.
                let again = Task(executorPreference: network.executor) { try? await anna.advertise() }
                try await world.until { count.value > asked }
                again.cancel()
                reader.cancel()
            }
        }
    }
}

extension SessionPeer {
    /// Whether it is not connected because digits were different.
    fileprivate var isRefused: Bool {
        if case .disconnected(.failed(let error)) = state { error.code == .notTrusted } else { false }
    }
}

/// Waits until the task is cancelled.
private func untilCancelled() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    for await _ in stream {}
    continuation.finish()
}
