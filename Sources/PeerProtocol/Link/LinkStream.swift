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

    let kind: StreamKind

    // The direction from here.
    private(set) var outgoing = ByteQueue()
    private(set) var sent: UInt64 = 0
    private(set) var sendLimit: UInt64
    private var sending: Sending
    /// Whether the stream waits for its turn.
    var isInTurn = false

    // The direction to here.
    private(set) var incoming = ByteQueue()
    private(set) var framing: MessageFraming
    /// How many bytes the next batch of messages has at most.
    private var batchLength = LinkLimits.maximumAheadLength
    private(set) var received: UInt64 = 0
    private var window: StreamWindow
    private(set) var hasReceivedEnd: Bool
    /// Whether a credit for the stream waits to be sent.
    var awaitsCredit = false
    /// Whether the application has taken the stream, or opened it.
    var isAccepted: Bool

    /// Creates a stream.
    ///
    /// - Parameters:
    ///   - opening: How it was opened.
    ///   - isOpenedHere: Whether by this side.
    ///   - window: How much may arrive before the first credit.
    ///   - sendLimit: How much may be sent before the first credit.
    ///   - maximumMessageLength: The maximum length of a message that this side accepts.
    init(_ opening: StreamOpening, isOpenedHere: Bool, window: Int, sendLimit: Int, maximumMessageLength: Int) {
        let sends = isOpenedHere || !opening.isOneWay
        let receives = !isOpenedHere || !opening.isOneWay
        self.kind = opening.kind
        self.sendLimit = UInt64(clamping: sends ? sendLimit : 0)
        self.sending = sends ? .open : .ended
        self.framing = MessageFraming(
            maximumPayloadLength: maximumMessageLength,
            isSingle: opening.kind == .request
        )
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
    var canSend: Bool {
        sending != .ended && (outgoing.isEmpty ? sending == .finishing : sent < sendLimit)
    }

    /// How many bytes wait to be sent; nil if the application may write none.
    var waitingLength: Int? { sending == .open && kind == .bytes ? outgoing.count : nil }

    mutating func write(_ bytes: ByteBuffer) { outgoing.append(block: bytes) }

    /// Writes a message if there is room for it.
    ///
    /// - Returns: What became of it, and whether the stream has to be put into the order of turns, which is noted.
    mutating func offer(
        _ form: Message.Form,
        _ payload: UnsafeRawBufferPointer,
        isTooLong: Bool,
        atMost maximum: Int
    ) -> (onWrite: MuxStateMachine.OnWrite, joinsTurns: Bool) {
        guard sending == .open, kind != .bytes else { return (.refuse, false) }
        guard !isTooLong else { return (.tooLong, false) }
        let length = MessageFraming.length(form, payload.count)
        guard outgoing.isEmpty || length <= maximum - outgoing.count else { return (.full, false) }
        outgoing.append(length) { MessageFraming.write(form, payload, into: &$0) }
        return (.queued, joinTurns())
    }

    /// Notes that the stream waits for its turn; returns false if it does already, or has nothing to send.
    mutating func joinTurns() -> Bool {
        guard !isInTurn, canSend else { return false }
        isInTurn = true
        return true
    }

    mutating func finish() { if sending == .open { sending = .finishing } }

    mutating func sentEnd() { sending = .ended }

    /// How many more bytes the other side takes.
    var credit: Int { Int(clamping: sendLimit - sent) }

    /// The maximum number of bytes that can be sent at once.
    func sendable(atMost maximum: Int) -> Int { min(maximum, outgoing.wholeLength, credit) }

    /// Takes bytes to send, as many as ``sendable(atMost:)`` allows, behind the number of the stream.
    mutating func take(_ count: Int, behind number: UInt32) -> ByteBuffer {
        let (count, prefixLength) = (sendable(atMost: count), StreamBytes.prefixLength)
        sent += UInt64(clamping: count)
        if var block = outgoing.removeBlock(of: count, behind: prefixLength) {
            block.moveReaderIndex(to: block.readerIndex - prefixLength)
            block.setInteger(number, at: block.readerIndex)
            return block
        }
        var payload = ByteBufferAllocator().buffer(capacity: prefixLength + count)
        payload.writeInteger(number)
        outgoing.moveFirst(count, into: &payload)
        return payload
    }

    /// The other side allows more; a lower limit than before changes nothing.
    mutating func receivedCredit(_ limit: UInt64) { sendLimit = max(sendLimit, limit) }

    // MARK: To here

    /// Bytes have arrived.
    ///
    /// - Throws: ``ProtocolError`` if they exceed the limit, arrive after the end, or are no messages.
    mutating func receive(_ bytes: ByteBuffer) throws(ProtocolError) {
        guard !hasReceivedEnd else {
            throw ProtocolError(.unexpectedFrame, "The other side sent bytes after the end of a stream.")
        }
        guard UInt64(clamping: bytes.readableBytes) <= window.limit - received else {
            throw ProtocolError(.limitExceeded, "The other side sent more bytes on a stream than it may.")
        }
        if kind != .bytes {
            // After an error, only the messages before these bytes count.
            var framing = framing
            try framing.received(bytes)
            self.framing = framing
        }
        received += UInt64(clamping: bytes.readableBytes)
        incoming.append(bytes)
    }

    /// The other side has ended its direction.
    ///
    /// - Throws: ``ProtocolError`` if a message is incomplete.
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

    /// The form of the next message; nil if no message is complete.
    ///
    /// - Throws: ``ProtocolError`` if the form is unknown.
    func nextForm() throws(ProtocolError) -> Message.Form? { try framing.nextForm(in: incoming) }

    /// The application reads a message; nil if no message is complete.
    ///
    /// - Throws: ``ProtocolError`` if its form is unknown.
    mutating func readMessage() throws(ProtocolError) -> Message? {
        let message = try framing.cut(from: &incoming)
        noteReading()
        return message
    }

    /// The application reads a message, and following messages of the same form whose memory fits.
    ///
    /// - Throws: ``ProtocolError`` if the form of the first message is unknown.
    mutating func readMessages(ahead memory: Int) throws(ProtocolError) -> MessageBatch? {
        // Buffers have a power of two of bytes, and a batch may share a block of the queue.
        let hasRoom = memory >= ByteQueue.blockLength
        let most = hasRoom ? min(batchLength, 1 << (Int.bitWidth - 1 - memory.leadingZeroBitCount)) : 0
        let batch = try framing.cutBatch(from: &incoming, atMost: most)
        noteReading()
        // Where messages of different forms follow one another, a batch is short, and more would be copied in vain each time.
        let isShort = batch.map { $0.length < most / 4 && !incoming.isEmpty } ?? false
        batchLength = isShort ? max(Self.shortestBatch, most / 2) : min(LinkLimits.maximumAheadLength, batchLength * 2)
        return batch
    }

    /// What was read makes room for as much.
    private mutating func noteReading() { window.noteReading(upTo: read) }

    private var read: UInt64 { received - UInt64(clamping: incoming.count) }

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

    /// Takes the window away, and returns how much of the budget for windows it took, and of that for long messages.
    mutating func close() -> (window: Int, longWindow: Int) {
        defer { window.close() }
        return kind == .messages ? (0, 0) : (window.length, longWindow)
    }

    /// How much may arrive beyond what was read.
    var windowLength: Int { window.length }

    /// How much may arrive in all.
    var receiveLimit: UInt64 { window.limit }

    /// What a request or an answer has beyond its first window.
    var longWindow: Int { kind == .request ? max(0, window.length - window.firstLength) : 0 }

    /// The missing window of a request or an answer that is longer than the window.
    var missingWindow: Int {
        kind == .request && !hasReceivedEnd ? max(0, framing.lengthAtHand - window.length) : 0
    }

    /// Whether the other side does not know the limit yet, and may still send.
    var hasNews: Bool { !hasReceivedEnd && window.hasNews }

    /// Whether the other side should be told the limit at once.
    func isUrgent(_ length: Int) -> Bool { !hasReceivedEnd && window.isUrgent(length) }

    /// Whether the limit was ever raised.
    var wasRaised: Bool { !hasReceivedEnd && window.wasRaised }

    mutating func told() { window.told() }
}
