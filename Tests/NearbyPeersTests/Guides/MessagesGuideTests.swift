import FoundationEssentials
import NearbyPeers
import PeerTesting
import Testing

/// The examples of the guide "Sending messages".
@Suite(.timeLimit(.minutes(10))) struct MessagesGuideTests {
    private let chat = Chat()

    @Test func messagesArriveInOrderAndOnce() async throws {
        try await chat.connected { anna, ben in
            let lines = try anna.messages(of: ChatLine.self)
            try await ben.send(ChatLine(text: "one")).get()
            chat.network.cut("anna", "ben")
            try await ben.send(ChatLine(text: "two")).get()
            try await chat.network.clock.advance { try await ben.flush(to: anna.local.id) }
            var iterator = lines.makeAsyncIterator()
            #expect(await iterator.next()?.message.text == "one")
            #expect(await iterator.next()?.message.text == "two")
            try await ben.send(ChatLine(text: "three")).get()
            #expect(await iterator.next()?.message.text == "three")
        }
    }

    @Test func theResultSaysWhoGetsIt() async throws {
        try await chat.connected { anna, ben in
            let stranger = try chat.network.local("carla", application: ben.local.application).id
            let result = try await ben.send(ChatLine(text: "hello"), to: [anna.local.id, stranger])
            #expect(result.taken == [anna.local.id])
            #expect(result.missed[stranger]?.code == .notConnected)
            #expect(throws: PeerError.self) { try result.get() }
            try await ben.send(ChatLine(text: "Hello"), to: anna.local.id)
            await #expect(throws: PeerError.self) { try await ben.send(ChatLine(text: "Hello"), to: stranger) }
        }
    }

    @Test func aPeerThatIsAwayHoldsUpNobody() async throws {
        try await chat.session("anna") { anna in
            try await chat.session("ben", .set(\.buffers.outboxLength, 1000)) { ben in
                try await chat.meet(ben, anna)
                chat.network.partition([["anna"], ["ben"]])
                try await chat.network.clock.advance(until: { ben.peer(anna.local.id)?.state != .connected })
                let line = ChatLine(text: String(repeating: "x", count: 600))
                var missed: PeerError?
                for _ in 0..<1000 where missed == nil {
                    missed = try await ben.send(line).missed[anna.local.id]
                }
                #expect(missed?.code == .notConnected)
            }
        }
    }

    @Test func channelsDoNotWaitForOneAnother() async throws {
        try await chat.connected { anna, ben in
            let side = try MessageChannel(validating: "side")
            let lines = try anna.messages(of: ChatLine.self)
            let moves = try anna.messages(of: PointerMoved.self, on: side)
            try await ben.send(ChatLine(text: "first")).get()
            try await ben.send(PointerMoved(x: 1), to: anna.local.id, on: side)
            var iterator = moves.makeAsyncIterator()
            #expect(await iterator.next()?.message.x == 1)
            _ = lines
        }
    }

    @Test func aDroppableMessageArrivesOrNot() async throws {
        try await chat.connected { anna, ben in
            let moves = try anna.messages(of: PointerMoved.self)
            let result = try await ben.send(PointerMoved(x: 2), mode: .droppable(key: "pointer"))
            #expect(result.taken == [anna.local.id])
            var iterator = moves.makeAsyncIterator()
            #expect(await iterator.next()?.message.x == 2)
        }
    }

    @Test func aDroppableMessageIsNotKeptForAPeerThatIsAway() async throws {
        try await chat.connected { anna, ben in
            chat.network.partition([["anna"], ["ben"]])
            try await chat.network.clock.advance(until: { ben.peer(anna.local.id)?.state != .connected })
            let result = try await ben.send(PointerMoved(x: 3), mode: .droppable())
            #expect(result.taken.isEmpty)
        }
    }

    @Test func messagesThatNobodyReadsAreDiscardedAndReported() async throws {
        try await chat.connected { anna, ben in
            let log = EventLog(anna)
            try await ben.send(ChatLine(text: "is anybody there?")).get()
            try await chat.network.clock.advance(until: { log.texts.contains("unread chat.line") })
            let lines = try anna.messages(of: ChatLine.self)
            try await ben.send(ChatLine(text: "now?")).get()
            var iterator = lines.makeAsyncIterator()
            #expect(await iterator.next()?.message.text == "now?")
        }
    }

    @Test func aMessageInANewerVersionIsNotSent() async throws {
        try await chat.session("anna") { anna in
            try await chat.session("ben", .set(\.messages, [NewChatLine.self])) { ben in
                try await chat.meet(ben, anna)
                #expect(!ben.understands(NewChatLine.self, at: anna.local.id))
                let result = try await ben.send(NewChatLine(text: "hello", color: "red"))
                #expect(result.missed[anna.local.id]?.code == .unsupportedVersion)
            }
        }
    }

    @Test func aMessageThatThePeerDoesNotKnowIsNotSent() async throws {
        try await chat.session("anna") { anna in
            try await chat.session("ben") { ben in
                try await chat.meet(ben, anna)
                let result = try await ben.send(Unheard())
                #expect(result.missed[anna.local.id]?.code == .notUnderstood)
            }
        }
    }

    @Test func aMessageThatIsTooLongIsNotSent() async throws {
        try await chat.connected { anna, ben in
            let result = try await ben.send(Data(repeating: 1, count: 1024 * 1024 + 1))
            #expect(result.missed[anna.local.id]?.code == .invalidArgument)
        }
    }
}

/// A line as a newer program writes it.
private struct NewChatLine: PeerMessage {
    static let messageName = "chat.line"
    static let messageVersion = 2
    var text: String
    var color: String
}

private struct Unheard: PeerMessage {
    static let messageName = "unheard"
}
