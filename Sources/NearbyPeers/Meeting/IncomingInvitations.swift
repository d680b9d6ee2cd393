/// The invitations of peers; ends when the session ends.
///
/// See <doc:GettingStarted> for an example.
public struct IncomingInvitations: AsyncSequence, Sendable {
    /// An invitation.
    public typealias Element = IncomingInvitation
    /// Reading does not fail.
    public typealias Failure = Never

    let reader: QueueReader<IncomingInvitation>

    /// Creates an iterator; all iterators share the invitations.
    public func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

    /// Waits for invitations.
    public struct Iterator: AsyncIteratorProtocol {
        let reader: QueueReader<IncomingInvitation>

        /// Returns the next invitation; nil when the session has ended or the task is cancelled.
        public mutating func next() async -> IncomingInvitation? { await next(isolation: nil) }

        /// Returns the next invitation; nil when the session has ended or the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> IncomingInvitation? {
            await reader.next()
        }
    }
}
