import PeerProtocol
import RegionModel

/// The tiles of a map by their places, each with a digest of its bytes.
///
/// A place counts once, however many rows the file has for it, and only if it has data there.
package struct TilePlaces: Sendable {
    /// The most tiles of a map that is compared: 16 bytes each are in memory, for two maps.
    package static let maximumCount = 400_000

    /// The most tiles of a map that is compared while it is received: less memory is allowed then.
    package static let maximumReceivedCount = 150_000

    /// In the order of the numbers of their places.
    private let tiles: [(place: UInt64, digest: PieceDigest)]

    /// The number of tiles.
    package var count: Int { tiles.count }

    /// Reads the tiles of a map; nil if they are more than a limit.
    ///
    /// - Throws: `RegionStoreError` if the map cannot be read.
    package init?(of database: UntrustedDatabase, atMost limit: Int = maximumCount) throws {
        var tiles: [(place: UInt64, digest: PieceDigest)] = []
        let sql = """
            SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles
            WHERE typeof(tile_data) = 'blob' AND length(tile_data) > 0
            """
        try database.query(sql) { row in
            guard let address = row.tileAddress else { return true }
            tiles.append((address.number, row.digest(3)))
            return tiles.count <= limit
        }
        guard tiles.count <= limit else { return nil }
        tiles.sort { $0.place < $1.place }
        var end = 0
        for tile in tiles {
            guard end > 0, tiles[end - 1].place == tile.place else {
                tiles[end] = tile
                end += 1
                continue
            }
            // Of several rows, that counts which is found.
            if tiles[end - 1].digest != tile.digest, let address = TileAddress(number: tile.place),
                let found = try database.digests(at: [address])[address]
            {
                tiles[end - 1].digest = found
            }
        }
        tiles.removeLast(tiles.count - end)
        self.tiles = tiles
    }

    /// Compares the map with an older one.
    package func difference(since older: TilePlaces) -> MapDifference {
        var difference = MapDifference(tileCount: count)
        var here = 0
        for old in older.tiles {
            while here < tiles.count, tiles[here].place < old.place {
                difference.added.add(tiles[here].place)
                here += 1
            }
            guard here < tiles.count, tiles[here].place == old.place else {
                difference.gone.add(old.place)
                continue
            }
            if tiles[here].digest != old.digest { difference.changed.add(old.place) }
            here += 1
        }
        for tile in tiles[here...] { difference.added.add(tile.place) }
        return difference
    }
}

/// How the tiles of a map differ from those of an older one, counted by their places.
package struct MapDifference: Hashable, Sendable {
    /// Some tiles.
    package struct Tiles: Hashable, Sendable {
        /// How many they are.
        package private(set) var count = 0
        /// Their zoom levels.
        package private(set) var zooms: Set<Int> = []
        /// The numbers of their places, the first `TileSet.maximumCount` of them.
        package private(set) var numbers: [UInt64] = []

        /// Creates a value for no tiles.
        package init() {}

        /// Creates a value for the tiles with some numbers.
        package init(numbers: some Sequence<UInt64>) {
            for number in numbers { add(number) }
        }

        mutating func add(_ number: UInt64) {
            count += 1
            if let zoomLevel = TileAddress(number: number)?.zoomLevel { zooms.insert(zoomLevel) }
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

    /// Puts the tiles in the order of the numbers of their places.
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
        return (TileSet(numbers: numbers), known == changed.count + added.count)
    }

    /// The number of tiles of the newer map that the older one does not have.
    package var newCount: Int { changed.count + added.count }
}

extension UntrustedDatabase {
    /// Returns the digests of the tiles at some places; none for places without a tile.
    func digests(at addresses: some Sequence<TileAddress>) throws -> [TileAddress: PieceDigest] {
        var digests: [TileAddress: PieceDigest] = [:]
        try forEachTile(at: addresses) { tile in
            digests[tile.address] = tile.data.withUnsafeBytes { PieceDigest(hashing: $0) }
        }
        return digests
    }
}
