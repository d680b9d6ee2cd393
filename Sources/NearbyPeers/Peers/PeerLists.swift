import PeerCore

/// All peers that a session knows, now and after each change; ends when the session ends.
///
/// See ``PeerSession/peerLists()`` for an example.
public struct PeerLists: AsyncSequence, Sendable {
    /// All peers, by name.
    public typealias Element = [SessionPeer]
    /// Reading does not fail.
    public typealias Failure = Never

    let states: PeerStates

    /// Creates an iterator, which begins with the peers of now.
    public func makeAsyncIterator() -> Iterator {
        Iterator(states: states, changes: states.changes().makeAsyncIterator())
    }

    /// Waits for changes.
    public struct Iterator: AsyncIteratorProtocol {
        let states: PeerStates
        var changes: AsyncStream<Void>.Iterator
        var last: [SessionPeer]?

        /// Returns all peers after the next change; nil when the session has ended or the task is cancelled.
        public mutating func next() async -> [SessionPeer]? { await next(isolation: nil) }

        /// Returns all peers after the next change; nil when the session has ended or the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> [SessionPeer]? {
            if last == nil {
                last = states.peers
                return last
            }
            while await changes.next(isolation: actor) != nil {
                let peers = states.peers
                guard peers != last else { continue }
                last = peers
                return peers
            }
            return nil
        }
    }
}
