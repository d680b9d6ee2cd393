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

    /// The number of tiles, with those that have no data.
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
        var levels = [[UInt64]](repeating: [], count: Region.possibleZoomLevels.upperBound + 1)
        var (count, all) = (0, 0)
        try MBTilesFile.forEachAddress(of: database) { address in
            all += 1
            // Whoever has asked may have left: before the first look, and during a long one.
            if all & 0xFFF == 1 { try Task.checkCancellation() }
            guard selection.contains(address) else { return }
            count += 1
            guard count <= limit else {
                throw RegionStoreError(
                    .invalidArgument,
                    "This part of the map has more than \(limit) tiles.",
                    remedy: "Choose a smaller part, or a lower highest zoom level."
                )
            }
            levels[address.zoomLevel].append(UInt64(address.column) << 30 | UInt64(address.southernRow))
        }
        guard count > 0 else {
            throw RegionStoreError(.invalidArgument, "The map has no tiles in this part.")
        }
        for index in levels.indices { levels[index].sort() }
        self.levels = levels
        tileCount = count
        wholeTileCount = all
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
        var metadata = try MBTilesFile.metadata(ofCut: database)
        if tileCount < wholeTileCount {
            // A part of a part is a part of the whole.
            let former = metadata[MBTilesFile.partKey].flatMap { Int($0) } ?? 0
            metadata[MBTilesFile.partKey] = "\(max(former, wholeTileCount))"
        }
        var area = CoverageBuilder()
        for address in addresses { area.add(zoomLevel: address.zoomLevel, column: address.column, row: address.row) }
        metadata["bounds"] = Self.bounds(area.coverage)
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

    /// Returns the area of tiles, as metadata state it; rounded, so that it is the same with every mathematical library.
    static func bounds(_ coverage: Coverage?) -> String? {
        guard let area = coverage?.area else { return nil }
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
