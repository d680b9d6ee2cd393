public import FoundationEssentials
import NIOConcurrencyHelpers
import PeerCore
import PeerProtocol

/// The messages of one type that peers send; ends when the session ends.
///
/// See <doc:SendingMessages> for an example.
public struct IncomingMessages<Message: PeerMessage>: AsyncSequence, Sendable {
    /// A message and its sender.
    public typealias Element = Received<Message>
    /// Reading does not fail: a message that cannot be read is reported as ``PeerEvent/notUnderstood(message:version:from:)``.
    public typealias Failure = Never

    let reader: MessageReader

    /// Creates an iterator; all iterators share the messages.
    public func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

    /// Waits for messages.
    public struct Iterator: AsyncIteratorProtocol {
        let reader: MessageReader

        /// Returns the next message; nil when the session has ended or the task is cancelled.
        public mutating func next() async -> Received<Message>? {
            await next(isolation: nil)
        }

        /// Returns the next message; nil when the session has ended or the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Received<Message>? {
            while let (message, peer) = await reader.next() {
                if let value = MessageCoding.decode(Message.self, from: message) {
                    return Received(message: value, peer: peer)
                }
                reader.reportUnreadable(message, peer)
            }
            return nil
        }
    }
}

/// The raw bytes that peers send; ends when the session ends.
///
/// See <doc:SendingMessages> for an example.
public struct IncomingData: AsyncSequence, Sendable {
    /// Bytes and their sender.
    public typealias Element = Received<Data>
    /// Reading does not fail.
    public typealias Failure = Never

    let reader: MessageReader

    /// Creates an iterator; all iterators share the messages.
    public func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

    /// Waits for bytes.
    public struct Iterator: AsyncIteratorProtocol {
        let reader: MessageReader

        /// Returns the next bytes; nil when the session has ended or the task is cancelled.
        public mutating func next() async -> Received<Data>? {
            await next(isolation: nil)
        }

        /// Returns the next bytes; nil when the session has ended or the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Received<Data>? {
            // Without a wait, as long as some were taken already.
            if let (message, peer) = reader.nextAhead() { return Received(message: message.payload.data, peer: peer) }
            guard let (message, peer) = await reader.next() else { return nil }
            return Received(message: message.payload.data, peer: peer)
        }
    }
}

/// Reads the messages of one type on one channel, from all peers in turn.
///
/// It takes several messages of a peer at once. What follows them on the channel waits until the application has received them.
final class MessageReader: Sendable {
    /// Messages that were taken and that the application has not received yet.
    private struct Batch {
        var taken: TakenMessages
        var link: LinkDriver
    }

    private let key: Inboxes.Key
    private let inboxes: Inboxes
    private let queue: ReadyQueue<LinkDriver>
    private let states: PeerStates
    // Usually one. It is more if several tasks read at the same time.
    private let ahead = NIOLockedValueBox<[Batch]>([])

    init(_ key: Inboxes.Key, _ inboxes: Inboxes, _ states: PeerStates) throws(PeerError) {
        self.key = key
        self.inboxes = inboxes
        self.states = states
        self.queue = try inboxes.readMessages(key)
    }

    deinit {
        // First, so that nothing more is announced to this reader while its messages are given back.
        inboxes.stopReading(key)
        for batch in ahead.withLockedValue({ $0 }) { release(batch, unread: key.text) }
        // A message without a reader must not block its channel.
        for link in states.links { link.readerLeft() }
    }

    func next() async -> (Message, PeerID)? {
        while true {
            if let next = nextAhead() { return next }
            guard let link = await queue.next() else { return nil }
            if inboxes.wasCrowded(key) {
                // Links could not announce their messages while the queue was full, so each link is asked to do so now.
                for link in states.links { link.announceAgain(to: key) }
            }
            guard var taken = link.takeMessages(for: key), let first = taken.messages.popFirst() else { continue }
            if taken.messages.count > 0 { ahead.withLockedValue { $0.append(Batch(taken: taken, link: link)) } }
            return (first, link.peer)
        }
    }

    /// Returns the next of the messages that were taken already; nil if there is none.
    func nextAhead() -> (Message, PeerID)? {
        let (next, done) = ahead.withLockedValue { batches -> ((Message, PeerID)?, Batch?) in
            guard !batches.isEmpty, let message = batches[0].taken.messages.popFirst() else { return (nil, nil) }
            let next = (message, batches[0].link.peer)
            return (next, batches[0].taken.messages.count == 0 ? batches.removeFirst() : nil)
        }
        if let done { release(done) }
        return next
    }

    /// The application has received all messages of a batch, or those that are left have no reader.
    private func release(_ batch: Batch, unread name: String? = nil) {
        batch.link.giveBack(batch.taken.heldLength)
        if let stream = batch.taken.heldStream { batch.link.resume(stream, unread: name) }
    }

    func reportUnreadable(_ message: Message, _ peer: PeerID) {
        guard case .json(let name, let version) = message.form,
            states.link(peer)?.allowsReport(name.text) != false
        else { return }
        states.report(.notUnderstood(message: name.text, version: Int(version), from: peer))
    }
}
