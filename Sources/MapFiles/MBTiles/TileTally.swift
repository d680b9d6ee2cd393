package import RegionModel

/// Counts the tiles of a map by their places, in any order.
package struct TileTally {
    /// Some of the places of a map, with repetitions.
    struct Places {
        private var numbers: [RowNumber] = []
        private var limit: Int
        private var repetitions: [Int: Int] = [:]
        private let isIncluded: (TileAddress) -> Bool

        fileprivate init(atMost limit: Int, _ isIncluded: @escaping (TileAddress) -> Bool) {
            (self.limit, self.isIncluded) = (limit, isIncluded)
        }

        mutating func add(_ address: TileAddress) {
            guard isIncluded(address) else { return }
            numbers.append(RowNumber(address))
            if numbers.count > limit { removeRepetitions() }
        }

        private mutating func removeRepetitions() {
            var counts = repetitions
            numbers.sortOnce { if let address = $0.address { counts[address.zoomLevel, default: 0] += 1 } }
            repetitions = counts
            limit = max(limit, 2 * numbers.count)
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
    private(set) var strays = OmittedEntries()

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
            zooms.contains(address.zoomLevel) && (RowNumber(address).value &* factor) >> 32 % count == UInt64(share)
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
        guard let address = row.tileAddress else { return strays.add(row.positionWords) }
        if !hasData, rows == nil { rows = builder }
        rows?.add(address)
        guard hasData else { return }
        if tileWithText == nil, row.isText(0) || row.isText(1) || row.isText(2) { tileWithText = address }
        builder.add(address)
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
