import NIOCore
import PeerCore
import PeerProtocol

/// The state of a link driver, which its lock protects.
struct LinkState: Sendable {
    /// A channel that waits for its reader.
    struct Stall {
        var since: ContinuousClock.Instant
        var stream: UInt32
        /// How much of the stream had been sent by then.
        var sentLength: UInt64
    }

    /// The connection that carries the link.
    struct Carrier: Sendable {
        var connection: any PeerConnection
        var number: UInt64
        /// Whether the system has not taken the bytes of the last turn yet.
        var isWriting = false
        var turnLength = TurnLength()
        /// Whether the system has not taken the last credit yet.
        var isCrediting = false
    }

    /// Received data that were unread when the link ended.
    struct Leftovers: Sendable {
        var messages: [UInt32: CircularBuffer<Message>] = [:]
        var bytes: [UInt32: ByteBuffer] = [:]
        /// The memory of what was read since the last change.
        var readLength = 0

        /// Takes the next message of a stream.
        mutating func nextMessage(_ stream: UInt32) -> Message? {
            let message = messages[stream]?.popFirst()
            readLength += message?.payload.storageCapacity ?? 0
            return message
        }

        /// Takes the bytes of a stream.
        mutating func takeBytes(_ stream: UInt32) -> ByteBuffer? {
            let taken = bytes.removeValue(forKey: stream)
            readLength += taken?.storageCapacity ?? 0
            return taken
        }

        /// The memory that these data occupy.
        var length: Int {
            let waiting = messages.values.reduce(0) { $0 + $1.reduce(0) { $0 + $1.payload.storageCapacity } }
            return waiting + bytes.values.reduce(0) { $0 + $1.storageCapacity }
        }
    }

    /// The channels of this side.
    struct Outbox: Sendable {
        // So few that comparing their names takes less time than hashing one.
        private var channels: [(name: LinkName, stream: UInt32)] = []
        /// The channel with a full outbox of which the peer reads nothing; nil if the peer reads.
        var stall: Stall?

        /// The number of channels.
        var count: Int { channels.count }

        /// The stream of messages for a channel; nil if there is none.
        func stream(of channel: LinkName) -> UInt32? { channels.first { $0.name == channel }?.stream }

        /// Adds the stream of a new channel.
        mutating func add(_ stream: UInt32, for channel: LinkName) { channels.append((channel, stream)) }

        /// Forgets the channel of a stream: the next message opens it again.
        mutating func forget(_ stream: UInt32) { channels.removeAll { $0.stream == stream } }
    }

    /// The streams of requests and of bytes that this side still uses.
    struct Handles: Sendable {
        /// Requests of this side, complete requests of the other side, and streams of bytes.
        var open: Set<UInt32> = []
        /// How the other side has ended these streams.
        var ends: [UInt32: StreamEnd] = [:]
        /// The other side's incomplete requests, and their names.
        var incompleteRequests: [UInt32: LinkName] = [:]
        /// The other side's complete requests that are not answered yet.
        var requests: Set<UInt32> = []
        /// The other side's streams of bytes that the application has not taken yet.
        var untakenStreams: Set<UInt32> = []
        /// The streams of bytes that the application has released, while the other side still sends.
        var discarded: Set<UInt32> = []
    }

    /// How many bytes of records and droppable messages have gone over the link, those that were repeated not counted.
    struct Traffic: Sendable {
        var sent: UInt64 = 0
        var received: UInt64 = 0
    }

    /// The effects of a change, performed after the lock is released.
    struct Effects: Sendable {
        var writes: [@Sendable () -> Void] = []
        var notices: [LinkNotice] = []
        var ready: [Inboxes.Key] = []
    }

    var records: LinkStateMachine
    var streams: MuxStateMachine
    var carrier: Carrier?
    /// The channels of the other side.
    var channels: [LinkName: ChannelStateMachine] = [:]
    /// The channel of each of the other side's streams of messages.
    var inbound: [UInt32: LinkName] = [:]
    var outbox = Outbox()
    /// Received data that were unread when the link ended.
    var leftovers = Leftovers()
    var handles = Handles()
    var waits = WaitList()
    /// How long a ping and its pong take.
    var roundTrip: Duration = .milliseconds(1)
    /// Whether that was measured.
    var isRoundTripKnown = false
    /// Why the link has ended; nil before its end.
    var failure: PeerError?
    /// The time of the timer, and the function that cancels it.
    var timer: (time: ContinuousClock.Instant, cancel: @Sendable () -> Void)?
    var traffic = Traffic()
    var reports = ReportLimit()
    var effects = Effects()
    var notices = NoticeQueue()

    /// Whether a connection carries the link.
    var isAttached: Bool { carrier != nil && records.isAttached }

    /// Returns the form of the next message of a stream; nil if no message is complete.
    mutating func nextForm(_ stream: UInt32) throws(ProtocolError) -> Message.Form? {
        if failure != nil { return leftovers.messages[stream]?.first?.form }
        return try streams.nextForm(stream)
    }

    /// Takes the next message of a stream; nil if no message is complete.
    mutating func nextMessage(_ stream: UInt32) throws(ProtocolError) -> Message? {
        if failure != nil { return leftovers.nextMessage(stream) }
        return try streams.readMessage(stream)
    }

    /// Takes the next message of a stream, and following messages of the same form whose memory fits.
    mutating func nextMessages(_ stream: UInt32, ahead memory: Int) throws(ProtocolError) -> MessageBatch? {
        if failure != nil { return leftovers.nextMessage(stream).map { MessageBatch($0) } }
        return try streams.readMessages(stream, ahead: memory)
    }

    /// Forgets a channel that has nothing to remember, so that a peer that invents names does not fill the memory.
    mutating func forgetIfUnused(_ channel: LinkName) {
        if channels[channel]?.isUnused == true { channels[channel] = nil }
    }

    /// Saves received data that are unread, before the streams end.
    mutating func keepLeftovers() {
        for stream in handles.open.union(inbound.keys) {
            while streams.hasMessage(stream), let message = try? streams.readMessage(stream) {
                leftovers.messages[stream, default: CircularBuffer()].append(message)
            }
            let bytes = streams.readBytes(stream, atMost: .max, at: .now, roundTrip: roundTrip)
            if bytes.readableBytes > 0 { leftovers.bytes[stream] = bytes }
        }
    }
}

/// A notice of a link driver to the session.
enum LinkNotice: Sendable {
    /// The other side broke the protocol.
    case violated(ProtocolError)
    /// There was no connection for too long.
    case lost
    /// A message of a known name arrived that no reader takes.
    case unread(String)
    /// A message or request arrived that this application does not know, or of which it knows only an older version.
    case notUnderstood(String, Int)
    /// A complete request arrived.
    case request(UInt32, LinkName)
    /// The other side opened a stream of bytes.
    case stream(StreamOpening)
    /// The other side has cancelled a request or a stream that the application may not have taken.
    case withdrawn(UInt32)
    /// A notice about a resource arrived.
    case resource(ResourceNotice)
    /// Records of members of the group arrived.
    case members(MemberList)
}

/// The notices of a link that the session has not received yet.
///
/// One thread at a time delivers them, so that no notice overtakes an earlier one.
struct NoticeQueue: Sendable {
    private var waiting = CircularBuffer<LinkNotice>(initialCapacity: 0)
    private var isTold = false

    /// Adds notices.
    ///
    /// - Returns: Whether the caller has to deliver them; false if there are none, or if another thread does so already.
    mutating func begin(adding notices: [LinkNotice]) -> Bool {
        waiting.append(contentsOf: notices)
        guard !isTold, !waiting.isEmpty else { return false }
        isTold = true
        return true
    }

    /// Takes the next notice; nil if there is none, in which case the caller stops.
    mutating func next() -> LinkNotice? {
        let next = waiting.popFirst()
        isTold = next != nil
        return next
    }
}

/// Limits reports about messages, so that a peer cannot flood the application: a few names, each once a minute.
///
/// A pure value.
struct ReportLimit: Sendable {
    /// How long a name is not reported again.
    static let pause: Duration = .seconds(60)
    /// The maximum number of names in that time.
    static let maximumCount = 16

    private var times: [String: ContinuousClock.Instant] = [:]

    /// Whether ``allows(_:at:)`` would report a name.
    func mayReport(_ name: String, at now: ContinuousClock.Instant) -> Bool {
        var copy = self
        return copy.allows(name, at: now)
    }

    /// Whether to report a name; if so, it counts as reported.
    mutating func allows(_ name: String, at now: ContinuousClock.Instant) -> Bool {
        times = times.filter { now - $0.value < Self.pause }
        guard times[name] == nil, times.count < Self.maximumCount else { return false }
        times[name] = now
        return true
    }
}
