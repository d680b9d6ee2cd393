public import FoundationEssentials
import GRDB
import Glibc
package import MapFiles
import PeerProtocol
import PeerStorage
public import RegionModel

extension RegionStore {
    /// Returns all regions, sorted by name.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.storage` if the store cannot be read.
    public func regions() throws -> [RegionSummary] { try database.read { try Self.summaries($0) } }

    /// Returns a region.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.notFound` if there is no such region.
    public func region(_ id: UUID) throws -> RegionSummary { try database.read { try Self.summary(id, $0) } }

    /// Finds a region by a text that a person has typed.
    ///
    /// The text can be the name of the region, the beginning of its id, the beginning of its name, or the beginning of a word
    /// in the name. Case is ignored. The first of these that matches any region decides.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - isExact: Whether a part of the name does not count, for operations that cannot be undone.
    /// - Returns: The region.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.notFound` if no region matches,
    ///   `RegionStoreError.Code.ambiguous` if several do; the message lists them.
    public func region(matching text: String, isExact: Bool = false) throws -> RegionSummary {
        let candidates = try regions(matching: text, isExact: isExact)
        guard let only = candidates.first else {
            throw RegionStoreError(
                .notFound,
                try !isExact || regions(matching: text).isEmpty
                    ? "There is no region “\(text)” in this store."
                    : "“\(text)” is only a part of the name of a region.",
                remedy: "List the regions to see their names and ids."
            )
        }
        guard candidates.count == 1 else {
            let list = candidates.map { "\($0.name) (\($0.id.uuidString))" }.joined(separator: ", ")
            throw RegionStoreError(
                .ambiguous,
                "“\(text)” matches several regions: \(list).",
                remedy: "Use the start of the id instead."
            )
        }
        return only
    }

    /// Returns the regions that match a text by the rules of ``region(matching:isExact:)``.
    package func regions(matching text: String, isExact: Bool = false) throws -> [RegionSummary] {
        RegionQuery(text, isExact: isExact).matches(try regions(), name: \.name, id: \.id)
    }

    /// Returns the recorded hikes of a region, the oldest first.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.storage` if they cannot be read.
    public func hikes(of regionID: UUID) throws -> [SavedRoute] {
        try database.read { try RegionItemRecord<SavedRoute>.fetchAll(of: regionID, $0) }
    }

    /// Returns the planned routes of a region, the oldest first.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.storage` if they cannot be read.
    public func plannedRoutes(of regionID: UUID) throws -> [PlannedRoute] {
        try database.read { try RegionItemRecord<PlannedRoute>.fetchAll(of: regionID, $0) }
    }

    /// Returns the waypoints of a region, the oldest first.
    ///
    /// - Parameters:
    ///   - regionID: The region.
    ///   - skippingUnreadable: Whether waypoints that cannot be read are left out. If not, they are an error.
    /// - Returns: The waypoints.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.storage` if they cannot be read.
    public func waypoints(of regionID: UUID, skippingUnreadable: Bool = false) throws -> [Waypoint] {
        try database.read { database in
            skippingUnreadable
                ? try RegionItemRecord<Waypoint>.fetchReadable(of: regionID, database).items
                : try RegionItemRecord<Waypoint>.fetchAll(of: regionID, database)
        }
    }

    static func summary(_ id: UUID, _ database: Database) throws -> RegionSummary {
        guard let summary = try summaries(database, only: id).first else {
            throw RegionStoreError(.notFound, "There is no region \(id.uuidString) in this store.")
        }
        return summary
    }

    /// Returns the format of the tiles of a region; nil if it is unknown.
    ///
    /// The description of the region has it, too, but counts its items and photos.
    package func tileFormat(of id: UUID) throws -> TileFormat? {
        let sql = "SELECT format FROM region WHERE id = ?"
        return try database.read { try String.fetchOne($0, sql: sql, arguments: [id.uuidString]) }
            .flatMap(TileFormat.init(rawValue:))
    }

    private static func summaries(_ database: Database, only id: UUID? = nil) throws -> [RegionSummary] {
        // Chunk digests are not read, because they have up to 2 MiB for each file.
        let sql = """
            SELECT region.*, map.size AS mapSize, map.digest AS mapDigest,
                routing.size AS routingSize, routing.digest AS routingDigest,
                (SELECT count(*) FROM hike WHERE regionID = region.id) AS hikeCount,
                (SELECT count(*) FROM plannedRoute WHERE regionID = region.id) AS plannedRouteCount,
                (SELECT count(*) FROM waypoint WHERE regionID = region.id) AS waypointCount,
                photos.count AS photoCount, photos.size AS photoSize
            FROM region
            JOIN regionFile AS map ON map.regionID = region.id AND map.kind IN ('mbtiles', 'sealed')
            LEFT JOIN regionFile AS routing ON routing.regionID = region.id AND routing.kind = 'routing'
            LEFT JOIN (
                SELECT regionID, count(*) AS count, sum(length(data)) AS size FROM photo GROUP BY regionID
            ) AS photos ON photos.regionID = region.id
            WHERE ?1 IS NULL OR region.id = ?1
            ORDER BY region.name COLLATE NOCASE, region.id
            """
        // Of a row of a cursor, GRDB finds the columns by their names much faster than of a copied row.
        let rows = try Row.fetchCursor(database, sql: sql, arguments: [id?.uuidString])
        return try Array(rows.map(RegionSummary.init(row:)))
    }
}

extension RegionSummary {
    fileprivate init(row: Row) throws {
        let record = try RegionRecord(row: row)
        guard let mapDigest = try Self.digest(row["mapDigest"]) else { throw ImpossibleValue(column: "digest") }
        self.init(
            id: record.id,
            name: record.name,
            boundingBox: record.boundingBox,
            coverageBytes: record.coverage,
            zoomLevels: record.zoomLevels,
            tileCount: record.tileCount,
            plannedTileCount: record.announcedTileCount,
            format: record.format,
            attribution: record.attribution.map(PlainText.text(ofHTML:)),
            createdAt: record.createdAt,
            addedAt: record.addedAt,
            edition: record.edition,
            cut: record.cut,
            foreign: record.foreign,
            signatureText: record.signatureText,
            mapSize: UInt64(clamping: row["mapSize"] as Int64),
            mapDigest: mapDigest,
            routingSize: (row["routingSize"] as Int64?).map(UInt64.init(clamping:)),
            routingDigest: try Self.digest(row["routingDigest"]),
            hikeCount: row["hikeCount"],
            plannedRouteCount: row["plannedRouteCount"],
            waypointCount: row["waypointCount"],
            photoCount: row["photoCount"] ?? 0,
            photoSize: UInt64(clamping: row["photoSize"] as Int64? ?? 0)
        )
    }

    private static func digest(_ bytes: Data?) throws -> ContentDigest? {
        guard let bytes else { return nil }
        guard let digest = bytes.withUnsafeBytes({ ContentDigest(bytes: $0) }) else {
            throw ImpossibleValue(column: "digest")
        }
        return digest
    }
}

extension RegionStore {
    /// Returns a tile of a region's map; nil if the map does not have it.
    ///
    /// The map is found and opened each time, so the tile is that of the current map, also if another process replaces the map.
    ///
    /// - Throws: `RegionStoreError` if the region does not exist, or if its map cannot be read.
    package func tile(_ address: TileAddress, of regionID: UUID) throws -> MapTile? {
        try map(of: regionID) { _ in .oneTile }.tile(address)
    }

    /// Opens the map of a region.
    ///
    /// - Parameter limits: Returns the limits on all queries together for a size in bytes.
    func map(
        of regionID: UUID,
        _ limits: (_ size: UInt64) -> CheckLimits = CheckLimits.receiving
    ) throws -> UntrustedDatabase {
        let file = try database.read { try KnownFile.fetchOne(.mbtiles, of: regionID, $0) }
        guard let file else {
            // Throws if there is no such region.
            throw Self.isNotDrawn(try region(regionID))
        }
        // The lock prevents the removal of the file before it is open. An open file stays readable.
        return try folders.withSharedLock {
            _ = try folders.open(file)
            return try Self.openMap(folders.path(of: file), limits(file.size))
        }
    }

    /// Reads the routing database of a region, which cannot be removed meanwhile; nil if the region has none.
    ///
    /// - Parameter body: Reads the file at a path.
    package func withRoutingDatabase<Result>(
        of regionID: UUID,
        _ body: (_ path: String) throws -> Result
    ) throws -> Result? {
        try folders.withSharedLock {
            guard let file = try database.read({ try KnownFile.fetchOne(.routing, of: regionID, $0) }) else {
                return nil
            }
            _ = try folders.open(file)
            return try body(folders.path(of: file))
        }
    }

    /// Opens a map of the store, or one that a source holds.
    static func openMap(_ path: String, _ limits: CheckLimits) throws -> UntrustedDatabase {
        try UntrustedDatabase(path, .immutable, called: "The map", for: .read, within: limits)
    }
}
