package import RegionModel

/// Counts the tiles of a map by their places, in any order.
package struct TileTally {
    /// How many places are in memory at a time, 8 bytes each.
    private static let maximumHeldCount = 1_000_000

    /// Some of the places of a map, with repetitions.
    struct Places {
        private var numbers: [UInt64] = []
        private let share: UInt64
        private let shareCount: UInt64

        fileprivate init(share: Int, of count: Int) {
            (self.share, shareCount) = (UInt64(share), UInt64(count))
        }

        mutating func add(_ address: TileAddress) {
            let number = address.number
            if number % shareCount == share { numbers.append(number) }
        }

        /// How many rows there are beyond the first of each place, by zoom level.
        fileprivate func repetitions() -> [Int: Int] {
            var (repetitions, last): ([Int: Int], UInt64?) = ([:], nil)
            for number in numbers.sorted() {
                if number == last, let address = TileAddress(number: number) {
                    repetitions[address.zoomLevel, default: 0] += 1
                }
                last = number
            }
            return repetitions
        }
    }

    private var builder = CoverageBuilder()
    private var rowCount = 0
    /// All places, until they are too many.
    private var held: Places? = Places(share: 0, of: 1)

    /// The rows that are no tiles, because no zoom level has their position.
    private(set) var strays = StrayTiles()

    /// A tile whose position is stored as text; nil if there is none.
    private(set) var tileWithText: TileAddress?

    /// What counts every row; nil if each has data and a place of its own.
    private var rows: CoverageBuilder?

    /// Where there are tiles; nil if there are none.
    package private(set) var coverage: Coverage?

    /// Where there are rows, if some of them have no data or no place of their own: older versions count those as tiles, too.
    package var rowCoverage: Coverage? { rows?.coverage }

    /// Whether there are so many rows that their places must be read again to find those that are there twice.
    var mayRepeatPlaces: Bool { held == nil }

    /// In how many shares the places are read again.
    var shareCount: Int { rowCount / Self.maximumHeldCount + 1 }

    func places(inShare share: Int) -> Places { Places(share: share, of: shareCount) }

    /// Counts a row, whose first columns are those of a tile's position.
    mutating func count(_ row: UntrustedRow, hasData: Bool) {
        guard let address = row.tileAddress else { return strays.count(row) }
        if !hasData, rows == nil { rows = builder }
        rows?.add(zoomLevel: address.zoomLevel, column: address.column, row: address.row)
        guard hasData else { return }
        if tileWithText == nil, row.isText(0) || row.isText(1) || row.isText(2) { tileWithText = address }
        builder.add(zoomLevel: address.zoomLevel, column: address.column, row: address.row)
        rowCount += 1
        if rowCount > Self.maximumHeldCount { held = nil }
        held?.add(address)
    }

    /// Takes rows of places that were counted before out of the count.
    mutating func count(_ places: Places) {
        let repetitions = places.repetitions()
        if !repetitions.isEmpty, rows == nil { rows = builder }
        for (zoomLevel, count) in repetitions { builder.discount(count, zoomLevel: zoomLevel) }
    }

    /// Ends the count.
    mutating func finish() {
        if let held { count(held) }
        coverage = builder.coverage
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
