import NIOCore

/// One stream of a link: the data that waits in each direction, and how much each direction may carry.
///
/// All counts of bytes start when the stream is opened.
struct LinkStream: Sendable {
    /// The direction from here.
    private enum Sending {
        /// The application may write. Can become `finishing` or `ended`.
        case open
        /// What waits is sent, and then the end. Can become `ended`.
        case finishing
        /// Final. A stream of the other side in one direction begins here.
        case ended
    }

    private static let shortestBatch = 1024

    let kind: StreamOpening.Kind

    // The direction from here.
    private(set) var outgoing = ByteQueue()
    private(set) var sent: UInt64 = 0
    private(set) var sendLimit: UInt64
    private var sending: Sending
    /// Whether the stream waits for its turn.
    var isInRotation = false

    // The direction to here.
    private(set) var incoming = ByteQueue()
    private(set) var framing: MessageFraming
    /// The entries of a stream of requests; nil for every other one.
    private var entries: RequestFraming?
    /// How many bytes the next batch of messages has at most.
    private var batchLength = LinkLimits.maximumAheadLength
    private(set) var received: UInt64 = 0
    private var window: StreamWindow
    private(set) var hasReceivedEnd: Bool
    /// Whether a credit for the stream waits to be sent.
    var awaitsCredit = false
    /// Whether the application has taken the stream, or opened it.
    var isAccepted: Bool

    init(_ opening: StreamOpening, isOpenedHere: Bool, window: Int, sendLimit: Int, maximumMessageLength: Int) {
        let sends = isOpenedHere || !opening.isOneWay
        let receives = !isOpenedHere || !opening.isOneWay
        self.kind = opening.kind
        self.sendLimit = UInt64(clamping: sends ? sendLimit : 0)
        self.sending = sends ? .open : .ended
        self.framing = MessageFraming(maximumPayloadLength: maximumMessageLength)
        self.entries =
            switch opening.kind {
            case .requests: RequestFraming(isShort: true, maximumPayloadLength: maximumMessageLength)
            case .longRequests: RequestFraming(isShort: false, maximumPayloadLength: maximumMessageLength)
            case .messages, .bytes: nil
            }
        self.window = StreamWindow(receives ? window : 0)
        self.hasReceivedEnd = !receives
        self.isAccepted = isOpenedHere
    }

    /// Whether nothing more arrives, and everything was read.
    var hasReceivedAll: Bool { hasReceivedEnd && incoming.isEmpty }

    /// Whether both directions have ended, and everything was read.
    var isDone: Bool { sending == .ended && hasReceivedAll }

    // MARK: From here

    /// Whether bytes or the end can be sent.
    var canSend: Bool { sending != .ended && (outgoing.isEmpty ? sending == .finishing : sent < sendLimit) }

    /// How many bytes wait to be sent; nil if the application may write none.
    var waitingLength: Int? { sending == .open && kind == .bytes ? outgoing.count : nil }

    mutating func write(_ bytes: ByteBuffer) { outgoing.append(block: bytes) }

    /// Writes a message if there is room for it.
    ///
    /// - Returns: What became of it, and whether the stream has to be put into the rotation, which is noted.
    mutating func offer(
        _ form: Message.Form,
        _ payload: UnsafeRawBufferPointer,
        isTooLong: Bool,
        atMost maximum: Int
    ) -> (onWrite: MuxStateMachine.OnWrite, joinsRotation: Bool) {
        guard sending == .open, kind == .messages else { return (.refuse, false) }
        guard !isTooLong else { return (.tooLong, false) }
        let length = MessageFraming.length(form, payload.count)
        guard hasRoom(for: length, atMost: maximum) else { return (.full, false) }
        outgoing.append(length) { MessageFraming.write(form, payload, into: &$0) }
        return (.queued, joinRotation())
    }

    /// Whether so many more bytes may wait.
    func hasRoom(for length: Int, atMost maximum: Int) -> Bool {
        outgoing.isEmpty || length <= maximum - outgoing.count
    }

    /// Writes an entry of a stream of requests; returns whether the stream has to be put into the rotation, which is noted.
    mutating func writeEntry(_ length: Int, _ write: (inout ByteBuffer) -> Void) -> Bool {
        outgoing.append(length, write)
        return joinRotation()
    }

    /// How many bytes the stream will have carried from here when all that waits has been sent.
    var outgoingEnd: UInt64 { sent + UInt64(clamping: outgoing.count) }

    /// Notes that the stream waits for its turn; returns false if it does already, or has nothing to send.
    mutating func joinRotation() -> Bool {
        guard !isInRotation, canSend else { return false }
        isInRotation = true
        return true
    }

    mutating func finish() { if sending == .open { sending = .finishing } }

    mutating func sentEnd() { sending = .ended }

    /// How many more bytes the other side takes.
    var credit: Int { Int(clamping: sendLimit - sent) }

    /// The maximum number of bytes that can be sent at once.
    func sendable(atMost maximum: Int) -> Int { min(maximum, outgoing.wholeLength, credit) }

    /// Takes bytes to send, as many as ``sendable(atMost:)`` allows, behind the number of the stream and the head of their frame.
    mutating func take(_ count: Int, behind number: UInt32) -> ByteBuffer {
        let count = sendable(atMost: count)
        sent += UInt64(clamping: count)
        var payload: ByteBuffer
        if let block = outgoing.removeBlock(of: count, behind: StreamBytes.headLength) {
            payload = block
        } else {
            payload = StreamBytes.buffer(capacity: count)
            outgoing.moveFirst(count, into: &payload)
        }
        StreamBytes.writeHead(of: number, into: &payload)
        return payload
    }

    /// The other side allows more; a lower limit than before changes nothing.
    mutating func receivedCredit(_ limit: UInt64) { sendLimit = max(sendLimit, limit) }

    // MARK: To here

    /// Bytes have arrived.
    mutating func receive(_ bytes: ByteBuffer) throws(ProtocolError) {
        guard !hasReceivedEnd else {
            throw ProtocolError(.unexpectedFrame, "The other side sent bytes after the end of a stream.")
        }
        try checkWindow(bytes.readableBytes)
        if kind != .bytes {
            // After an error, only the messages before these bytes count.
            var framing = framing
            try framing.received(bytes)
            self.framing = framing
        }
        received += UInt64(clamping: bytes.readableBytes)
        if kind == .bytes { incoming.append(arrived: bytes) } else { incoming.append(bytes) }
    }

    /// Bytes of a stream of requests have arrived; returns the entries that are complete, and how long each is.
    mutating func receiveEntries(
        _ bytes: ByteBuffer
    ) throws(ProtocolError) -> [(entry: RequestEntry, length: Int)] {
        try checkWindow(bytes.readableBytes)
        received += UInt64(clamping: bytes.readableBytes)
        return try entries?.received(bytes) ?? []
    }

    /// Bytes of a stream of requests no longer take room.
    mutating func release(_ length: Int) {
        entries?.release(length)
        noteReading()
    }

    private func checkWindow(_ length: Int) throws(ProtocolError) {
        guard UInt64(clamping: length) <= window.limit - received else {
            throw ProtocolError(.limitExceeded, "The other side sent more bytes on a stream than it may.")
        }
    }

    /// The memory of bytes that were not read, or that belong to requests that are not over.
    var heldLength: Int {
        incoming.heldLength + (entries.map { $0.heldLength + Int(clamping: received - $0.released) } ?? 0)
    }

    /// The other side has ended its direction.
    mutating func receiveEnd() throws(ProtocolError) {
        guard !hasReceivedEnd else {
            throw ProtocolError(.unexpectedFrame, "The other side ended a stream twice.")
        }
        guard kind == .bytes || framing.isBetweenMessages else {
            throw ProtocolError(.invalidFrame, "The other side ended a stream in the middle of a message.")
        }
        hasReceivedEnd = true
    }

    /// The application reads bytes.
    mutating func readBytes(atMost count: Int) -> ByteBuffer {
        let bytes = incoming.removeFirst(count)
        noteReading()
        return bytes
    }

    /// The application reads bytes, perhaps fewer than there are, so that they need not be copied.
    mutating func readPiece(atMost count: Int) -> ByteBuffer {
        let bytes = incoming.removeBlock(atMost: count) ?? incoming.removeFirst(count)
        noteReading()
        return bytes
    }

    /// The form of the next message; nil if no message is complete.
    func nextForm() throws(ProtocolError) -> Message.Form? { try framing.nextForm(in: incoming) }

    /// The application reads a message; nil if no message is complete.
    mutating func readMessage() throws(ProtocolError) -> Message? {
        let message = try framing.cut(from: &incoming)
        noteReading()
        return message
    }

    /// The application reads a message, and following messages of the same form whose memory fits.
    mutating func readMessages(ahead memory: Int) throws(ProtocolError) -> MessageBatch? {
        // Buffers have a power of two of bytes, and a batch may share a block of the queue.
        let hasRoom = memory >= ByteQueue.blockLength
        let most = hasRoom ? min(batchLength, 1 << (Int.bitWidth - 1 - memory.leadingZeroBitCount)) : 0
        let batch = try framing.cutBatch(from: &incoming, atMost: most)
        noteReading()
        // If forms alternate, batches are short, and copying more than one batch each time would be a waste.
        let isShort = batch.map { $0.length < most / 4 && !incoming.isEmpty } ?? false
        batchLength = isShort ? max(Self.shortestBatch, most / 2) : min(LinkLimits.maximumAheadLength, batchLength * 2)
        return batch
    }

    /// Reading n bytes frees room for n more.
    private mutating func noteReading() { window.noteReading(upTo: read) }

    private var read: UInt64 { entries?.released ?? received - UInt64(clamping: incoming.count) }

    /// Whether the window should grow, because more than half of it was read within a round trip.
    mutating func isTooSmall(
        afterReading count: Int,
        at now: ContinuousClock.Instant,
        roundTrip: Duration
    ) -> Bool {
        window.isTooSmall(afterReading: count, at: now, roundTrip: roundTrip)
    }

    /// The window grows.
    mutating func grow(by length: Int) { window.grow(by: length, afterReading: read) }

    /// Takes the window away, and returns how much of the budget for windows it took.
    mutating func close() -> Int {
        defer { window.close() }
        return budgetedWindow
    }

    /// How much may arrive beyond what was read.
    var windowLength: Int { window.length }

    /// What the stream takes of the budget for windows.
    var budgetedWindow: Int { kind == .bytes ? window.length : 0 }

    /// How much may arrive in all.
    var receiveLimit: UInt64 { window.limit }

    /// Whether the other side does not know the limit yet, and may still send.
    var hasNews: Bool { !hasReceivedEnd && window.hasNews }

    /// Whether the other side should be told the limit at once.
    func isUrgent(_ length: Int) -> Bool { !hasReceivedEnd && window.isUrgent(length) }

    /// Whether the limit was ever raised.
    var wasRaised: Bool { !hasReceivedEnd && window.wasRaised }

    mutating func told() { window.told() }
}
