import PeerCore
import RegionStore

/// An accepted offer, so that the person is not asked again after a broken connection.
struct AcceptedOffer {
    /// What the yes was about.
    struct Terms: Hashable {
        /// The authenticated sender; nil in plain text.
        var peer: PeerID?
        var manifest: ContentDigest
        /// The local files that the person agreed to replace.
        var localMap: ContentDigest?
        var localRouting: ContentDigest?
        /// Who has signed the offered map; nil for nobody.
        var signer: PeerID?
        /// Whether the map is offered as a part, which is added.
        var isPart = false
    }

    var terms: Terms

    /// The accepted kinds.
    var kinds: Set<ResourceKind>

    /// The offered resources.
    var entries: [ManifestEntry]

    /// The accepted map; nil for none.
    var map: ContentDigest? {
        ResourceKind.maps.filter(kinds.contains).compactMap { digest(of: $0, in: entries) }.first
    }

    /// Whether the yes counts for an offer, too.
    ///
    /// It counts for the same offer of the same machine, and for another machine that is trusted and offers the same, as far as it was
    /// accepted.
    func covers(_ offer: TransferOffer, _ other: Terms, acceptsAll: Bool) -> Bool {
        if terms == other { return terms.peer != nil || acceptsAll }
        guard offer.peer.isTrusted, terms.peer != other.peer,
            terms.localMap == other.localMap, terms.localRouting == other.localRouting,
            map == nil || terms.signer == other.signer && terms.isPart == other.isPart
        else { return false }
        return kinds.allSatisfy { digest(of: $0, in: entries) == digest(of: $0, in: offer.manifest.entries) }
    }

    /// Checks that another machine that takes the place of the sender offers the same map.
    ///
    /// - Throws: ``CommandError`` if it offers another one. Its announcement was false.
    func checkSubstitute(_ offer: TransferOffer) throws {
        guard let map, let peer = terms.peer, peer != offer.peer.security.certifiedID,
            offer.manifest.mapEntry?.digest != map
        else { return }
        throw CommandError(.declined, "The other sender offers another map.")
    }

    private func digest(of kind: ResourceKind, in entries: [ManifestEntry]) -> ContentDigest? {
        entries.first { $0.kind == kind }?.digest
    }
}
