public import PeerCore

/// The peers that get a message, and the peers that do not.
///
/// Look at it, or call ``get()``: a message to several peers does not fail because one of them misses it. If nobody is linked, a
/// message to all is taken by nobody, and both lists are empty.
///
/// See <doc:SendingMessages> for an example.
public struct SendResult: Sendable {
    /// The peers whose outbox has the message.
    public var taken: Set<PeerID> = []
    /// The peers that do not get the message, and why.
    public var missed: [PeerID: PeerError] = [:]

    /// Checks that no peer misses the message.
    ///
    /// - Throws: The error of the peer that misses the message; if there are several, of the one with the smallest id.
    public func get() throws(PeerError) { if let error = missed.firstMiss { throw error } }

    /// Notes that one of the recipients misses the message.
    mutating func note(_ peer: PeerID, misses error: PeerError) {
        taken.remove(peer)
        missed[peer] = error
    }
}

extension [PeerID: PeerError] {
    /// The error of the peer with the smallest id; nil if there is none.
    var firstMiss: PeerError? { self.min { $0.key.precedes($1.key) }?.value }
}
