import NIOConcurrencyHelpers
import PeerCore
import PeerProtocol

/// Reads the messages of one type on one channel, from all peers in turn.
///
/// It takes several messages of a peer at once. What follows them on the channel waits until the application has received them.
final class MessageReader: Sendable {
    /// Messages that were taken and that the application has not received yet.
    private struct Batch {
        var taken: LinkDriver.TakenMessages
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
        let waiting = inboxes.stopReading(key)
        for batch in ahead.withLockedValue({ $0 }) { release(batch, unread: key.text) }
        // A message without a reader must not block its channel. Links that have ended are only in the reader's queue.
        for link in states.links { link.readerLeft() }
        for link in waiting where states.link(link.peer) !== link { link.readerLeft() }
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
