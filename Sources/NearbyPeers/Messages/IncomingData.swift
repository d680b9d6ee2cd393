public import FoundationEssentials
import PeerCore
import PeerProtocol

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
        public mutating func next() async -> Received<Data>? { await next(isolation: nil) }

        /// Returns the next bytes; nil when the session has ended or the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Received<Data>? {
            // Without a wait, as long as some were taken already.
            if let (message, peer) = reader.nextAhead() { return Received(message: message.payload.data, peer: peer) }
            guard let (message, peer) = await reader.next() else { return nil }
            return Received(message: message.payload.data, peer: peer)
        }
    }
}
