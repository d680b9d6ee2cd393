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
        public mutating func next() async -> Received<Message>? { await next(isolation: nil) }

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
