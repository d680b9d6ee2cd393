import FoundationEssentials
import PeerStorage
package import RegionModel

/// The description of a map, which is an MBTiles file.
package struct MapDescription: Sendable {
    /// The relevant metadata, by their keys in the file.
    package let metadata: [String: String]

    /// Where there are tiles.
    package let coverage: Coverage

    /// Where there are rows, if some of them are no tiles: they have no data, or are further ones of a place; nil if all are tiles.
    package let rowCoverage: Coverage?

    /// The area (``Coverage/area(statedAs:)``).
    package let boundingBox: BoundingBox

    /// The rows that are no tiles.
    ///
    /// They are left out of everything.
    package let strays: OmittedEntries

    /// The format of the tiles; nil if it is unknown.
    package let format: TileFormat?

    /// Whether one of the examined tiles has a known format.
    package let hasKnownTiles: Bool

    /// The number of tiles.
    package var tileCount: Int { coverage.tileCount }

    /// The lowest and highest zoom level that has tiles.
    package var zoomLevels: ClosedRange<Int> {
        (coverage.levels.first?.zoomLevel ?? 0)...(coverage.levels.last?.zoomLevel ?? 0)
    }

    /// Where the map is.
    package var place: MapPlace { MapPlace(area: boundingBox, coverage: coverage) }

    /// The bounds in the metadata; nil if they are missing or invalid.
    var statedBounds: BoundingBox? { Self.bounds(in: metadata) }

    /// Reads the bounds in the metadata of a map; nil if they are missing or invalid.
    static func statedBounds(of database: UntrustedDatabase) throws -> BoundingBox? {
        bounds(in: try metadata(of: database))
    }

    private static func bounds(in metadata: [String: String]) -> BoundingBox? {
        metadata["bounds"].flatMap(BoundingBox.init(metadata:)).flatMap { $0.height > 0 && $0.width > 0 ? $0 : nil }
    }

    /// Whether the metadata state an area in which the map is not.
    package var hasMisplacedBounds: Bool { statedBounds.map(coverage.isApart) ?? false }

    /// Whether the map is in the stated area if its rows are counted from the north, and not as they are.
    package var countsRowsFromNorth: Bool {
        guard hasMisplacedBounds, let bounds = statedBounds, let turned = coverage.mirrored, let area = turned.area,
            !turned.isApart(from: bounds)
        else { return false }
        let common = area.commonPart(with: bounds)
        // At least half of the stated area, so that a map whose bounds are simply wrong is not turned by chance.
        return common * (area.width * area.height + bounds.width * bounds.height) / (1 + common)
            >= bounds.width * bounds.height / 2
    }

    /// How old the map is, as its metadata say.
    package var edition: MapEdition { MapEdition(metadata: metadata) }

    /// Reads how old a map is, as its metadata say, without a look at its tiles.
    package static func edition(of database: UntrustedDatabase) throws -> MapEdition {
        MapEdition(metadata: try metadata(of: database))
    }

    /// Opens and checks a file.
    ///
    /// Imports and receivers make the same check, so that every receiver accepts what was imported.
    package init(checking database: UntrustedDatabase) throws {
        try Self.checkKind(of: database)
        metadata = try Self.metadata(of: database)
        let tally = try Self.tally(of: database)
        strays = tally.strays
        guard let coverage = tally.coverage?.stating(ownZooms: Self.ownZooms(in: metadata)),
            let area = coverage.area(statedAs: Self.bounds(in: metadata))
        else {
            guard tally.rowCoverage == nil else {
                throw database.invalid("is an empty map: none of its tiles has data")
            }
            let example = tally.strays.example.map { ", but rows that no zoom level has, such as \($0)" } ?? ""
            throw database.invalid("is an empty map: it has no tiles\(example)")
        }
        (self.coverage, boundingBox, rowCoverage) = (coverage, area, tally.rowCoverage)
        guard try Self.findsData(database) || Self.hasData(database) else {
            throw database.invalid("is an empty map: none of its tiles has data")
        }
        if let address = tally.tileWithText { try Self.checkIsFound(address, in: database) }
        let found = try Self.format(of: database, at: coverage.levels.last?.zoomLevel ?? 0)
        // Many files claim PNG but contain another format, so the format of the tiles counts.
        format = found ?? metadata["format"].flatMap(TileFormat.init(metadata:))
        hasKnownTiles = found != nil
    }

    /// Counts the tiles, without sorting rows, which would need memory that grows with the map.
    ///
    /// A place with several rows is one tile, and rows without data are none.
    package static func tally(of database: UntrustedDatabase, holding count: Int = 1_000_000) throws -> TileTally {
        var tally = TileTally(holding: count)
        try forEachPlace(of: database) { row, hasData in tally.count(row, hasData: hasData) }
        if tally.countPlaces(), try tally.tileWithText != nil || !hasUniquePlaces(database) {
            for share in 0..<tally.shareCount {
                var places = tally.places(inShare: share)
                try forEachAddress(of: database) { places.add($0) }
                tally.count(places)
            }
        }
        tally.finish()
        return tally
    }

    /// Calls `body` with the place of every row that has data; several times for one with several rows.
    static func forEachAddress(of database: UntrustedDatabase, _ body: (TileAddress) throws -> Void) throws {
        try forEachPlace(of: database) { row, hasData in
            if hasData, let address = row.tileAddress { try body(address) }
        }
    }

    private static func forEachPlace(
        of database: UntrustedDatabase,
        _ body: (UntrustedRow, _ hasData: Bool) throws -> Void
    ) throws {
        let hasData = try findsData(database) ? UntrustedDatabase.hasData : "1"
        try database.query("SELECT zoom_level, tile_column, tile_row, \(hasData) FROM tiles") { row in
            try body(row, row.integer(3) == 1)
            return true
        }
    }

    /// Whether the data of all tiles can be looked at.
    ///
    /// For a view over tables without an index, SQLite would have to make one with all data in memory.
    private static func findsData(_ database: UntrustedDatabase) throws -> Bool {
        if try UntrustedSchema(of: database).kinds["tiles"] == "table" || MBTilesWriter.hasWritten(database) {
            return true
        }
        var isKey = false
        try database.columns(of: "images") { name, key, _ in
            if key == 1, name.lowercased() == "tile_id" { isKey = true }
        }
        return try isKey || database.hasUniqueIndex(on: ["tile_id"], of: "images")
    }

    /// Returns whether a tile has data.
    private static func hasData(_ database: UntrustedDatabase) throws -> Bool {
        let sql = "SELECT 1 FROM tiles WHERE \(UntrustedDatabase.hasData) LIMIT 1"
        return try database.withoutTemporaryIndexes { try database.first(sql) { _ in true } } ?? false
    }

    /// Whether an index makes sure that no place has two rows; false also if that is not known.
    private static func hasUniquePlaces(_ database: UntrustedDatabase) throws -> Bool {
        guard try UntrustedSchema(of: database).kinds["tiles"] == "table" else {
            // The one view whose meaning is known.
            return try MBTilesWriter.hasWritten(database)
        }
        return try database.hasUniqueIndex(on: ["zoom_level", "tile_column", "tile_row"], of: "tiles")
    }

    /// Counts the tiles without data; 0 if `tiles` is a view, in which that may take too long.
    package static func emptyTileCount(of database: UntrustedDatabase) throws -> Int {
        guard try UntrustedSchema(of: database).kinds["tiles"] == "table" else { return 0 }
        let sql = """
            SELECT zoom_level, tile_column, tile_row FROM tiles
            WHERE typeof(tile_data) <> 'blob' OR length(tile_data) = 0
            """
        var count = 0
        try database.query(sql) { row in
            if row.tileAddress != nil { count += 1 }
            return true
        }
        return count
    }

    /// The key of the metadata of a part with the number of tiles of the whole map.
    static let partKey = "partial"

    /// The number of tiles of the whole map, if the file says that it has only a part; else nil.
    package var wholeTileCount: Int? {
        metadata[Self.partKey].flatMap { Int($0) }.flatMap { count in
            tileCount < count && count <= ModelLimits.maximumTileCount ? count : nil
        }
    }

    /// Whether the file says that it has only a part of a map.
    package var isPart: Bool { wholeTileCount != nil }

    /// Returns what is known of the part that a file is; nil if it does not say that it is one.
    ///
    /// The size of the whole map is an estimate.
    ///
    /// - Parameter size: The size of the file, in bytes.
    package func cut(ofSize size: UInt64) -> CutDescription? {
        wholeTileCount.map { count in
            let whole = Double(size) / Double(max(1, tileCount)) * Double(count)
            var cut = CutDescription(wholeTileCount: count, wholeSize: Int64(max(1, min(whole, 1e15))))
            cut.isSizeEstimated = true
            return cut
        }
    }

    /// The keys of the metadata that are kept.
    ///
    /// Other metadata can be long and many.
    private static let keys: Set<String> = Set(
        ["name", "version", "format", "bounds", "attribution", partKey, ownZoomsKey, MapDate.newestKey] + MapDate.keys
    )

    private static func metadata(
        of database: UntrustedDatabase,
        _ keys: Set<String> = keys,
        limit: Int = 100_000
    ) throws -> [String: String] {
        var metadata: [String: String] = [:]
        guard try UntrustedSchema(of: database).contains("metadata"),
            try database.hasColumns("name, value", of: "metadata")
        else { return metadata }
        try database.query("SELECT name, value FROM metadata LIMIT 1000") { row in
            if let name = row.text(0, limit: 100), keys.contains(name), let value = row.text(1, limit: limit),
                metadata[name] == nil
            {
                metadata[name] = value
            }
            return true
        }
        return metadata
    }

    /// Reads the metadata that hold for a part of a map, too.
    static func metadata(ofCut database: UntrustedDatabase) throws -> [String: String] {
        // A list of the layers of vector tiles can be long; a truncated one would be of no use.
        let limit = 4 << 20
        let keys = Set(
            [
                "name", "description", "version", "format", "attribution", "type", "json", partKey, ownZoomsKey,
                MapDate.newestKey, TileEditions.key,
            ] + MapDate.keys
        )
        return try metadata(of: database, keys, limit: limit).filter { $0.value.utf8.count < limit }
    }

    /// The number of tiles that are examined to detect the format.
    private static let tilesLookedAtForFormat = 20

    /// Returns the format of the first tiles of a zoom level; nil if it is unknown.
    private static func format(of database: UntrustedDatabase, at zoomLevel: Int) throws -> TileFormat? {
        let sql = """
            SELECT substr(tile_data, 1, 12) FROM tiles WHERE zoom_level = \(zoomLevel)
            LIMIT \(tilesLookedAtForFormat)
            """
        var format: TileFormat?
        try database.withoutTemporaryIndexes {
            try database.query(sql) { row in
                format = TileFormat(tileBeginningWith: row.bytes(0, limit: 12))
                return format == nil
            }
        }
        return format
    }

    /// Checks that a tile whose position is stored as text is found by a number.
    ///
    /// That depends on the declared types of the columns.
    private static func checkIsFound(_ address: TileAddress, in database: UntrustedDatabase) throws {
        guard try database.tile(address) == nil else { return }
        throw database.invalid(
            "stores the positions of its tiles as text, so programs do not find them",
            remedy: "Create the file again with whole numbers as zoom levels, columns and rows."
        )
    }
}
