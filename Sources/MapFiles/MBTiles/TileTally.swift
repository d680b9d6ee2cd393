package import RegionModel

/// Counts the tiles of a map by their places, in any order.
package struct TileTally {
    /// Some of the places of a map, with repetitions.
    struct Places {
        private var numbers: [UInt64] = []
        private var limit: Int
        private var repetitions: [Int: Int] = [:]
        private let isIncluded: (TileAddress) -> Bool

        fileprivate init(atMost limit: Int, _ isIncluded: @escaping (TileAddress) -> Bool) {
            (self.limit, self.isIncluded) = (limit, isIncluded)
        }

        mutating func add(_ address: TileAddress) {
            guard isIncluded(address) else { return }
            numbers.append(address.number)
            if numbers.count > limit { removeRepetitions() }
        }

        private mutating func removeRepetitions() {
            numbers.sort()
            var end = 0
            for index in numbers.indices {
                let number = numbers[index]
                if end > 0, numbers[end - 1] == number, let address = TileAddress(number: number) {
                    repetitions[address.zoomLevel, default: 0] += 1
                } else {
                    numbers[end] = number
                    end += 1
                }
            }
            numbers.removeLast(numbers.count - end)
            limit = max(limit, 2 * end)
        }

        /// How many rows there are beyond the first of each place, by zoom level.
        fileprivate mutating func counted() -> [Int: Int] {
            removeRepetitions()
            return repetitions
        }
    }

    /// How many places are in memory at a time, 8 bytes each; up to twice as many while they are read.
    private let heldCount: Int
    private var builder = CoverageBuilder()
    private var rowCount = 0
    /// What counts every row with data.
    private var all = CoverageBuilder()
    /// The zoom levels whose places must be read again to count each of them once.
    private var coarseZooms: Set<Int> = []
    /// Decides on the share of each place, so that no file can have all its places in one share.
    private let factor = UInt64.random(in: .min ... .max) | 1

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

    /// Creates a tally that holds a number of places in memory.
    init(holding heldCount: Int) { self.heldCount = heldCount }

    /// In how many shares the places are read again.
    var shareCount: Int { rowCount / heldCount + 1 }

    func places(inShare share: Int) -> Places {
        let (zooms, factor, count) = (coarseZooms, factor, UInt64(shareCount))
        return Places(atMost: 2 * heldCount) { address in
            zooms.contains(address.zoomLevel) && (address.number &* factor) >> 32 % count == UInt64(share)
        }
    }

    /// Counts each place once; returns whether the places must be read again for that, because there are too many apart from each other.
    mutating func countPlaces() -> Bool {
        all = builder
        coarseZooms = builder.countPlaces()
        return !coarseZooms.isEmpty
    }

    /// Counts a row, whose first columns are those of a tile's position.
    mutating func count(_ row: UntrustedRow, hasData: Bool) {
        guard let address = row.tileAddress else { return strays.count(row) }
        if !hasData, rows == nil { rows = builder }
        rows?.add(zoomLevel: address.zoomLevel, column: address.column, row: address.row)
        guard hasData else { return }
        if tileWithText == nil, row.isText(0) || row.isText(1) || row.isText(2) { tileWithText = address }
        builder.add(zoomLevel: address.zoomLevel, column: address.column, row: address.row)
        rowCount += 1
    }

    /// Takes rows of places that were counted before out of the count.
    mutating func count(_ places: Places) {
        var places = places
        for (zoomLevel, count) in places.counted() { builder.discount(count, zoomLevel: zoomLevel) }
    }

    /// Ends the count.
    mutating func finish() {
        if builder.tileCount < rowCount, rows == nil { rows = all }
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
