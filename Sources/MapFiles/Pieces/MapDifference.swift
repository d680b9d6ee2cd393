/// How the tiles of a map differ from those of an older one, counted by their places.
package struct MapDifference: Hashable, Sendable {
    /// Some tiles.
    package struct Tiles: Hashable, Sendable {
        /// How many they are.
        package private(set) var count = 0
        /// Their zoom levels.
        package private(set) var zooms: Set<Int> = []
        /// Their numbers, the first `TileSet.maximumCount` of them.
        package private(set) var numbers: [RowNumber] = []

        /// Creates a value for no tiles.
        package init() {}

        /// Creates a value for the tiles with some numbers.
        package init(numbers: some Sequence<UInt64>) {
            for number in numbers { add(RowNumber(value: number)) }
        }

        mutating func add(_ number: RowNumber) {
            count += 1
            if let zoomLevel = number.address?.zoomLevel { zooms.insert(zoomLevel) }
            if numbers.count < TileSet.maximumCount { numbers.append(number) }
        }

        mutating func sort() { numbers.sort() }
    }

    /// The number of tiles of the newer map.
    package var tileCount: Int
    /// The tiles that both have, with other bytes.
    package var changed = Tiles()
    /// The tiles that only the newer map has.
    package var added = Tiles()
    /// The tiles that only the older map has.
    package var gone = Tiles()

    /// Creates a value for two maps with the same tiles.
    package init(tileCount: Int) { self.tileCount = tileCount }

    /// Puts the tiles in the order of their numbers.
    mutating func sort() {
        changed.sort()
        added.sort()
    }

    /// Whether both have the same tiles.
    package var isNone: Bool { changed.count == 0 && added.count == 0 && gone.count == 0 }

    /// The tiles of the newer map that the older one does not have.
    package var news: (tiles: TileSet, isAll: Bool) {
        let numbers = changed.numbers + added.numbers
        let known = min(numbers.count, TileSet.maximumCount)
        return (TileSet(numbers.lazy.compactMap(\.address)), known == changed.count + added.count)
    }

    /// The number of tiles of the newer map that the older one does not have.
    package var newCount: Int { changed.count + added.count }
}
