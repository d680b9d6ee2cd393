package import RegionModel

/// Reads the positions of a map's tiles, in any order.
package struct TileTally {
    private var builder = CoverageBuilder()

    /// The rows that are no tiles, because no zoom level has their position.
    private(set) var strays = StrayTiles()

    /// A tile whose position is stored as text; nil if there is none.
    private(set) var tileWithText: TileAddress?

    /// Where there are tiles; nil if there are none.
    package var coverage: Coverage? { builder.coverage }

    /// Counts a row, whose first columns are those of a tile's position.
    mutating func count(_ row: UntrustedRow) {
        guard let address = row.tileAddress else { return strays.count(row) }
        if tileWithText == nil, row.isText(0) || row.isText(1) || row.isText(2) { tileWithText = address }
        builder.add(zoomLevel: address.zoomLevel, column: address.column, row: address.row)
    }
}

/// The rows of a map's `tiles` that are no tiles.
package struct StrayTiles: Hashable, Sendable {
    /// The number of rows.
    package private(set) var count = 0

    /// The first of them in words; nil if there is none.
    package private(set) var example: String?

    /// Creates a value for a map without such rows.
    package init() {}

    /// Counts a row, whose first columns are those of a tile's position.
    mutating func count(_ row: UntrustedRow) {
        count += 1
        guard example == nil else { return }
        let place = (0..<3).map { row.text(CInt($0), limit: 50) ?? "NULL" }
        example = "zoom \(place[0]), column \(place[1]), row \(place[2])"
    }
}

extension UntrustedRow {
    /// The position in the first three columns: zoom level, column and southern row; nil if no zoom level has it.
    var tileAddress: TileAddress? {
        guard let zoomLevel = wholeNumber(0), let column = wholeNumber(1), let row = wholeNumber(2) else { return nil }
        return TileAddress(zoomLevel: zoomLevel, column: column, southernRow: row)
    }
}
