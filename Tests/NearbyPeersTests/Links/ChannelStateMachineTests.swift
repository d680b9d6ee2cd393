import NIOCore
import PeerProtocol
import PeerTestSupport
import Testing

@testable import NearbyPeers

/// Every event of a channel in every state.
@Suite struct ChannelStateMachineTests {
    /// A channel whose first stream is 2 and whose second one is 4; what waits is for the reader of lines.
    enum State: CaseIterable {
        case unused
        /// A stream without a complete message.
        case open
        case waiting
        case held
        /// The only stream has ended, with unread messages.
        case finished
        /// The first stream is held and has ended; the second one is open.
        case reopened
        /// Only a droppable message waits.
        case droppable
        /// A droppable message and one on the stream wait.
        case both

        var machine: ChannelStateMachine {
            var machine = ChannelStateMachine()
            if self != .unused, self != .droppable { _ = machine.opened(2) }
            if [.waiting, .held, .finished, .reopened, .both].contains(self) {
                _ = machine.found(for: line, hasReader: true)
            }
            if [.held, .reopened].contains(self) {
                _ = machine.take(for: line)
                machine.tookAhead(of: 2)
            }
            if [.finished, .reopened].contains(self) { machine.ended(2, isCancelled: false) }
            if self == .reopened { _ = machine.opened(4) }
            if [.droppable, .both].contains(self) { _ = machine.foundDroppable(message, hasReader: true) }
            return machine
        }
    }

    private static let line = LinkName("line")
    private static let message = Message(
        LinkName("line").map { .json($0, version: 1) } ?? .bytes,
        payload: ByteBuffer(string: "{}")
    )

    /// Performs an event in every state.
    ///
    /// Where no change is given, it returns `none` and changes nothing.
    private func check<Action: Equatable>(
        none: Action,
        _ changes: [State: (action: Action, change: (inout Expected) -> Void)],
        _ event: (inout ChannelStateMachine) -> Action,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for state in State.allCases {
            var machine = state.machine
            var expected = Expected(machine)
            changes[state]?.change(&expected)
            let action = event(&machine)
            #expect(action == changes[state]?.action ?? none, "\(state)", sourceLocation: sourceLocation)
            #expect(Expected(machine) == expected, "\(state)", sourceLocation: sourceLocation)
        }
    }

    /// What can be seen of a channel.
    private struct Expected: Equatable {
        var streams: [UInt32]
        var front: ChannelStateMachine.Front
        var hasDroppable: Bool
        var announced: Set<LinkName?>

        init(_ machine: ChannelStateMachine) {
            streams = machine.streams
            front = machine.front
            hasDroppable = machine.droppable != nil
            announced = machine.announced
        }
    }

    @Test func aStreamIsRefusedWhileAnotherMayCarryMore() {
        check(
            none: .refuse,
            [
                .unused: (.accept, { $0.streams = [6] }),
                .finished: (.accept, { $0.streams = [2, 6] }),
                .droppable: (.accept, { $0.streams = [6] }),
            ]
        ) { $0.opened(6) }
    }

    @Test func whatIsUnreadOnAFinishedStreamStays() {
        check(none: true, [:]) { machine in
            machine.ended(2, isCancelled: false)
            return true
        }
        for state in [State.open, .waiting, .held, .both] {
            var machine = state.machine
            machine.ended(2, isCancelled: false)
            let action = machine.opened(4)
            #expect(action == .accept, "\(state)")
        }
        // The end of an earlier stream says nothing of a later one.
        var machine = State.reopened.machine
        machine.ended(2, isCancelled: false)
        let action = machine.opened(6)
        #expect(action == .refuse)
    }

    @Test func aCancelledStreamIsForgottenWithItsMessages() {
        let forgotten: (inout Expected) -> Void = {
            $0.streams.removeFirst()
            $0.front = .open
        }
        check(
            none: true,
            [
                .open: (true, forgotten), .waiting: (true, forgotten), .held: (true, forgotten),
                .finished: (true, forgotten), .reopened: (true, forgotten), .both: (true, forgotten),
            ]
        ) { machine in
            machine.ended(2, isCancelled: true)
            return true
        }
    }

    @Test func aLaterStreamMayBeCancelledBeforeItsTurn() {
        var machine = State.reopened.machine
        machine.ended(4, isCancelled: true)
        #expect(machine.streams == [2] && machine.front == .held)
        let action = machine.opened(6)
        #expect(action == .accept)
    }

    @Test func aStreamThatIsReadIsForgottenOnItsTurn() {
        check(none: true, [.open: (true, { $0.streams = [] })]) { machine in
            machine.readAll(2)
            return true
        }
        var machine = State.reopened.machine
        machine.readAll(4)
        #expect(machine.streams == [2, 4])
        machine.receivedAhead(of: 2)
        machine.readAll(2)
        #expect(machine.nextStream == 4)
    }

    @Test func theNextMessageIsLookedAtWhenNoneWaits() {
        for state in State.allCases { #expect(state.machine.nextStream == (state == .open ? 2 : nil), "\(state)") }
    }

    @Test func aMessageIsAnnouncedToItsReader() {
        check(
            none: .none,
            [
                .open: (
                    .announce,
                    {
                        $0.front = .waiting(Self.line)
                        $0.announced = [Self.line]
                    }
                )
            ]
        ) { $0.found(for: Self.line, hasReader: true) }
    }

    @Test func aMessageWithoutAReaderIsDiscarded() {
        check(none: .none, [.open: (.discard, { _ in })]) { $0.found(for: Self.line, hasReader: false) }
    }

    @Test func aReaderIsToldOnceUntilItComes() {
        var machine = State.waiting.machine
        for stream in UInt32(4)..<100 {
            machine.ended(stream - 1, isCancelled: true)
            machine.ended(2, isCancelled: true)
            _ = machine.opened(stream)
            let action = machine.found(for: Self.line, hasReader: true)
            #expect(action == .none && machine.announced.count == 1)
        }
        _ = machine.take(for: Self.line)
        let action = machine.found(for: Self.line, hasReader: true)
        #expect(action == .announce)
    }

    @Test func oneDroppableMessageWaits() {
        let waits: (inout Expected) -> Void = {
            $0.hasDroppable = true
            $0.announced = [Self.line]
        }
        check(
            none: .none,
            [
                .unused: (.announce, waits), .open: (.announce, waits), .held: (.announce, waits),
                .reopened: (.announce, waits),
                // The reader has been told of the message on the stream.
                .waiting: (.none, waits), .finished: (.none, waits),
            ]
        ) { $0.foundDroppable(Self.message, hasReader: true) }
    }

    @Test func aDroppableMessageWithoutAReaderIsDiscarded() {
        let discarded: (ChannelStateMachine.OnFound, (inout Expected) -> Void) = (.discard, { _ in })
        check(
            none: .none,
            [
                .unused: discarded, .open: discarded, .waiting: discarded, .held: discarded, .finished: discarded,
                .reopened: discarded,
            ]
        ) { $0.foundDroppable(Self.message, hasReader: false) }
    }

    @Test func onlyDroppableMessagesEndWithTheLink() {
        let ended: (inout Expected) -> Void = { $0.hasDroppable = false }
        check(none: true, [.droppable: (true, ended), .both: (true, ended)]) { machine in
            machine.linkEnded()
            return true
        }
    }

    @Test func aReaderGetsDroppableMessagesFirst() {
        let read: (inout Expected) -> Void = {
            $0.front = .open
            $0.announced = []
        }
        let dropped: (inout Expected) -> Void = {
            $0.hasDroppable = false
            $0.announced = []
        }
        check(
            none: .none,
            [
                .waiting: (.read(2), read), .finished: (.read(2), read),
                .droppable: (.droppable(Self.message), dropped), .both: (.droppable(Self.message), dropped),
            ]
        ) { $0.take(for: Self.line) }
    }

    @Test func anotherReaderGetsNothing() {
        check(none: .none, [:]) { $0.take(for: nil) }
        check(none: .none, [:]) { $0.take(for: LinkName("position")) }
    }

    @Test func whatFollowsTakenMessagesWaits() {
        check(none: true, [.open: (true, { $0.front = .held })]) { machine in
            machine.tookAhead(of: 2)
            return true
        }
    }

    @Test func theStreamContinuesWhenTheApplicationHasAllMessages() {
        let continued: (inout Expected) -> Void = { $0.front = .open }
        check(none: true, [.held: (true, continued), .reopened: (true, continued)]) { machine in
            machine.receivedAhead(of: 2)
            return true
        }
        // The stream was cancelled meanwhile, and a later one is held.
        var machine = State.reopened.machine
        machine.ended(2, isCancelled: true)
        machine.tookAhead(of: 4)
        machine.receivedAhead(of: 2)
        #expect(machine.front == .held)
    }

    @Test func aReaderWhoseQueueIsFullIsToldLater() {
        let withdrawn: (inout Expected) -> Void = { $0.announced = [] }
        let told: (ChannelStateMachine.OnFound, (inout Expected) -> Void) = (.announce, { _ in })
        check(
            none: true,
            [
                .waiting: (true, withdrawn), .finished: (true, withdrawn), .droppable: (true, withdrawn),
                .both: (true, withdrawn),
            ]
        ) { machine in
            machine.withdrawAnnouncement(to: Self.line)
            return true
        }
        check(none: .none, [.waiting: told, .finished: told, .droppable: told, .both: told]) { machine in
            machine.withdrawAnnouncement(to: Self.line)
            return machine.announceAgain(to: Self.line)
        }
        check(none: .none, [:]) { $0.announceAgain(to: Self.line) }
        check(none: .none, [:]) { $0.announceAgain(to: nil) }
    }

    @Test func whatWaitsIsFoundAgainWhenAReaderHasLeft() {
        let found: (inout Expected) -> Void = {
            if $0.front != .held { $0.front = .open }
            $0.hasDroppable = false
            $0.announced = []
        }
        check(
            none: nil,
            [
                .waiting: (nil, found), .finished: (nil, found), .droppable: (Self.message, found),
                .both: (Self.message, found),
            ]
        ) { $0.readerLeft() }
    }

    @Test func onlyAnUnusedChannelIsForgotten() {
        for state in State.allCases { #expect(state.machine.isUnused == (state == .unused), "\(state)") }
        // Its reader may still come for the message.
        var machine = State.waiting.machine
        machine.ended(2, isCancelled: true)
        #expect(!machine.isUnused)
        _ = machine.take(for: Self.line)
        #expect(machine.isUnused)
    }
}
