import PeerCore
import PeerProtocol
import PeerStorage

/// The outcome of offering a resource to several peers.
///
/// See <doc:Groups> for an example.
public struct ResourceSendResult: Sendable {
    /// One for each peer to which it is offered.
    public var sendings: [ResourceSending] = []
    /// The peers to which it is not offered, and why.
    public var missed: [PeerID: PeerError] = [:]
}

/// A resource that this side has offered to a peer.
///
/// It goes on when this object is let go of. See <doc:SendingFiles> for an example.
public final class ResourceSending: Sendable {
    /// The peer.
    public let peer: PeerID
    /// The name under which it is offered.
    public let name: String

    let key: ResourceDesk.Key
    let watch: ResourceWatch
    private let desk: ResourceDesk

    init(_ key: ResourceDesk.Key, named name: String, watch: ResourceWatch, desk: ResourceDesk) {
        self.key = key
        self.peer = key.peer
        self.name = name
        self.watch = watch
        self.desk = desk
    }

    /// How far it is, now.
    public var currentProgress: ResourceProgress { watch.progress }

    /// How far it is, from now on: at most ten times a second, the latest only.
    public func progress() -> ResourceProgressUpdates { ResourceProgressUpdates(stream: watch.updates()) }

    /// Waits until the receiver has stored the whole resource.
    ///
    /// A task that is cancelled only stops waiting; ``cancel(_:)`` gives the resource up.
    ///
    /// - Throws: `PeerError` with `PeerError.Code.declined` if the peer does not want it, `PeerError.Code.peerCancelled`,
    ///   `PeerError.Code.peerFailed`, `PeerError.Code.connectionLost`; `PeerError.Code.outcomeUnknown` if everything was sent,
    ///   but the link ended before the receiver said that it has it.
    public func finished() async throws(PeerError) {
        _ = try await watch.finished()
    }

    /// Gives it up; the receiver keeps what has come, if it keeps parts.
    ///
    /// - Parameter reason: What the other side is told, at most 1,000 bytes.
    public func cancel(_ reason: String = "") {
        // First, so that it is not offered any more if it has not been yet.
        watch.finish(.failure(PeerError(.cancelled, "The transfer was stopped.")))
        desk.advance(key) { $0.cancelled(reason: reason) }
    }
}
