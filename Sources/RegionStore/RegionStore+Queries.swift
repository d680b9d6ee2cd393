public import FoundationEssentials
import GRDB
import PeerProtocol

extension RegionStore {
    /// Returns all regions, by name.
    public func regions() throws -> [RegionSummary] {
        try database.read { try Self.summaries($0) }
    }

    /// Returns a region.
    ///
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/notFound`` if there is none.
    public func region(_ id: UUID) throws -> RegionSummary {
        try database.read { try Self.summary(id, $0) }
    }

    /// Finds the one region that a person means: by its name, upper or lower case, or by the start of its id; else by the
    /// start of its name, or of a word in it.
    ///
    /// - Parameters:
    ///   - text: What the person wrote.
    ///   - isExact: Whether a part of the name is not enough: what is done cannot be undone.
    /// - Returns: The region.
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/notFound``, or ``RegionStoreError/Code/ambiguous`` if
    ///   several are meant; the message then lists them.
    public func region(matching text: String, isExact: Bool = false) throws -> RegionSummary {
        let all = try regions()
        let candidates = RegionQuery(text, isExact: isExact).matches(all)
        guard let only = candidates.first else {
            throw RegionStoreError(
                .notFound,
                "There is no region “\(text)” in this store.",
                remedy: all.isEmpty
                    ? "Import a map first."
                    : isExact
                        ? "Use the full name or the start of the id, as the list of regions shows them."
                        : "List the regions to see their names and ids."
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

    /// Returns the region in whose area most of these places lie, the smallest of several; nil unless one has more than
    /// half of them.
    package func region(for coordinates: [Coordinate]) throws -> RegionSummary? {
        let candidates = try regions().map { region in
            (region: region, count: coordinates.count { region.boundingBox.contains($0) })
        }
        let best = candidates.max { first, second in
            (first.count, -first.region.boundingBox.extent) < (second.count, -second.region.boundingBox.extent)
        }
        guard let best, best.count > coordinates.count / 2 else { return nil }
        return best.region
    }

    /// Returns the recorded hikes of a region, the oldest first.
    public func hikes(of regionID: UUID) throws -> [SavedRoute] {
        try database.read { try RegionItemRecord<SavedRoute>.fetchAll(of: regionID, $0) }
    }

    /// Returns the planned routes of a region, the oldest first.
    public func plannedRoutes(of regionID: UUID) throws -> [PlannedRoute] {
        try database.read { try RegionItemRecord<PlannedRoute>.fetchAll(of: regionID, $0) }
    }

    /// Returns the waypoints of a region, the oldest first.
    ///
    /// - Parameters:
    ///   - regionID: The region.
    ///   - skippingUnreadable: Whether a waypoint that cannot be read is left out, and no error.
    /// - Returns: The waypoints.
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/storage`` if they cannot be read.
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

    private static func summaries(_ database: Database, only id: UUID? = nil) throws -> [RegionSummary] {
        // Chunk digests, up to 2 MiB a file, are left where they are.
        let sql = """
            SELECT region.*, map.size AS mapSize, map.digest AS mapDigest,
                routing.size AS routingSize, routing.digest AS routingDigest,
                (SELECT count(*) FROM hike WHERE regionID = region.id) AS hikeCount,
                (SELECT count(*) FROM plannedRoute WHERE regionID = region.id) AS plannedRouteCount,
                (SELECT count(*) FROM waypoint WHERE regionID = region.id) AS waypointCount,
                photos.count AS photoCount, photos.size AS photoSize
            FROM region
            JOIN regionFile AS map ON map.regionID = region.id AND map.kind = 'mbtiles'
            LEFT JOIN regionFile AS routing ON routing.regionID = region.id AND routing.kind = 'routing'
            LEFT JOIN (
                SELECT regionID, count(*) AS count, sum(length(data)) AS size FROM photo GROUP BY regionID
            ) AS photos ON photos.regionID = region.id
            WHERE ?1 IS NULL OR region.id = ?1
            ORDER BY region.name COLLATE NOCASE, region.id
            """
        return try Row.fetchAll(database, sql: sql, arguments: [id?.uuidString]).map(RegionSummary.init(row:))
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
            zoomLevels: record.zoomLevels,
            tileCount: record.tileCount,
            plannedTileCount: record.announcedTileCount,
            format: record.format,
            attribution: record.attribution,
            createdAt: record.createdAt,
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

extension BoundingBox {
    fileprivate var extent: Double { (north - south) * (east - west) }
}
