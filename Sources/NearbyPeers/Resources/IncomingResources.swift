/// The resources that peers offer; ends when the session ends.
///
/// See <doc:SendingFiles> for an example.
public struct IncomingResources: AsyncSequence, Sendable {
    /// An offer.
    public typealias Element = ResourceOffer
    /// Reading does not fail.
    public typealias Failure = Never

    let reader: QueueReader<ResourceOffer>

    /// Creates an iterator; all iterators share the offers.
    public func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

    /// Waits for offers.
    public struct Iterator: AsyncIteratorProtocol {
        let reader: QueueReader<ResourceOffer>

        /// Returns the next offer; nil when the session has ended or the task is cancelled.
        public mutating func next() async -> ResourceOffer? { await next(isolation: nil) }

        /// Returns the next offer; nil when the session has ended or the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> ResourceOffer? {
            await reader.next()
        }
    }
}
