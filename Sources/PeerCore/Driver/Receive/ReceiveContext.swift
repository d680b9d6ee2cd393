import NIOCore
import NIOPosix

/// The constants of a receiver's session.
struct ReceiveContext: Sendable {
    /// Stores the resources.
    let sink: any ResourceSink
    /// Knows the trusted peers.
    let trust: any TrustStore
    /// The secret of the link; nil without one.
    let token: LinkToken?
    /// Whether the sender is admitted because the connection carries a resource of a session.
    var isAttached = false
    /// Counts failed pairings for all sessions of the receiver.
    let pairingFailures: PairingFailures
    /// Reads, hashes and writes files.
    let pool: NIOThreadPool
    /// Opens another connection to the sender at an address.
    ///
    /// The sender must prove the given id.
    let openLane: @Sendable (SocketAddress, PeerID?) async throws -> FrameConnection
    /// Decides on an offer.
    let decide: @Sendable (TransferOffer) async throws -> OfferAnswer
    /// Called at every step.
    let report: @Sendable (RemotePeer?, TransferUpdate.Event) -> Void
}
