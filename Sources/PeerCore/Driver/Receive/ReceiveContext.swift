import NIOCore
import NIOPosix

/// What a receiver's session is given at its start and never changes.
struct ReceiveContext: Sendable {
    /// Where resources are kept.
    let sink: any ResourceSink
    /// Who is trusted.
    let trust: any TrustStore
    /// The secret of the link that the person was given; nil without one.
    let token: LinkToken?
    /// Which addresses have failed to pair too often; all sessions of a receiver share it.
    let pairingFailures: PairingFailures
    /// Where files are read, hashed and written.
    let pool: NIOThreadPool
    /// Opens another connection to the sender at an address, that must prove this id.
    let openLane: @Sendable (SocketAddress, PeerID?) async throws -> FrameConnection
    /// Decides on an offer.
    let decide: @Sendable (TransferOffer) async throws -> OfferAnswer
    /// Told of every step.
    let report: @Sendable (RemotePeer?, TransferUpdate.Event) -> Void
}
