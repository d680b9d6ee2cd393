import PeerCore
import RegionStore
import Synchronization

/// A place in a store for a region that somebody sends, whose name is learnt only when the offer comes.
final class PartnerSink: ResourceSink {
    private let store: RegionStore
    private let partner = Mutex<(partner: TransferPartner, replacesItems: Bool)?>(nil)

    init(store: RegionStore) {
        self.store = store
    }

    /// Says who sends, for the history, and whether their newer items replace those that are here.
    func identify(_ peer: RemotePeer, replacesItems: Bool) {
        partner.withLock { $0 = (TransferPartner(peer), replacesItems) }
    }

    func examine(_ manifest: Manifest) throws {
        try store.sink().examine(manifest)
    }

    func begin(_ manifest: Manifest, accepting kinds: Set<ResourceKind>) throws -> any IncomingTransfer {
        let known = partner.withLock { $0 }
        return try store.sink(from: known?.partner, replacesItems: known?.replacesItems ?? false)
            .begin(manifest, accepting: kinds)
    }
}

extension TransferPartner {
    /// Notes a peer.
    ///
    /// In plain text its id is only claimed, and left out.
    init(_ peer: RemotePeer) {
        self.init(id: peer.security.certifiedID, displayName: peer.displayName)
    }
}
