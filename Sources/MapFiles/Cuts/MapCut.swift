package import PeerStorage
import RegionModel

/// A part of a map: the tiles that a rule takes.
///
/// The bytes of its file depend only on these tiles and on the metadata of the map that still hold, so every machine that has the
/// map makes the same file, however it stores the map. A rule that takes the same tiles makes the same file.
package struct MapCut: Sendable {
    /// The maximum number of tiles, whose positions are in memory, 8 bytes each.
    package static let maximumTileCount = 1_000_000

    /// The tiles of each zoom level, in their order: column and southern row in 30 bits each.
    private let levels: [[UInt64]]

    /// The number of tiles.
    package let tileCount: Int

    /// The number of tiles of the whole map.
    package let wholeTileCount: Int

    /// Finds the tiles, by one look at the position of each tile of a map.
    ///
    /// - Parameters:
    ///   - rule: The rule.
    ///   - database: The map.
    ///   - limit: The maximum number of tiles.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.invalidArgument` if the rule takes no tile, or too many;
    ///   `CancellationError` in a cancelled task.
    package init(_ rule: CutRule, of database: UntrustedDatabase, atMost limit: Int = maximumTileCount) throws {
        var selection = try CutSelection(rule)
        var (positions, rowCount) = (Positions(), 0)
        try MBTilesFile.forEachAddress(of: database) { address in
            rowCount += 1
            // Whoever has asked may have left: before the first look, and during a long one.
            if rowCount & 0xFFF == 1 { try Task.checkCancellation() }
            guard selection.contains(address) else { return }
            guard positions.add(address, atMost: limit) else { throw Self.tooMany(limit) }
        }
        guard positions.removeRepetitions(atMost: limit) else { throw Self.tooMany(limit) }
        guard positions.count > 0 else {
            throw RegionStoreError(.invalidArgument, "The map has no tiles in this part.")
        }
        levels = positions.levels
        tileCount = positions.count
        wholeTileCount = rule.isWhole ? tileCount : try MBTilesFile.tally(of: database).coverage?.tileCount ?? tileCount
    }

    private static func tooMany(_ limit: Int) -> RegionStoreError {
        RegionStoreError(
            .invalidArgument,
            "This part of the map has more than \(limit) tiles.",
            remedy: "Choose a smaller part, or a lower highest zoom level."
        )
    }

    /// Positions as they come; a file may have one twice.
    private struct Positions {
        var levels = [[UInt64]](repeating: [], count: Region.possibleZoomLevels.upperBound + 1)
        var count = 0

        /// Adds a position; returns false if there are more than a limit.
        mutating func add(_ address: TileAddress, atMost limit: Int) -> Bool {
            levels[address.zoomLevel].append(UInt64(address.column) << 30 | UInt64(address.southernRow))
            count += 1
            return count <= 2 * limit || removeRepetitions(atMost: limit)
        }

        /// Sorts the positions, with each only once; returns false if there are more than a limit.
        mutating func removeRepetitions(atMost limit: Int) -> Bool {
            count = 0
            for index in levels.indices {
                levels[index].sort()
                var end = 0
                for position in levels[index] where end == 0 || levels[index][end - 1] != position {
                    levels[index][end] = position
                    end += 1
                }
                levels[index].removeLast(levels[index].count - end)
                count += end
            }
            return count <= limit
        }
    }

    /// Reads the tiles of the part, in the order of its file.
    ///
    /// - Throws: `RegionStoreError` if the map cannot be read; the error of `body`.
    package func forEachTile(of database: UntrustedDatabase, _ body: (MapTile) throws -> Void) throws {
        try database.forEachTile(at: addresses, body)
    }

    /// Writes the part to an empty file.
    ///
    /// - Parameters:
    ///   - database: The same map.
    ///   - file: The file.
    ///   - check: Called with the length of each piece before it is written.
    ///   - progress: Called with the number of tiles that are written.
    /// - Throws: `RegionStoreError` if the map cannot be read; `SystemError` if the file cannot be written.
    package func write(
        from database: UntrustedDatabase,
        to file: OpenFile,
        check: @escaping WriteCheck = { _ in },
        progress: (_ done: Int) -> Void = { _ in }
    ) throws {
        let source = try MBTilesFile.metadata(ofCut: database)
        var metadata = source
        if tileCount < wholeTileCount {
            // A part of a part is a part of the whole.
            let former = metadata[MBTilesFile.partKey].flatMap { Int($0) } ?? 0
            metadata[MBTilesFile.partKey] = "\(max(former, wholeTileCount))"
        }
        let editions = TileEditions(metadata: source)
        var described = TileEditions.Builder()
        for address in addresses { described.add(address, editions.edition(of: address)) }
        metadata["bounds"] = Self.bounds(coverage?.stating(ownZooms: MBTilesFile.ownZooms(in: source)).area)
        described.write(to: &metadata, from: [source])
        var writer = MBTilesWriter(to: file, check: check)
        try forEachTile(of: database) { tile in
            try writer.add(tile)
            progress(writer.tileCount)
        }
        guard writer.tileCount > 0 else {
            throw RegionStoreError(.invalidArgument, "The map has no tiles in this part.")
        }
        try writer.finish(metadata: metadata)
    }

    /// Where the tiles are; nil if there are none.
    var coverage: Coverage? {
        var coverage = CoverageBuilder()
        for address in addresses {
            coverage.add(zoomLevel: address.zoomLevel, column: address.column, row: address.row)
        }
        return coverage.coverage
    }

    /// The positions of the tiles, in their order.
    var addresses: some Sequence<TileAddress> {
        levels.indices.lazy.flatMap { zoomLevel in
            levels[zoomLevel].lazy.compactMap { position in
                TileAddress(
                    zoomLevel: zoomLevel,
                    column: Int(position >> 30),
                    southernRow: Int(position & (1 << 30 - 1))
                )
            }
        }
    }

    /// Returns an area as metadata state it; rounded, so that it is the same with every mathematical library.
    static func bounds(_ area: BoundingBox?) -> String? {
        guard let area else { return nil }
        return [area.west, area.south, area.east, area.north].map { edge in
            String((edge * 1_000_000).rounded() / 1_000_000)
        }.joined(separator: ",")
    }
}

/// Decides which tiles are taken.
struct CutSelection {
    private let rule: CutRule
    private let strip: TileRuns?
    /// What is known of each zoom level.
    private var strips: [Int: TileRuns] = [:]
    private var areas: [Int: AreaTiles] = [:]

    init(_ rule: CutRule) throws {
        self.rule = rule
        strip = try rule.strip()
    }

    mutating func contains(_ address: TileAddress) -> Bool {
        let zoomLevel = address.zoomLevel
        if let highest = rule.maximumZoom, zoomLevel > highest { return false }
        if let strip {
            let steps = zoomLevel - CutRule.detail
            if steps >= 0 {
                guard strip.contains(column: address.column >> steps, row: address.row >> steps) else { return false }
            } else {
                let coarse = strips[zoomLevel] ?? strip.coarsened(by: -steps)
                strips[zoomLevel] = coarse
                // The strip is already within the area.
                return coarse.contains(column: address.column, row: address.row)
            }
        }
        guard let area = rule.area else { return true }
        let tiles = areas[zoomLevel] ?? AreaTiles(of: area, zoomLevel: zoomLevel)
        areas[zoomLevel] = tiles
        return tiles.contains(column: address.column, row: address.row)
    }
}
