import RegionModel

/// Tiles of a map in the order of MBTiles files, each of them once; 8 bytes each.
struct TileList: Sendable {
    private(set) var numbers: [ColumnNumber] = []

    /// Finds the tiles in one pass over all tile addresses; nil if there are more than a limit.
    init?(
        of database: UntrustedDatabase,
        atMost limit: Int,
        where isTaken: (TileAddress) throws -> Bool = { _ in true }
    ) throws {
        struct TooMany: Error {}
        var rowCount = 0
        do {
            try MapDescription.forEachAddress(of: database) { address in
                rowCount += 1
                // The one who asked may have left, before the first tile or during a long pass.
                if rowCount & 0xFFF == 1 { try Task.checkCancellation() }
                guard try isTaken(address) else { return }
                numbers.append(ColumnNumber(address))
                guard numbers.count > 2 * limit else { return }
                // A file may have a tile twice.
                numbers.sortOnce()
                if numbers.count > limit { throw TooMany() }
            }
        } catch is TooMany {
            return nil
        }
        numbers.sortOnce()
        guard numbers.count <= limit else { return nil }
    }

    var count: Int { numbers.count }

    var addresses: some Sequence<TileAddress> { numbers.lazy.compactMap(\.address) }

    /// Where the tiles are; nil if there are none.
    var coverage: Coverage? {
        var coverage = CoverageBuilder()
        for address in addresses { coverage.add(address) }
        return coverage.coverage
    }
}

extension CoverageBuilder {
    mutating func add(_ address: TileAddress) {
        add(zoomLevel: address.zoomLevel, column: address.column, row: address.row)
    }
}

extension Array where Element: Comparable {
    /// Sorts the elements and keeps each of them once; calls `repeated` with the others.
    mutating func sortOnce(_ repeated: (Element) -> Void = { _ in }) {
        sort()
        var end = 0
        for index in indices {
            if end > 0, self[end - 1] == self[index] {
                repeated(self[index])
            } else {
                self[end] = self[index]
                end += 1
            }
        }
        removeLast(count - end)
    }
}
