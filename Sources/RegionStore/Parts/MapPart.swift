import FoundationEssentials
import GRDB
import MapFiles
import PeerProtocol
import PeerStorage
import RegionModel

/// The map, an MBTiles file.
///
/// Every region has one, or has the file of another program in its place (``ForeignPart``).
struct MapPart: DatabaseFilePart {
    var kind: ResourceKind { .mbtiles }
    var title: String { "map" }
    var fileSuffix: String { ".mbtiles" }
    var isDispensable: Bool { false }
    var hasTiles: Bool { true }
    var definesRegion: Bool { true }

    func describe(_ region: inout Region, isSent: Bool) {
        if !isSent, region.foreign == nil { region.signature = nil }
    }

    func checkOffer(_ entry: ManifestEntry?, of region: Region) throws {
        guard let entry else { return }
        guard region.foreign == nil else {
            throw ManifestValidator.refusal(
                "a map with tiles is offered, but the region has the file of another program"
            )
        }
        try ManifestValidator.checkSize(of: entry, region)
        guard region.tileCount > 0 else { throw ManifestValidator.refusal("the map has no tiles") }
        try checkSize(entry)
    }

    func check(_ database: UntrustedDatabase) throws { _ = try MapDescription(checking: database) }

    func examine(
        _ file: OpenFile,
        _ validator: ResourceValidator,
        _ arrivals: inout IncomingRegion.Arrivals
    ) throws {
        let region = validator.region
        let map = try MapDescription(checking: try validator.database(file))
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
        try validator.check(map.edition)
        // The bounds in the map's metadata are not compared, because they may be wrong. Imports ignore wrong bounds too.
        guard !map.coverage.isApart(from: validator.place.area) else {
            throw validator.refusal("it covers another area than announced")
        }
        // An older version announces rows without data as tiles.
        let possible = [map.coverage, map.rowCoverage].compactMap { $0 }
        guard validator.place.coverage.map({ announced in possible.contains { $0.matches(announced) } }) ?? true else {
            throw validator.refusal("it has other tiles than announced")
        }
        arrivals.findings[kind] = map
    }

    func updateRegion(_ commit: RegionCommit, _ before: RegionCommit.Before, _ database: Database) throws {
        let region = commit.region
        guard let map = commit.state.arrivals.findings[kind] as? MapDescription else {
            // If only items were received, the region must still exist.
            guard before.region != nil || commit.transfer.entries.contains(where: \.definesRegion) else {
                throw RegionCommit.removed(region)
            }
            return
        }
        guard let entry = commit.transfer.manifest.entry(of: kind) else { return }
        let digest = commit.contents(of: entry).digest
        // Of a part that was added to a map, the signature is none of the map.
        let signature = region.signature.flatMap { $0.isValid(for: digest) ? $0 : nil }
        // With the same map, the description stays, too. Who has imported it may be news.
        if before.region != nil, before.files[kind] == digest {
            return try RegionRecord.sign(region.id, signature, database)
        }
        // A person may know the region by the name that it has in this store, so the sender's name does not replace it.
        let name = before.region?.name ?? region.name
        var record = RegionRecord(id: region.id, name: name, map: map, createdAt: region.createdAt)
        if commit.state.joinedMap != nil, let former = before.region {
            record.createdAt = former.createdAt
            let joined = former.cut.flatMap { former in region.cut.map(former.joined) }
            record.cut = joined.flatMap { map.tileCount < $0.wholeTileCount ? $0 : nil }
            // Parts of different maps are no part of one map, whose size would be known.
            if let one = former.cut, let other = region.cut,
                (one.wholeTileCount, one.wholeSize) != (other.wholeTileCount, other.wholeSize)
            {
                record.cut?.isSizeEstimated = true
            }
            record.announcedTileCount = max(former.announcedTileCount, map.tileCount)
            record.keepArea(of: former)
        } else {
            // What the sender says makes the area smaller only, as bounds in the map do.
            record.boundingBox = map.coverage.area(statedAs: region.boundingBox) ?? region.boundingBox
            record.zoomLevels = region.zoomLevels
            record.announcedTileCount = region.tileCount
            record.cut = region.cut
        }
        record.signature = signature
        try record.upsert(database)
    }
}
