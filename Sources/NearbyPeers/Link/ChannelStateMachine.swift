import PeerProtocol

/// The incoming messages of one channel: which message is at the front, and which readers know that a message waits for them.
///
/// Usually a channel has one stream. If the other side finishes it and opens the channel again, the later stream waits until
/// everything on the earlier one is read. Droppable messages overtake the streams, so they have a front of their own.
///
/// A reader is the name of the type of messages that it reads; nil for raw bytes. ("Links", section "Channels".)
struct ChannelStateMachine: Hashable, Sendable {
    /// What the oldest stream does.
    enum Front: Hashable, Sendable {
        /// Its next message is not known yet. Can become `waiting`.
        case open
        /// Its next message waits for this reader. Can become `open` or `held`.
        case waiting(LinkName?)
        /// What follows waits until the application has received all messages that a reader has taken. Can become `open`.
        case held
    }

    /// What to do when the other side opens a stream.
    enum OnOpened: Hashable, Sendable {
        /// Accept it.
        case accept
        /// Refuse it: the channel is open already.
        case refuse
    }

    /// What to do about the next message.
    enum OnFound: Hashable, Sendable {
        /// Tell its reader that a message waits.
        case announce
        /// Drop it, which gives its credit back.
        case discard
        /// Nothing: the reader has been told, or it is not the turn of the message.
        case none
    }

    /// What a reader gets.
    enum OnTake: Hashable, Sendable {
        /// This message.
        case droppable(Message)
        /// The next messages of this stream.
        case read(UInt32)
        /// Nothing: no message waits for it.
        case none
    }

    /// The streams that have unread messages or may carry more, the oldest first.
    private(set) var streams: [UInt32] = []
    private(set) var front = Front.open
    /// The next droppable message; nil if none waits for a reader.
    private(set) var droppable: Message?
    /// The readers that were notified of a message and have not requested it yet.
    private(set) var announced: Set<LinkName?> = []
    /// Whether the newest stream may carry more.
    private var isOpen = false

    /// The stream that has the next message; nil if a message waits or the stream is held, or if there is no stream.
    var nextStream: UInt32? { front == .open ? streams.first : nil }

    /// Whether there is nothing to remember.
    var isUnused: Bool { streams.isEmpty && droppable == nil && announced.isEmpty }

    // MARK: Streams

    /// The other side opens a stream for the channel.
    mutating func opened(_ stream: UInt32) -> OnOpened {
        guard !isOpen else { return .refuse }
        isOpen = true
        streams.append(stream)
        return .accept
    }

    /// The other side has ended a stream; unless it is cancelled, its unread messages stay.
    mutating func ended(_ stream: UInt32, isCancelled: Bool) {
        if stream == streams.last { isOpen = false }
        if isCancelled { forget(stream) }
    }

    /// A stream has ended, and everything on it is read.
    mutating func readAll(_ stream: UInt32) {
        // A reader may have taken messages that the application does not have yet.
        if stream == nextStream { forget(stream) }
    }

    private mutating func forget(_ stream: UInt32) {
        if stream == streams.first { front = .open }
        streams.removeAll { $0 == stream }
    }

    // MARK: Messages

    /// The next message of ``nextStream`` is complete.
    mutating func found(for reader: LinkName?, hasReader: Bool) -> OnFound {
        guard nextStream != nil else { return .none }
        guard hasReader else { return .discard }
        front = .waiting(reader)
        return announce(reader)
    }

    /// A droppable message is complete.
    mutating func foundDroppable(_ message: Message, hasReader: Bool) -> OnFound {
        guard droppable == nil else { return .none }
        guard hasReader else { return .discard }
        droppable = message
        return announce(message.form.name)
    }

    /// The link has ended: messages of streams can still be read, but droppable messages are too old.
    mutating func linkEnded() { droppable = nil }

    // MARK: Readers

    /// A reader asks for messages.
    mutating func take(for reader: LinkName?) -> OnTake {
        announced.remove(reader)
        if let message = droppable, message.form.name == reader {
            droppable = nil
            return .droppable(message)
        }
        guard front == .waiting(reader), let stream = streams.first else { return .none }
        front = .open
        return .read(stream)
    }

    /// The reader has taken several messages of a stream.
    mutating func tookAhead(of stream: UInt32) { if stream == nextStream { front = .held } }

    /// The application has received all messages that were taken from a stream, or never will.
    mutating func receivedAhead(of stream: UInt32) {
        // The stream may have been cancelled meanwhile, and a later one may be held.
        if front == .held, stream == streams.first { front = .open }
    }

    /// A reader could not be notified of a message, because its queue is full.
    mutating func withdrawAnnouncement(to reader: LinkName?) { announced.remove(reader) }

    /// A reader may not know of a message that waits for it.
    mutating func announceAgain(to reader: LinkName?) -> OnFound {
        front == .waiting(reader) || droppable.map { $0.form.name == reader } == true ? announce(reader) : .none
    }

    /// A reader is gone; returns the droppable message that waited, which has to be found again.
    mutating func readerLeft() -> Message? {
        defer { droppable = nil }
        // The reader may have a successor already, which knows of no message.
        announced = []
        if case .waiting = front { front = .open }
        return droppable
    }

    private mutating func announce(_ reader: LinkName?) -> OnFound {
        // Once until the reader asks: otherwise a peer could fill its queue by opening and cancelling streams.
        announced.insert(reader).inserted ? .announce : .none
    }
}
