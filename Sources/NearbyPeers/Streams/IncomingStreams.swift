/// The streams that peers open; ends when the session ends.
///
/// See <doc:StreamingBytes> for an example.
public struct IncomingStreams: AsyncSequence, Sendable {
    /// A stream.
    public typealias Element = PeerStream
    /// Reading does not fail.
    public typealias Failure = Never

    let reader: QueueReader<PeerStream>

    /// Creates an iterator; all iterators share the streams.
    public func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

    /// Waits for streams.
    public struct Iterator: AsyncIteratorProtocol {
        let reader: QueueReader<PeerStream>

        /// Returns the next stream; nil when the session has ended or the task is cancelled.
        public mutating func next() async -> PeerStream? { await next(isolation: nil) }

        /// Returns the next stream; nil when the session has ended or the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> PeerStream? {
            let stream = await reader.next()
            // Only now: until then the stream counts as one that waits, and the peer may not open many of those.
            stream?.accept()
            return stream
        }
    }
}
