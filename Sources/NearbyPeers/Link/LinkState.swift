import FoundationEssentials
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
        /// Whether the system has not taken the bytes of the last burst yet.
        var isWriting = false
        var burstLength = BurstLength()
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
        /// The channel with a full outbox that the peer does not read; nil if the peer reads.
        var stall: Stall?

        /// The number of channels.
        var count: Int { channels.count }

        /// The streams of the channels.
        var streams: [UInt32] { channels.map(\.stream) }

        /// The stream of messages for a channel; nil if there is none.
        func stream(of channel: LinkName) -> UInt32? { channels.first { $0.name == channel }?.stream }

        /// Adds the stream of a new channel.
        mutating func add(_ stream: UInt32, for channel: LinkName) { channels.append((channel, stream)) }

        /// Forgets the channel of a stream, which the next message opens again; returns whether the stream was one of a channel.
        @discardableResult
        mutating func forget(_ stream: UInt32) -> Bool {
            let count = channels.count
            channels.removeAll { $0.stream == stream }
            if stall?.stream == stream { stall = nil }
            return channels.count < count
        }
    }

    /// The streams of bytes that this side still uses.
    struct Handles: Sendable {
        /// The streams of both sides.
        var open: Set<UInt32> = []
        /// How the other side has ended these streams.
        var ends: [UInt32: StreamEnd] = [:]
        /// The other side's streams of bytes that the application has not taken yet.
        var untakenStreams: Set<UInt32> = []
        /// The streams of bytes that the application has released, while the other side still sends.
        var discarded: Set<UInt32> = []
    }

    /// A request of the other side.
    struct Request: Sendable {
        var number: UInt64
        var name: LinkName
        var version: UInt16
        var payload: Data
    }

    /// How many bytes of records and droppable messages have gone over the link, those that were repeated not counted.
    struct Traffic: Sendable {
        var sent: UInt64 = 0
        var received: UInt64 = 0
    }

    /// The effects of a change, performed after the lock is released.
    struct Effects: Sendable {
        var writes: [@Sendable () -> Void] = []
        var notices: [Notice] = []
        var ready: [Inboxes.Key] = []
        var outcomes: [(task: AskerTable.Continuation, outcome: AskerTable.Outcome)] = []
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
    /// The tasks that wait for answers.
    var askers = AskerTable()
    /// Cancel the handlers of the other side's requests.
    var handlers: [UInt64: @Sendable () -> Void] = [:]
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

    /// Ends the records and the streams; returns whether messages of this side may not have arrived.
    ///
    /// `records` are those that were not acknowledged, if the machine of the records has given them up already.
    mutating func endSending(losing records: [Record]?) -> Bool {
        var records = records
        if case .lost(let kept) = self.records.end() { records = kept }
        let channels = outbox.streams
        let isWaiting = channels.contains { streams.hasOutgoing($0) }
        streams.end()
        // A peer that breaks the rules of acknowledgement leaves it open what it has.
        guard let records else { return !channels.isEmpty }
        return isWaiting || records.contains { $0.stream.map(channels.contains) == true }
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

extension LinkState {
    /// A notice of a link driver to the session.
    enum Notice: Sendable {
        /// The other side broke the protocol.
        case violated(ProtocolError)
        /// There was no connection for too long.
        case lost
        /// A message of a known name arrived that no reader takes.
        case unread(String)
        /// A message or request arrived that this application does not know, or of which it knows only an older version.
        case notUnderstood(String, Int)
        /// A request arrived.
        case request(Request)
        /// The other side has withdrawn a request that the application may not have taken.
        case requestWithdrawn(UInt64)
        /// The other side opened a stream of bytes.
        case stream(StreamOpening)
        /// The other side has cancelled a stream that the application may not have taken.
        case withdrawn(UInt32)
        /// A notice about a resource arrived.
        case resource(ResourceNotice)
        /// Records of members of the group arrived.
        case members(MemberList)
    }
}

extension LinkState {
    /// The notices of a link that the session has not received yet.
    ///
    /// One thread at a time delivers them, so that no notice overtakes an earlier one.
    struct NoticeQueue: Sendable {
        private var waiting = CircularBuffer<Notice>(initialCapacity: 0)
        private var isTold = false

        /// Adds notices; returns whether the caller has to deliver them, because no other thread does so already.
        mutating func begin(adding notices: [Notice]) -> Bool {
            waiting.append(contentsOf: notices)
            guard !isTold, !waiting.isEmpty else { return false }
            isTold = true
            return true
        }

        /// Takes the notices that wait; nil if there are none, in which case the caller stops.
        mutating func takeAll() -> CircularBuffer<Notice>? {
            isTold = !waiting.isEmpty
            guard isTold else { return nil }
            defer { waiting = CircularBuffer(initialCapacity: 0) }
            return waiting
        }
    }
}

extension LinkState {
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
}

extension Record {
    /// The stream whose bytes it carries; nil if it carries none.
    fileprivate var stream: UInt32? {
        guard kind == .bytes else { return nil }
        return payload.getInteger(at: payload.readerIndex, as: UInt32.self)
    }
}
