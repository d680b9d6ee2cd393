package import NIOCore

/// The streams of a link: how much each may carry, and which one sends next.
///
/// The machine holds the data that waits in both directions: bytes that the application has written and that have not become
/// records yet, and bytes that have arrived and that the application has not read. ``LinkLimits`` bounds them.
/// (Links, "Streams".)
package struct MuxStateMachine: Sendable {
    /// What to do when the other side opens a stream.
    package enum OnReceivedOpen: Equatable, Sendable {
        /// Offer the stream to the application: it accepts or cancels it.
        case offer(StreamOpening)
        /// Nothing: the stream was refused.
        case refuse
        /// Nothing: it is for requests.
        case none
        /// End the link and tell the peer.
        case violated(ProtocolError)
    }

    /// What to do about bytes from the other side.
    package enum OnReceivedBytes: Equatable, Sendable {
        /// Let the application read the stream.
        case readable
        /// This has happened to requests.
        case requests([RequestEvent])
        /// Nothing: this side has cancelled the stream, or a request is incomplete.
        case none
        /// End the link and tell the peer.
        case violated(ProtocolError)
    }

    /// What to do when the other side ends a stream.
    package enum OnReceivedEnd: Equatable, Sendable {
        /// Tell the reader that nothing more arrives.
        case finished
        /// Tell the application that the stream has ended in both directions; unread data is dropped.
        case cancelled
        /// Nothing: the stream has ended before.
        case none
        /// End the link and tell the peer.
        case violated(ProtocolError)
    }

    /// What to do about credits.
    package enum OnReceivedCredit: Equatable, Sendable {
        /// Take a burst.
        case ready
        /// End the link and tell the peer.
        case violated(ProtocolError)
    }

    /// What to do when this side wants a stream.
    package enum OnOpen: Hashable, Sendable {
        /// Use the stream with this number.
        case use(UInt32)
        /// Try again when a stream has ended: the maximum number is open.
        case full
        /// Fail: the name or the metadata are not allowed, or the link has ended.
        case refuse
    }

    /// What to do when this side writes.
    package enum OnWrite: Hashable, Sendable {
        /// Nothing: the stream sends it.
        case queued
        /// Try again after a burst: the outbox is full.
        case full
        /// Fail: the message is longer than the other side accepts.
        case tooLong
        /// Fail: the stream has ended.
        case refuse
    }

    // The number after it still fits into 32 bits.
    static let maximumNumber = UInt32.max - 2

    let limits: LinkLimits
    /// What the other side allows.
    package let peer: PeerAllowance
    let hasEvenNumbers: Bool

    var streams = StreamTable()
    /// The next number of this side, and the last one of the other.
    var nextNumber: UInt32
    var lastPeerNumber: UInt32 = 0
    /// The streams that this side has cancelled, the oldest first.
    var endedHere = CircularBuffer<UInt32>(initialCapacity: 0)
    /// The requests of both sides.
    var requests = RequestTable()
    /// The sum of all windows of streams of bytes.
    var windowTotal = 0
    /// Openings, ends and notices that wait to be sent.
    var control = CircularBuffer<Control>(initialCapacity: 0)
    /// The streams that have something to send, in order.
    var rotation = CircularBuffer<UInt32>(initialCapacity: 0)
    /// The streams whose limit has to be told to the other side, in order.
    var credits = CircularBuffer<UInt32>(initialCapacity: 0)
    var outgoingDroppables: DroppableQueue
    var incomingDroppables: DroppableQueue
    /// How many more bytes of droppable messages than of records were sent recently.
    var droppableLead = 0
    var isAttached = false
    var hasEnded = false

    /// A record that waits to be sent, and its stream.
    struct Control: Sendable {
        var record: Record
        var stream: UInt32?
    }

    /// What the other side allows.
    package struct PeerAllowance: Hashable, Sendable {
        /// How many bytes a stream of bytes may carry before its first credit.
        package var window: Int
        /// The maximum length of a message.
        package var maximumMessageLength: Int

        package init(window: Int, maximumMessageLength: Int) {
            self.window = window
            self.maximumMessageLength = maximumMessageLength
        }
    }

    /// Creates the streams of a new link.
    ///
    /// - `hasEvenNumbers`: Whether this side's streams have even numbers, because its id is the smaller one.
    package init(hasEvenNumbers: Bool, limits: LinkLimits, peer: PeerAllowance) {
        self.hasEvenNumbers = hasEvenNumbers
        self.limits = limits
        self.peer = peer
        self.nextNumber = hasEvenNumbers ? 2 : 1
        self.outgoingDroppables = DroppableQueue(maximumLength: limits.maximumDroppableLength)
        self.incomingDroppables = DroppableQueue(maximumLength: limits.maximumDroppableLength)
    }

    /// The memory of all unread data.
    package var heldLength: Int {
        streams.numbers.reduce(incomingDroppables.heldLength) { $0 + (streams[$1]?.heldLength ?? 0) }
    }

    /// The number of bytes that wait to become records.
    package var outgoingLength: Int { streams.numbers.reduce(0) { $0 + (streams[$1]?.outgoing.count ?? 0) } }

    /// Whether data waits to become records.
    package var hasOutgoing: Bool {
        !control.isEmpty || streams.numbers.contains { streams[$0]?.outgoing.isEmpty == false }
    }

    /// Whether a stream has an unread complete message.
    package func hasMessage(_ stream: UInt32) -> Bool {
        streams[stream].map { $0.kind == .messages && $0.framing.wholeCount > 0 } ?? false
    }

    /// Whether nothing more arrives on a stream, and everything was read.
    package func hasReceivedAll(_ stream: UInt32) -> Bool { streams[stream]?.hasReceivedAll ?? true }

    /// How much of the limits for streams is used.
    package struct Occupied: Hashable, Sendable {
        var streamCount: Int
        var windowTotal: Int

        /// Whether there may be room for a stream that found none before.
        package func isLess(than other: Occupied) -> Bool {
            streamCount < other.streamCount || windowTotal < other.windowTotal
        }
    }

    /// How much of the limits for streams is used now.
    package var occupied: Occupied { Occupied(streamCount: streams.count, windowTotal: windowTotal) }

    /// Opens a stream of messages or of bytes.
    package mutating func open(
        _ kind: StreamOpening.Kind,
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
        guard !hasEnded, opening.isValid, !kind.isForRequests else { return .refuse }
        let window = makeStream(opening, isOpenedHere: true).budgetedWindow
        // Usually so few streams are open that counting those of one side is not necessary.
        guard
            streams.count < limits.maximumStreamCount
                || streams.numbers.count(where: isOwn) < limits.maximumStreamCount,
            hasRoom(for: window), nextNumber < Self.maximumNumber, control.count < limits.maximumControlCount
        else { return .full }
        nextNumber += 2
        windowTotal += window
        streams.add(opening.stream, makeStream(opening, isOpenedHere: true))
        control.append(Control(record: Record(.open, payload: opening.encoded()), stream: opening.stream))
        return .use(opening.stream)
    }

    /// Creates a stream with the windows of its kind.
    func makeStream(_ opening: StreamOpening, isOpenedHere: Bool) -> LinkStream {
        let (window, sendLimit) =
            switch opening.kind {
            case .messages, .longRequests:
                (limits.messageWindow, LinkLimits.messageWindow(for: peer.maximumMessageLength))
            case .requests: (LinkLimits.shortRequestWindow, LinkLimits.shortRequestWindow)
            case .bytes: (limits.firstWindow, peer.window)
            }
        return LinkStream(
            opening,
            isOpenedHere: isOpenedHere,
            window: window,
            sendLimit: sendLimit,
            maximumMessageLength: limits.maximumMessageLength
        )
    }

    /// Writes bytes to a stream of bytes.
    package mutating func write(_ bytes: ByteBuffer, to stream: UInt32) -> OnWrite {
        guard !hasEnded, let waiting = streams[stream]?.waitingLength, let credit = streams[stream]?.credit else {
            return .refuse
        }
        let maximum = max(limits.maximumQueueLength, min(credit, limits.longestQueueLength))
        guard waiting == 0 || bytes.readableBytes <= maximum - waiting else { return .full }
        return queue(bytes, stream)
    }

    /// Writes a message to a stream of messages.
    package mutating func write(_ message: Message, to stream: UInt32) -> OnWrite {
        message.payload.withUnsafeReadableBytes { write(message.form, $0, to: stream) }
    }

    /// Writes a message to a stream of messages.
    package mutating func write(
        _ form: Message.Form,
        _ payload: UnsafeRawBufferPointer,
        to stream: UInt32
    ) -> OnWrite {
        guard !hasEnded else { return .refuse }
        let isTooLong = payload.count > peer.maximumMessageLength
        // One lookup: this runs for each message.
        guard
            let outcome = streams[stream]?
                .offer(form, payload, isTooLong: isTooLong, atMost: limits.maximumOutboxLength)
        else { return .refuse }
        if outcome.joinsRotation { rotation.append(stream) }
        return outcome.onWrite
    }

    /// Whether a message has to wait until more of its stream was sent.
    package func isFull(for form: Message.Form, _ payloadLength: Int, on stream: UInt32) -> Bool {
        streams[stream]?.hasRoom(for: MessageFraming.length(form, payloadLength), atMost: limits.maximumOutboxLength)
            == false
    }

    /// Ends this side's direction of a stream after everything that waits has been sent.
    package mutating func finish(_ stream: UInt32) {
        streams[stream]?.finish()
        schedule(stream)
    }

    /// Whether there is room for the records of all members.
    package var hasControlRoom: Bool { control.count <= limits.maximumControlCount - MemberRecord.maximumMemberCount }

    /// Whether records of members wait to be sent.
    package var hasMembers: Bool { control.contains { $0.record.kind == .members } }

    /// Sends a notice about a resource, or records of members, before everything that waits on streams.
    package mutating func send(_ record: Record) -> OnWrite {
        guard !hasEnded, record.kind == .resource || record.kind == .members else { return .refuse }
        guard control.count < limits.maximumControlCount else { return .full }
        control.append(Control(record: record, stream: nil))
        return .queued
    }

    /// Cancels a stream in both directions, or refuses it; data that waits is dropped.
    package mutating func cancel(_ stream: UInt32, code: StreamEnd.Code = .cancelled, reason: String = "") {
        guard !hasEnded, streams[stream] != nil, code != .finished else { return }
        remove(stream)
        endHere(stream, code, reason)
    }

    /// The link has ended: all data that waits is dropped.
    package mutating func end() {
        self = MuxStateMachine(hasEvenNumbers: hasEvenNumbers, limits: limits, peer: peer)
        hasEnded = true
    }

    private mutating func queue(_ bytes: ByteBuffer, _ stream: UInt32) -> OnWrite {
        streams[stream]?.write(bytes)
        schedule(stream)
        return .queued
    }
}
