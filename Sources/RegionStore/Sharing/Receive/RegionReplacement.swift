import MapFiles
package import PeerProtocol
import PeerStorage
package import RegionModel

/// What accepting an offer would replace of the region with the same id in the store.
///
/// An id is no secret: anyone who ever received a region knows its id, and can offer other files under it.
package struct RegionReplacement: Sendable {
    /// The region in the store.
    package var local: RegionSummary
    /// The files of the region in the store that would be lost: replaced, or removed because they belong to a replaced map.
    package var files: Set<ResourceKind>
    /// Whether the offered map is a part whose tiles are added to the map in the store, so that nothing is taken away from it.
    package var addsToMap: Bool

    /// Whether files would be lost although the offered region covers a different area.
    package var coversAnotherArea: Bool

    /// The ages of the two maps; nil if the map stays.
    package var ages: MapAges?
    /// Whether the map loses the signature that it has, or gets another person's.
    package var losesSigner: Bool
    /// Whether the part that would be added and the map have too many tiles to be joined.
    package var hasTooManyTiles: Bool

    /// Compares an offer with the region in the store.
    ///
    /// - Parameter change: What a map would do to that of the region; nil if it is not known.
    package init(
        of local: RegionSummary,
        by region: Region,
        entries: [ManifestEntry],
        wanted: Set<ResourceKind>,
        change: MapChange? = nil
    ) {
        self.local = local
        let offered = Dictionary(entries.map { ($0.kind, $0.digest) }) { first, _ in first }
        var files: Set<ResourceKind> = []
        let mapKind = local.mapKind
        // A part whose tiles are all in the map changes nothing.
        let hasAll = region.cut != nil && change?.union?.isNothing == true
        if wanted.contains(mapKind), let map = offered[mapKind], map != local.mapDigest, !hasAll {
            files.insert(mapKind)
        }
        let addsToMap = region.cut != nil && files.contains(.mbtiles)
        self.addsToMap = addsToMap
        let least =
            local.place.coverage.flatMap { here in region.place.coverage.map(here.leastUnionCount) }
            ?? max(local.tileCount, region.tileCount)
        hasTooManyTiles = addsToMap && (change?.hasTooManyTiles == true || least > MapCut.maximumTileCount)
        if let routing = local.routingDigest {
            if wanted.contains(.routing), let other = offered[.routing], other != routing { files.insert(.routing) }
            if files.contains(.mbtiles), !addsToMap, offered[.routing] == nil { files.insert(.routing) }
        }
        self.files = files
        var ages = MapAges(offered: region.edition, local: local.edition)
        // Only if neither states anything that the other one does not.
        let here = local.cut == nil ? local.mapDigest : local.cut?.wholeDigest
        let there = region.cut == nil ? offered[.mbtiles] : region.cut?.wholeDigest
        ages.isOfSameWhole = local.edition == region.edition && here != nil && here == there
        let signer = files.contains(mapKind) ? local.signature?.signer : nil
        losesSigner = signer.map { addsToMap || $0 != region.signature?.signer } ?? false
        self.ages = files.contains(mapKind) ? ages : nil
        coversAnotherArea = files != (addsToMap ? [.mbtiles] : []) && !local.place.overlaps(region.place)
    }

    /// Why files must not be replaced without asking a person.
    package enum Objection: Hashable, Sendable {
        /// The sender is not trusted.
        case untrustedSender
        /// The offered region covers a different area.
        case anotherArea
        /// The offered map is older.
        case olderMap
        /// It is not known which map is newer.
        case unknownAge
        /// The map would be replaced by one that is not signed, or is signed by another person.
        case anotherSigner
    }

    /// Returns why the files must not be replaced unless a person agrees.
    ///
    /// - Parameter isSenderKnown: Whether the sender is trusted or was named by a share link.
    /// - Returns: The objection; nil if nothing would be lost, or the files may be replaced.
    package func objection(isSenderKnown: Bool) -> Objection? {
        guard !files.isEmpty else { return nil }
        guard isSenderKnown else { return .untrustedSender }
        if coversAnotherArea { return .anotherArea }
        switch ages?.age {
        case .older: return .olderMap
        case .unknown: return .unknownAge
        case .newer, .same, nil: return losesSigner && !addsToMap ? .anotherSigner : nil
        }
    }
}
