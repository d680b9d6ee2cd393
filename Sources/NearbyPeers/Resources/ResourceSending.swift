import PeerCore
import PeerProtocol
import PeerStorage

/// The outcome of offering a resource to several peers.
///
/// See <doc:Groups> for an example.
public struct ResourceSendResult: Sendable {
    /// One sending for each peer to which the resource is offered.
    public var sendings: [ResourceSending] = []
    /// The peers to which the resource is not offered, and why.
    public var missed: [PeerID: PeerError] = [:]
}

/// A resource that this side has offered to a peer.
///
/// The transfer continues when this object is released. See <doc:SendingFiles> for an example.
public final class ResourceSending: Sendable {
    /// The peer to which the resource is offered.
    public let peer: PeerID
    /// The name under which the resource is offered.
    public let name: String

    let key: ResourceTransfers.Key
    let watch: ResourceWatch
    private let transfers: ResourceTransfers

    init(_ key: ResourceTransfers.Key, named name: String, watch: ResourceWatch, transfers: ResourceTransfers) {
        self.key = key
        self.peer = key.peer
        self.name = name
        self.watch = watch
        self.transfers = transfers
    }

    /// The current progress.
    public var currentProgress: ResourceProgress { watch.progress }

    /// Returns the progress from now on, at most ten times a second; a slow reader gets only the latest.
    public func progress() -> ResourceProgressUpdates { ResourceProgressUpdates(stream: watch.updates()) }

    /// Waits until the receiver has stored the complete resource.
    ///
    /// Cancelling the task only stops the wait; ``cancel(_:)`` gives the resource up.
    ///
    /// - Throws: `PeerError` with `PeerError.Code.declined` if the peer declines it, `PeerError.Code.peerCancelled`,
    ///   `PeerError.Code.peerFailed`, `PeerError.Code.connectionLost`; `PeerError.Code.outcomeUnknown` if everything was sent,
    ///   but the link ended before the receiver confirmed the resource.
    public func finished() async throws(PeerError) { _ = try await watch.outcome().get() }

    /// Gives the resource up; a receiver that keeps parts keeps the bytes that have arrived.
    ///
    /// - Parameter reason: What the other side is told, at most 1,000 bytes.
    public func cancel(_ reason: String = "") {
        // This comes first, so that a resource that is still being hashed is not offered any more.
        watch.finish(.failure(PeerError(.cancelled, "The transfer was stopped.")))
        transfers.advance(key) { $0.cancelled(reason: reason) }
    }
}
