public import FoundationEssentials
import NIOConcurrencyHelpers
import NIOCore
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
            guard let (message, peer) = await reader.next() else { return nil }
            return Received(message: Data(message.payload.readableBytesView), peer: peer)
        }
    }
}

/// Reads the messages of one type on one channel, from all peers in turn.
///
/// It takes several messages of a peer at once. What follows them on the channel waits until the application has received them.
final class MessageReader: Sendable {
    /// A message that was taken and that the application has not received yet.
    private struct Item {
        var message: Message
        var link: LinkDriver
        /// The stream that continues after the message.
        var heldStream: UInt32?
    }

    private let key: Inboxes.Key
    private let inboxes: Inboxes
    private let queue: ReadyQueue<LinkDriver>
    private let states: PeerStates
    private let ahead = NIOLockedValueBox(CircularBuffer<Item>(initialCapacity: 0))

    init(_ key: Inboxes.Key, _ inboxes: Inboxes, _ states: PeerStates) throws(PeerError) {
        self.key = key
        self.inboxes = inboxes
        self.states = states
        self.queue = try inboxes.readMessages(key)
    }

    deinit {
        // First, so that nothing more is announced to this reader while its messages are given back.
        inboxes.stopReading(key)
        for item in ahead.withLockedValue({ $0 }) {
            item.link.giveBack(item.message)
            guard let stream = item.heldStream else { continue }
            item.link.resume(stream, unread: key.text)
        }
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
            let taken = link.takeMessages(for: key)
            guard let first = taken.messages.first else { continue }
            if taken.messages.count > 1 { keep(taken, of: link) }
            return (first, link.peer)
        }
    }

    private func nextAhead() -> (Message, PeerID)? {
        guard let item = ahead.withLockedValue({ $0.popFirst() }) else { return nil }
        item.link.giveBack(item.message)
        if let stream = item.heldStream { item.link.resume(stream) }
        return (item.message, item.link.peer)
    }

    /// Keeps all but the first message.
    private func keep(_ taken: TakenMessages, of link: LinkDriver) {
        ahead.withLockedValue { items in
            for message in taken.messages.dropFirst().dropLast() { items.append(Item(message: message, link: link)) }
            guard let last = taken.messages.last else { return }
            items.append(Item(message: last, link: link, heldStream: taken.heldStream))
        }
    }

    func reportUnreadable(_ message: Message, _ peer: PeerID) {
        guard case .json(let name, let version) = message.form,
            states.link(peer)?.allowsReport(name.text) != false
        else { return }
        states.report(.notUnderstood(message: name.text, version: Int(version), from: peer))
    }
}
