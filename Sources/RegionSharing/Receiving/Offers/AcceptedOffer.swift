package import PeerCore
package import RegionStore

/// An accepted offer, so that the person is not asked again after a broken connection.
package struct AcceptedOffer {
    /// What the yes was about.
    package struct Terms: Hashable {
        /// The authenticated sender; nil in plain text.
        var peer: PeerID?
        var manifest: ContentDigest
        /// The local files that the person agreed to replace.
        var localMap: ContentDigest?
        var localRouting: ContentDigest?
        /// The signer of the offered map; nil for an unsigned map.
        var signer: PeerID?
        /// Whether the map is offered as a part, which is added.
        var isPart = false

        /// Creates the terms of an offer, which is added to a region of the store or to none.
        package init(_ offer: TransferOffer, _ region: Region? = nil, _ local: RegionSummary? = nil) {
            (peer, manifest) = (offer.peer.security.certifiedID, offer.manifest.digest)
            (localMap, localRouting) = (local?.mapDigest, local?.routingDigest)
            (signer, isPart) = (region?.signature?.signer, region?.cut != nil)
        }
    }

    var terms: Terms
    var kinds: Set<ResourceKind>
    /// The offered resources.
    var entries: [ManifestEntry]

    /// The accepted map; nil for none.
    var map: ContentDigest? {
        ResourceKind.regionMaps.filter(kinds.contains).compactMap { digest(of: $0, in: entries) }.first
    }

    /// Whether the yes counts for an offer, too.
    ///
    /// It counts for the same offer of the same machine, and for another machine that is trusted and offers the same, as far as it was
    /// accepted.
    func covers(_ offer: TransferOffer, _ other: Terms, _ consent: Consent) -> Bool {
        if terms == other { return terms.peer != nil || consent == .everything }
        guard offer.peer.isTrusted, terms.peer != other.peer,
            terms.localMap == other.localMap, terms.localRouting == other.localRouting,
            map == nil || terms.signer == other.signer && terms.isPart == other.isPart
        else { return false }
        return kinds.allSatisfy { digest(of: $0, in: entries) == digest(of: $0, in: offer.manifest.entries) }
    }

    /// Checks that another machine that takes the place of the sender offers the same map.
    func checkSubstitute(_ offer: TransferOffer) throws {
        guard let map, let peer = terms.peer, peer != offer.peer.security.certifiedID,
            offer.manifest.mapEntry?.digest != map
        else { return }
        throw ReceivingError.anotherMap
    }

    private func digest(of kind: ResourceKind, in entries: [ManifestEntry]) -> ContentDigest? {
        entries.first { $0.kind == kind }?.digest
    }
}
