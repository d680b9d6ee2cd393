import PeerCore
import RegionStore
import Synchronization

/// A place in a store for a region that somebody sends, whose name is learnt only when the offer comes.
final class DeferredSink: ResourceSink {
    private let store: RegionStore
    private let kinds: Set<ResourceKind>?
    private let routes: RouteSelection
    private let partner = Mutex<(partner: TransferPeer, replacesItems: Bool)?>(nil)

    init(store: RegionStore, wanting kinds: Set<ResourceKind>?, routes: RouteSelection) {
        self.store = store
        self.kinds = kinds
        self.routes = routes
    }

    /// Says who sends, for the history, and whether their newer items replace those that are here.
    func identify(_ peer: RemotePeer, replacesItems: Bool) {
        partner.withLock { $0 = (TransferPeer(peer), replacesItems) }
    }

    func understands(_ kind: ResourceKind) -> Bool {
        store.sink().understands(kind)
    }

    func examine(_ manifest: Manifest) throws {
        try store.sink(wanting: kinds).examine(manifest)
    }

    func begin(_ manifest: Manifest, accepting kinds: Set<ResourceKind>) throws -> any IncomingTransfer {
        let known = partner.withLock { $0 }
        let sink = store.sink(from: known?.partner, routes: routes, replacesItems: known?.replacesItems ?? false)
        return try sink.begin(manifest, accepting: kinds)
    }
}

extension TransferPeer {
    /// Notes a peer.
    ///
    /// In plain text its id is only claimed, and left out.
    init(_ peer: RemotePeer) {
        self.init(id: peer.security.certifiedID, displayName: peer.displayName)
    }
}
