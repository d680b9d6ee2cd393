import PeerCore
import RegionStore
import Synchronization

/// A sink whose sender is known only after the offer has arrived.
final class DeferredSink: ResourceSink {
    private let store: RegionStore
    private let kinds: Set<ResourceKind>?
    private let routes: RouteSelection
    private let isShown: @Sendable (Manifest) -> Bool
    private let partner = Mutex<(partner: TransferPeer, replacesItems: Bool)?>(nil)

    /// Creates a sink; `isShown` says whether a person will see how much of an offer is transferred.
    init(
        store: RegionStore,
        wanting kinds: Set<ResourceKind>?,
        routes: RouteSelection,
        isShown: @escaping @Sendable (Manifest) -> Bool
    ) {
        self.store = store
        self.kinds = kinds
        self.routes = routes
        self.isShown = isShown
    }

    /// Sets the sender, for the history, and whether its newer items replace local ones.
    func identify(_ peer: RemotePeer, replacesItems: Bool) {
        partner.withLock { $0 = (TransferPeer(peer), replacesItems) }
    }

    func understands(_ kind: ResourceKind) -> Bool {
        store.sink().understands(kind)
    }

    func examine(_ manifest: Manifest) throws {
        try store.sink(wanting: kinds).examine(manifest)
    }

    func survey(of manifest: Manifest) throws -> (any OfferSurvey)? {
        guard isShown(manifest) else { return nil }
        return try store.sink(wanting: kinds).survey(of: manifest)
    }

    func begin(_ manifest: Manifest, accepting kinds: Set<ResourceKind>) throws -> any IncomingTransfer {
        let known = partner.withLock { $0 }
        let sink = store.sink(from: known?.partner, routes: routes, replacesItems: known?.replacesItems ?? false)
        return try sink.begin(manifest, accepting: kinds)
    }
}

extension TransferPeer {
    /// Creates the description of a peer.
    ///
    /// In plain text, the id is only claimed, so it is left out.
    init(_ peer: RemotePeer) {
        self.init(id: peer.security.certifiedID, displayName: peer.displayName)
    }
}
