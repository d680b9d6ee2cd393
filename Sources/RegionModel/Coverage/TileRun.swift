/// Tiles of one row that lie side by side; rows count from the north, and columns from the west.
package struct TileRun: Hashable, Sendable, Comparable {
    // A map may have 100,000 runs, so they are kept small.
    private let storedRow: UInt32
    private let storedFirst: UInt32
    private let storedLast: UInt32

    /// The row.
    package var row: Int { Int(storedRow) }

    /// The first column.
    package var first: Int { Int(storedFirst) }

    /// The last column.
    package var last: Int { Int(storedLast) }

    /// The number of tiles.
    package var count: Int { last - first + 1 }

    /// Creates a run; the columns are put in order, and numbers that no zoom level has are limited.
    package init(row: Int, first: Int, last: Int) {
        storedRow = UInt32(clamping: row)
        storedFirst = UInt32(clamping: min(first, last))
        storedLast = UInt32(clamping: max(first, last))
    }

    /// By rows, and by first columns in a row.
    package static func < (one: TileRun, other: TileRun) -> Bool {
        (one.storedRow, one.storedFirst) < (other.storedRow, other.storedFirst)
    }

    func holds(_ other: TileRun) -> Bool { row == other.row && first <= other.first && other.last <= last }
}
