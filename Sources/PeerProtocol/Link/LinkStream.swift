import NIOCore

/// One stream of a link: what waits in each direction, and how much each direction may carry.
///
/// All counts of bytes are from the opening of the stream on.
struct LinkStream: Sendable {
    let kind: StreamKind

    // The direction from here.
    private(set) var outgoing = ByteQueue()
    private(set) var sent: UInt64 = 0
    private(set) var sendLimit: UInt64
    private(set) var isFinishing = false
    private(set) var hasSentEnd: Bool
    /// Whether the stream waits for its turn.
    var isInTurn = false

    // The direction to here.
    private(set) var incoming = ByteQueue()
    private(set) var framing: MessageFraming
    private(set) var received: UInt64 = 0
    private(set) var read: UInt64 = 0
    /// How much may arrive beyond what was read.
    private(set) var window: Int
    private(set) var receiveLimit: UInt64
    /// The last limit that the other side was told.
    private(set) var toldLimit: UInt64
    private(set) var hasReceivedEnd: Bool
    /// Whether a credit for the stream waits to be sent.
    var awaitsCredit = false
    /// Whether the application has taken the stream, or opened it.
    var isAccepted: Bool

    private let firstWindow: Int
    private var roundStart: ContinuousClock.Instant?
    private var readInRound = 0

    /// Creates a stream.
    ///
    /// - Parameters:
    ///   - opening: How it was opened.
    ///   - isOpenedHere: Whether by this side.
    ///   - window: How much may arrive at first.
    ///   - sendLimit: How much may be sent at first.
    ///   - maximumMessageLength: The longest message that this side takes.
    init(_ opening: StreamOpening, isOpenedHere: Bool, window: Int, sendLimit: Int, maximumMessageLength: Int) {
        let sends = isOpenedHere || !opening.isOneWay
        let receives = !isOpenedHere || !opening.isOneWay
        self.kind = opening.kind
        self.sendLimit = UInt64(clamping: sends ? sendLimit : 0)
        self.hasSentEnd = !sends
        self.framing = MessageFraming(
            maximumPayloadLength: maximumMessageLength,
            isSingle: opening.kind == .request
        )
        self.window = receives ? window : 0
        self.firstWindow = self.window
        self.receiveLimit = UInt64(clamping: self.window)
        self.toldLimit = receiveLimit
        self.hasReceivedEnd = !receives
        self.isAccepted = isOpenedHere
    }

    /// Whether nothing more comes and all of it was read.
    var hasReceivedAll: Bool { hasReceivedEnd && incoming.isEmpty }

    /// Whether nothing is left to do in either direction.
    var isDone: Bool { hasSentEnd && hasReceivedAll }

    // MARK: From here

    /// Whether bytes or the end can be sent.
    var canSend: Bool {
        !hasSentEnd && (outgoing.isEmpty ? isFinishing : sent < sendLimit)
    }

    /// Whether the application may still write.
    var isWritable: Bool { !hasSentEnd && !isFinishing }

    mutating func write(_ bytes: ByteBuffer) { outgoing.append(bytes) }

    mutating func finish() { isFinishing = true }

    mutating func sentEnd() { hasSentEnd = true }

    /// The most bytes that can be sent at once.
    func sendable(atMost maximum: Int) -> Int {
        min(maximum, outgoing.count, Int(clamping: sendLimit - sent))
    }

    /// Takes bytes to send, as many as ``sendable(atMost:)`` allows.
    mutating func take(_ count: Int, into buffer: inout ByteBuffer) {
        let count = sendable(atMost: count)
        outgoing.moveFirst(count, into: &buffer)
        sent += UInt64(clamping: count)
    }

    /// The other side allows more; a lower limit than before changes nothing.
    mutating func receivedCredit(_ limit: UInt64) { sendLimit = max(sendLimit, limit) }

    // MARK: To here

    /// Bytes have come.
    ///
    /// - Throws: ``ProtocolError`` if they may not.
    mutating func receive(_ bytes: ByteBuffer) throws(ProtocolError) {
        guard !hasReceivedEnd else {
            throw ProtocolError(.unexpectedFrame, "The other side sent bytes after the end of a stream.")
        }
        guard UInt64(clamping: bytes.readableBytes) <= receiveLimit - received else {
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

    /// No more comes.
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

    /// The form of the next message; nil if none has come whole.
    ///
    /// - Throws: ``ProtocolError`` if it is in no form that is known.
    func nextForm() throws(ProtocolError) -> Message.Form? { try framing.nextForm(in: incoming) }

    /// The application reads a message; nil if none has come whole.
    ///
    /// - Throws: ``ProtocolError`` if it is in no form that is known.
    mutating func readMessage() throws(ProtocolError) -> Message? {
        let message = try framing.cut(from: &incoming)
        noteReading()
        return message
    }

    /// The application reads a message, and those of the same form behind it whose memory fits.
    ///
    /// - Throws: ``ProtocolError`` if the first one is in no form that is known.
    mutating func readMessages(ahead memory: Int) throws(ProtocolError) -> [Message] {
        guard let first = try framing.cut(from: &incoming) else { return [] }
        var messages = [first]
        var left = memory
        while messages.count < LinkLimits.maximumAheadCount,
            let cost = framing.cost(ofNext: first.form, in: incoming), cost <= left,
            let next = try framing.cut(from: &incoming)
        {
            left -= cost
            messages.append(next)
        }
        noteReading()
        return messages
    }

    /// What was read makes room for as much.
    private mutating func noteReading() {
        read = received - UInt64(clamping: incoming.count)
        receiveLimit = max(receiveLimit, read + UInt64(clamping: window))
    }

    /// Whether the window should grow, because more than half of it was read within a round trip.
    mutating func isTooSmall(
        afterReading count: Int,
        at now: ContinuousClock.Instant,
        roundTrip: Duration
    ) -> Bool {
        if let start = roundStart, now - start <= roundTrip {
            readInRound += count
        } else {
            roundStart = now
            readInRound = count
        }
        return readInRound > window / 2
    }

    /// The window grows.
    mutating func grow(by length: Int) {
        window += length
        receiveLimit = max(receiveLimit, read + UInt64(clamping: window))
        roundStart = nil
        readInRound = 0
    }

    /// Takes the window away, and returns how much of the budget for windows it took, and of that for long messages.
    mutating func close() -> (window: Int, longWindow: Int) {
        defer { window = 0 }
        return kind == .messages ? (0, 0) : (window, longWindow)
    }

    /// What a request or an answer has beyond its first window.
    var longWindow: Int { kind == .request ? max(0, window - firstWindow) : 0 }

    /// The missing window of a request or an answer that is longer than the window.
    var missingWindow: Int {
        kind == .request && !hasReceivedEnd ? max(0, framing.lengthAtHand - window) : 0
    }

    /// Whether the other side could make use of a credit, and does not know of it.
    var hasNews: Bool { !hasReceivedEnd && receiveLimit > toldLimit }

    /// Whether the other side should hear of the credit at once.
    func isUrgent(_ length: Int) -> Bool {
        hasNews && receiveLimit - toldLimit >= UInt64(clamping: min(length, max(1, window / 2)))
    }

    /// Whether the limit was ever raised.
    var wasRaised: Bool { !hasReceivedEnd && receiveLimit > UInt64(clamping: firstWindow) }

    mutating func told() { toldLimit = receiveLimit }
}
