import PeerCore
import PeerProtocol

/// The requests of one type that peers send; ends when the session ends.
///
/// See <doc:AskingAndAnswering> for an example.
public struct IncomingRequests<Request: PeerRequest>: AsyncSequence, Sendable {
    /// A request to answer.
    public typealias Element = IncomingRequest<Request>
    /// Reading does not fail: a request that cannot be read is refused.
    public typealias Failure = Never

    let reader: RequestReader

    /// Creates an iterator; all iterators share the requests.
    public func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

    /// Waits for requests.
    public struct Iterator: AsyncIteratorProtocol {
        let reader: RequestReader

        /// Returns the next request; nil when the session has ended or the task is cancelled.
        public mutating func next() async -> IncomingRequest<Request>? { await next(isolation: nil) }

        /// Returns the next request; nil when the session has ended or the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> IncomingRequest<Request>? {
            while let pending = await reader.next() {
                if let request = MessageCoding.value(Request.self, in: pending.request.payload) {
                    return IncomingRequest(request: request, peer: pending.link.peer, pending: pending)
                }
                reader.refuse(pending)
            }
            return nil
        }
    }
}
