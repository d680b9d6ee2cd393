public import PeerCore

/// The peers whose libraries have everything that was sent, and those that may lack something.
///
/// See <doc:SendingMessages> for an example.
public struct FlushResult: Sendable {
    /// The peers whose libraries have everything that was sent.
    public var arrived: Set<PeerID> = []
    /// The peers of which that is not known, and why.
    public var missed: [PeerID: PeerError] = [:]

    /// Checks that everything has arrived at all peers.
    ///
    /// - Throws: The error of the peer that may lack something; if there are several, of the one with the smallest id.
    public func get() throws(PeerError) { if let error = missed.firstMiss { throw error } }
}
