package import FoundationEssentials
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

    /// The dates of the two maps; nil if the map stays.
    package var mapDates: MapDates?
    /// Whether the part that would be added and the map have too many tiles to be joined.
    package var hasTooManyTiles: Bool

    /// Compares an offer with the region in the store.
    ///
    /// - Parameters:
    ///   - local: The region in the store.
    ///   - region: The offered region.
    ///   - entries: The offered resources.
    ///   - wanted: The kinds that would be accepted.
    package init(of local: RegionSummary, by region: Region, entries: [ManifestEntry], wanted: Set<ResourceKind>) {
        self.local = local
        let offered = Dictionary(entries.map { ($0.kind, $0.digest) }) { first, _ in first }
        var files: Set<ResourceKind> = []
        let mapKind = local.mapKind
        if wanted.contains(mapKind), let map = offered[mapKind], map != local.mapDigest { files.insert(mapKind) }
        addsToMap = region.cut != nil && files.contains(.mbtiles)
        let (tileCount, isTooLarge) = local.tileCount.addingReportingOverflow(region.tileCount)
        hasTooManyTiles = addsToMap && (isTooLarge || tileCount > MapCut.maximumTileCount)
        if let routing = local.routingDigest {
            if wanted.contains(.routing), let other = offered[.routing], other != routing { files.insert(.routing) }
            if files.contains(.mbtiles), !addsToMap, offered[.routing] == nil { files.insert(.routing) }
        }
        self.files = files
        mapDates = files.contains(mapKind) ? MapDates(offered: region, local: local) : nil
        coversAnotherArea = files != (addsToMap ? [.mbtiles] : []) && !local.place.overlaps(region.place)
    }

    /// Why files must not be replaced without asking a person.
    package enum Objection: Hashable, Sendable {
        /// The sender is not trusted.
        case untrustedSender
        /// The offered region covers a different area.
        case anotherArea
    }

    /// Returns why the files must not be replaced unless a person agrees.
    ///
    /// - Parameter isSenderKnown: Whether the sender is trusted or was named by a share link.
    /// - Returns: The objection; nil if nothing would be lost, or the files may be replaced.
    package func objection(isSenderKnown: Bool) -> Objection? {
        guard !files.isEmpty else { return nil }
        guard isSenderKnown else { return .untrustedSender }
        return coversAnotherArea ? .anotherArea : nil
    }
}

/// The dates of an offered map and of the map in the store that it would replace.
package struct MapDates: Hashable, Sendable {
    /// The date of the offered map.
    package var offered: Date
    /// The date of the map in the store.
    package var local: Date
    /// Whether the dates are those in the maps' metadata; if not, they are those at which the maps were first imported.
    package var areStated: Bool

    /// Compares two maps: by their own dates if both have one, else by those of their first import on any machine.
    init(offered: Region, local: RegionSummary) {
        if let offeredDate = offered.mapDate, let localDate = local.mapDate {
            (self.offered, self.local, areStated) = (offeredDate, localDate, true)
        } else {
            (self.offered, self.local, areStated) = (offered.createdAt, local.createdAt, false)
        }
    }
}
