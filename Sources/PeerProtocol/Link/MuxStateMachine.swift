package import NIOCore

/// The streams of a link: what each may carry, and whose turn it is.
///
/// The machine holds what waits in both directions: bytes that the application has written and that have not become
/// records yet, and bytes that have come and that the application has not read. It is bounded by ``LinkLimits``.
/// (Links, "Streams".)
package struct MuxStateMachine: Sendable {
    /// What to do about an opening of the other side.
    package enum OnReceivedOpen: Equatable, Sendable {
        /// Offer the stream to the application: it accepts or cancels it.
        case offer(StreamOpening)
        /// Nothing: the stream was refused.
        case refuse
        /// End the link and tell the peer.
        case violated(ProtocolError)
    }

    /// What to do about bytes of the other side.
    package enum OnReceivedBytes: Equatable, Sendable {
        /// Let the application read the stream.
        case readable
        /// Nothing: the stream was given up here.
        case none
        /// End the link and tell the peer.
        case violated(ProtocolError)
    }

    /// What to do about an end of the other side.
    package enum OnReceivedEnd: Equatable, Sendable {
        /// Tell the reader that no more comes.
        case finished
        /// Tell the application that the stream is gone in both directions; what was not read is dropped.
        case cancelled
        /// Nothing: the stream has ended before.
        case none
        /// End the link and tell the peer.
        case violated(ProtocolError)
    }

    /// What to do about credits.
    package enum OnReceivedCredit: Equatable, Sendable {
        /// Take a turn.
        case ready
        /// End the link and tell the peer.
        case violated(ProtocolError)
    }

    /// What to do when this side wants a stream.
    package enum OnOpen: Hashable, Sendable {
        /// Use the stream with this number.
        case use(UInt32)
        /// Try again when a stream has ended: there are as many as there may be.
        case full
        /// Give it up: a name or metadata are not allowed, or the link has ended.
        case refuse
    }

    /// What to do when this side writes.
    package enum OnWrite: Hashable, Sendable {
        /// The stream has taken it.
        case queued
        /// Try again after a turn: too much waits.
        case full
        /// Give it up: the message is longer than the other side takes.
        case tooLong
        /// Give it up: the stream takes no more.
        case refuse
    }

    static let maximumNumber = UInt32.max - 2

    let limits: LinkLimits
    /// What the other side allows.
    package let peer: PeerAllowance
    let hasEvenNumbers: Bool

    var streams: [UInt32: LinkStream] = [:]
    /// The next number of this side, and the last one of the other.
    var nextNumber: UInt32
    var lastPeerNumber: UInt32 = 0
    /// The streams that were given up here, the oldest first.
    var endedHere = CircularBuffer<UInt32>(initialCapacity: 0)
    /// All windows of requests and bytes together.
    var windowTotal = 0
    /// The part of it that requests and answers have beyond their first window.
    var longTotal = 0
    /// The requests and answers that wait for a larger window, in order.
    var waitingForWindow: [UInt32] = []
    /// Openings, ends and notices that wait to be sent.
    var control = CircularBuffer<Control>(initialCapacity: 0)
    /// The streams that have something to send, in order.
    var turns = CircularBuffer<UInt32>(initialCapacity: 0)
    /// The streams whose credit is to be sent, in order.
    var credits = CircularBuffer<UInt32>(initialCapacity: 0)
    var outgoingDroppables: DroppableQueue
    var incomingDroppables: DroppableQueue
    /// How many more bytes of droppable messages than of records were sent lately.
    var droppableLead = 0
    var isAttached = false
    var hasEnded = false

    /// A record that waits, and the stream that it is about.
    struct Control: Sendable {
        var record: Record
        var stream: UInt32?
    }

    /// What the other side allows.
    package struct PeerAllowance: Hashable, Sendable {
        /// What a stream of requests or of bytes may carry before its first credit.
        package var window: Int
        /// The longest message that it takes.
        package var maximumMessageLength: Int

        /// Creates it.
        package init(window: Int, maximumMessageLength: Int) {
            self.window = window
            self.maximumMessageLength = maximumMessageLength
        }
    }

    /// Creates the streams of a new link.
    ///
    /// - Parameters:
    ///   - hasEvenNumbers: Whether this side's id is the smaller one; its streams have even numbers then.
    ///   - limits: What this side allows.
    ///   - peer: What the other side allows.
    package init(hasEvenNumbers: Bool, limits: LinkLimits, peer: PeerAllowance) {
        self.hasEvenNumbers = hasEvenNumbers
        self.limits = limits
        self.peer = peer
        self.nextNumber = hasEvenNumbers ? 2 : 1
        self.outgoingDroppables = DroppableQueue(maximumLength: limits.maximumDroppableLength)
        self.incomingDroppables = DroppableQueue(maximumLength: limits.maximumDroppableLength)
    }

    /// The memory of all that has come and was not read.
    package var heldLength: Int {
        streams.values.reduce(incomingDroppables.heldLength) { $0 + $1.incoming.heldLength }
    }

    /// Whether something waits that has not become a record yet.
    package var hasOutgoing: Bool {
        !control.isEmpty || streams.values.contains { !$0.outgoing.isEmpty }
    }

    /// Whether a message of a stream has come whole and was not read.
    package func hasMessage(_ stream: UInt32) -> Bool {
        streams[stream].map { $0.kind != .bytes && $0.framing.wholeCount > 0 } ?? false
    }

    /// Whether nothing more comes on a stream, and all of it was read.
    package func hasReceivedAll(_ stream: UInt32) -> Bool { streams[stream]?.hasReceivedAll ?? true }

    /// Whether more may come on a stream.
    package func mayReceive(_ stream: UInt32) -> Bool { streams[stream]?.hasReceivedEnd == false }

    /// The number of streams that are open.
    package var streamCount: Int { streams.count }

    /// What streams take of what there is for them.
    package struct Occupied: Hashable, Sendable {
        var streamCount: Int
        var windowTotal: Int
        var longTotal: Int

        /// Whether a stream may find room that did not before.
        package func isLess(than other: Occupied) -> Bool {
            streamCount < other.streamCount || windowTotal < other.windowTotal
                || windowTotal - longTotal < other.windowTotal - other.longTotal
        }
    }

    /// What streams take now.
    package var occupied: Occupied {
        Occupied(streamCount: streams.count, windowTotal: windowTotal, longTotal: longTotal)
    }

    /// Opens a stream.
    package mutating func open(
        _ kind: StreamKind,
        named name: String,
        metadata: ByteBuffer = ByteBuffer(),
        isOneWay: Bool? = nil
    ) -> OnOpen {
        let opening = StreamOpening(
            stream: nextNumber,
            kind: kind,
            isOneWay: isOneWay ?? (kind == .messages),
            name: name,
            metadata: metadata
        )
        guard !hasEnded, opening.isValid else { return .refuse }
        let window = opening.isOneWay ? 0 : limits.firstWindow
        // Most often there are so few streams that they need not be told apart.
        guard streams.count < limits.maximumStreamCount || streams.keys.count(where: isOwn) < limits.maximumStreamCount,
            hasRoom(for: window), nextNumber < Self.maximumNumber, control.count < limits.maximumControlCount
        else { return .full }
        nextNumber += 2
        windowTotal += window
        let sendLimit =
            kind == .messages ? LinkLimits.messageWindow(for: peer.maximumMessageLength) : peer.window
        streams[opening.stream] = LinkStream(
            opening,
            isOpenedHere: true,
            window: window,
            sendLimit: sendLimit,
            maximumMessageLength: limits.maximumMessageLength
        )
        control.append(Control(record: Record(.open, payload: opening.encoded()), stream: opening.stream))
        return .use(opening.stream)
    }

    /// Writes bytes to a stream of bytes.
    package mutating func write(_ bytes: ByteBuffer, to stream: UInt32) -> OnWrite {
        guard let waiting = waitingLength(stream, isOfBytes: true) else { return .refuse }
        guard waiting == 0 || bytes.readableBytes <= limits.maximumQueueLength - waiting else { return .full }
        return queue(bytes, stream)
    }

    /// Writes a message to a stream of messages, or the one of a request or an answer.
    package mutating func write(_ message: Message, to stream: UInt32) -> OnWrite {
        guard let waiting = waitingLength(stream, isOfBytes: false) else { return .refuse }
        // Every message is offered to a peer that does not read, so checking for room must be cheap.
        let length = message.payload.readableBytes
        let room = limits.maximumOutboxLength - waiting
        if waiting > 0, length > room, length <= peer.maximumMessageLength { return .full }
        guard
            let bytes = try? MessageFraming.join(message, maximumPayloadLength: peer.maximumMessageLength)
        else { return .tooLong }
        guard waiting == 0 || bytes.readableBytes <= room else { return .full }
        return queue(bytes, stream)
    }

    /// Says that no more comes from this side on a stream; what waits is sent before.
    package mutating func finish(_ stream: UInt32) {
        streams[stream]?.finish()
        schedule(stream)
    }

    /// Whether all records of members find room.
    package var hasControlRoom: Bool { control.count <= limits.maximumControlCount - MemberRecord.maximumMemberCount }

    /// Whether records of members wait to be sent.
    package var hasMembers: Bool { control.contains { $0.record.kind == .members } }

    /// Sends a notice on a resource, or records of members, before everything that waits on streams.
    package mutating func send(_ record: Record) -> OnWrite {
        guard !hasEnded, record.kind == .resource || record.kind == .members else { return .refuse }
        guard control.count < limits.maximumControlCount else { return .full }
        control.append(Control(record: record, stream: nil))
        return .queued
    }

    /// Gives a stream up in both directions, or refuses it; what waits is dropped.
    package mutating func cancel(_ stream: UInt32, code: StreamEnd.Code = .cancelled, reason: String = "") {
        guard !hasEnded, streams[stream] != nil, code != .finished else { return }
        remove(stream)
        endHere(stream, code, reason)
    }

    /// The link has ended: nothing waits any more.
    package mutating func end() {
        self = MuxStateMachine(hasEvenNumbers: hasEvenNumbers, limits: limits, peer: peer)
        hasEnded = true
    }

    /// How much waits to be sent on a stream; nil if it takes nothing of this kind.
    ///
    /// No copy of the stream may live while the stream is changed: all that waits in it would be copied then.
    private func waitingLength(_ stream: UInt32, isOfBytes: Bool) -> Int? {
        guard !hasEnded, let state = streams[stream], (state.kind == .bytes) == isOfBytes, state.isWritable else {
            return nil
        }
        return state.outgoing.count
    }

    private mutating func queue(_ bytes: ByteBuffer, _ stream: UInt32) -> OnWrite {
        streams[stream]?.write(bytes)
        schedule(stream)
        return .queued
    }
}
