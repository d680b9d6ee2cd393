import FoundationEssentials
import GRDB
import PeerProtocol
import PeerStorage

/// The map, an MBTiles file.
///
/// Every region has one.
struct MapPart: DatabaseFilePart {
    var kind: ResourceKind { .mbtiles }
    var title: String { "map" }
    var fileSuffix: String { ".mbtiles" }
    var isDispensable: Bool { false }
    var definesRegion: Bool { true }

    func checkOffer(_ entry: ManifestEntry?, of region: Region) throws {
        guard let entry else { return }
        guard UInt64(clamping: region.fileSizeBytes) == entry.size else {
            throw ManifestValidator.refusal(
                "the size of the map is given as \(region.fileSizeBytes) and as \(entry.size) bytes"
            )
        }
        guard region.tileCount > 0 else { throw ManifestValidator.refusal("the map has no tiles") }
        try checkSize(entry)
    }

    func examine(
        _ file: OpenFile,
        _ validator: ResourceValidator,
        _ arrivals: inout IncomingRegion.Arrivals
    ) throws {
        let region = validator.region
        let map = try MBTilesFile(checking: try validator.database(file), .quick)
        guard region.zoomLevels.contains(map.zoomLevels.lowerBound),
            region.zoomLevels.contains(map.zoomLevels.upperBound)
        else {
            throw validator.refusal(
                "its zooms are \(map.zoomLevels.lowerBound) to \(map.zoomLevels.upperBound) instead of "
                    + "\(region.zoomLevels.lowerBound) to \(region.zoomLevels.upperBound)"
            )
        }
        guard map.tileCount <= region.tileCount else {
            throw validator.refusal("it has \(map.tileCount) tiles instead of \(region.tileCount)")
        }
        // The bounds in the map's metadata are not compared, because they may be wrong. Imports ignore wrong bounds too.
        guard [map.boundingBox, map.tiledArea].allSatisfy(validator.area.overlaps) else {
            throw validator.refusal("it covers another area than announced")
        }
        arrivals.findings[kind] = map
    }

    func updateRegion(_ commit: RegionCommit, _ before: RegionCommit.Before, _ database: Database) throws {
        let region = commit.region
        guard let map = commit.state.arrivals.findings[kind] as? MBTilesFile else {
            // Only items were received, so the region must still exist.
            guard before.region != nil else {
                throw RegionStoreError(.conflict, "“\(region.name)” was removed during the transfer.")
            }
            return
        }
        if var local = before.region, before.files[kind] == commit.transfer.manifest.entry(of: kind)?.digest {
            // The map and its description stay. The name changes if no person has chosen one on this machine.
            guard !local.isRenamed, commit.transfer.replacesItems else { return }
            local.name = region.name
            return try local.update(database)
        }
        var record = RegionRecord(id: region.id, name: region.name, map: map, createdAt: region.createdAt)
        record.boundingBox = region.boundingBox
        record.zoomLevels = region.zoomLevels
        record.announcedTileCount = region.tileCount
        if let local = before.region, local.isRenamed {
            record.name = local.name
            record.isRenamed = true
        }
        try record.upsert(database)
    }
}
