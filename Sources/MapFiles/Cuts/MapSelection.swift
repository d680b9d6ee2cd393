package import RegionModel

/// A part of a map for a file that must not be too large: all tiles up to a zoom level, and those of a strip up to a higher one.
package struct MapSelection: Hashable, Sendable {
    /// The highest zoom level of all tiles; nil if only tiles of the strip are taken.
    package var wholeZoom: Int?

    /// The strip, whose ``CutRule/maximumZoom`` says up to which zoom level its tiles are taken; nil if there is none.
    package var strip: CutRule?

    /// Creates a selection.
    package init(wholeZoom: Int?, strip: CutRule? = nil) {
        self.wholeZoom = wholeZoom
        self.strip = strip
    }

    /// The highest zoom level of which tiles are taken; nil if none are.
    package var highestZoom: Int? { [wholeZoom, strip?.maximumZoom].compactMap { $0 }.max() }
}

/// How many tiles a map has at each zoom level: everywhere, and along lines.
package struct MapAmounts: Hashable, Sendable {
    /// A number of tiles and their total size.
    package struct Amount: Hashable, Sendable {
        /// The number of tiles.
        package var count = 0
        /// The total size, in bytes.
        package var size: UInt64 = 0

        mutating func add(_ length: UInt64) {
            count += 1
            size = size.addingReportingOverflow(length).partialValue
        }
    }

    /// All tiles.
    package var whole: [Int: Amount] = [:]

    /// The tiles of the strip; empty without one.
    package var strip: [Int: Amount] = [:]

    /// Creates amounts of no tiles.
    package init() {}

    /// The zoom levels that have tiles, the lowest first.
    package var zooms: [Int] { whole.keys.sorted() }
}

extension UntrustedDatabase {
    /// Counts the tiles of a map, by one look at the position and the length of each.
    ///
    /// - Parameter strip: The strip whose tiles are also counted apart; nil for none.
    /// - Returns: The numbers and sizes.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.invalidArgument` if the lines are too long for a strip; another one
    ///   if the map cannot be read.
    package func amounts(along strip: CutRule? = nil) throws -> MapAmounts {
        var amounts = MapAmounts()
        var selection = try strip.map { try CutSelection($0) }
        // Of a text, the length would end at the first byte that is 0. No tile is a text.
        let sql = """
            SELECT zoom_level, tile_column, tile_row, length(tile_data) FROM tiles
            WHERE typeof(tile_data) = 'blob' AND length(tile_data) > 0
            """
        try query(sql) { row in
            guard let address = row.tileAddress else { return true }
            let length = UInt64(clamping: max(0, row.integer(3)))
            amounts.whole[address.zoomLevel, default: .init()].add(length)
            if selection?.contains(address) == true { amounts.strip[address.zoomLevel, default: .init()].add(length) }
            return true
        }
        return amounts
    }

    /// Returns where a selection has tiles; nil if it has none.
    package func coverage(of selection: MapSelection) throws -> Coverage? {
        var strip = try selection.strip.map { try CutSelection($0) }
        var builder = CoverageBuilder()
        try MBTilesFile.forEachAddress(of: self) { address in
            guard address.zoomLevel <= selection.wholeZoom ?? -1 || strip?.contains(address) == true else { return }
            builder.add(zoomLevel: address.zoomLevel, column: address.column, row: address.row)
        }
        return builder.coverage
    }

    /// Reads the tiles of a selection: those of the strip alone come last.
    ///
    /// - Throws: `RegionStoreError` if the map cannot be read; the error of `body`.
    package func forEachTile(of selection: MapSelection, _ body: (MapTile) throws -> Void) throws {
        let whole = selection.wholeZoom ?? -1
        if whole >= 0 { try forEachTile(upToZoom: whole, body) }
        guard let strip = selection.strip, strip.maximumZoom ?? .max > whole else { return }
        let cut = try MapCut(strip, of: self)
        try forEachTile(at: cut.addresses.lazy.filter { $0.zoomLevel > whole }, body)
    }

    /// Reads the tiles of one zoom level, in the order of the file.
    ///
    /// - Parameters:
    ///   - zoomLevel: The zoom level.
    ///   - strip: The strip; nil for all tiles.
    ///   - body: Called with each tile.
    /// - Throws: `RegionStoreError` if the map cannot be read; the error of `body`.
    package func forEachTile(atZoom zoomLevel: Int, along strip: CutRule?, _ body: (MapTile) throws -> Void) throws {
        var selection = try strip.map { try CutSelection($0) }
        // Compared as numbers, because some files store the zoom level as text.
        let sql = """
            SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles
            WHERE CAST(zoom_level AS INTEGER) = \(zoomLevel) AND typeof(tile_data) = 'blob'
            AND length(tile_data) > 0
            """
        try query(sql) { row in
            guard let address = row.tileAddress, selection?.contains(address) != false else { return true }
            try body(MapTile(address, data: row.bytes(3, limit: MapTile.maximumLength)))
            return true
        }
    }
}
