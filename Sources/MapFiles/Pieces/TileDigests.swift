import PeerProtocol
import RegionModel

/// The tiles of a map by their places, each with a digest of its bytes.
///
/// A place counts once, however many rows the file has for it, and only if it has data there.
package struct TileDigests: Sendable {
    /// The most tiles of a map that is compared: 16 bytes each are in memory, for two maps.
    package static let maximumCount = 400_000

    /// The most tiles of a map that is compared while it is received: less memory is allowed then.
    package static let maximumReceivedCount = 150_000

    /// In the order of their numbers.
    private let tiles: [(number: RowNumber, digest: PieceDigest)]

    /// The number of tiles.
    package var count: Int { tiles.count }

    /// Reads the tiles of a map; nil if they are more than a limit.
    package init?(of database: UntrustedDatabase, atMost limit: Int = maximumCount) throws {
        var tiles: [(number: RowNumber, digest: PieceDigest)] = []
        try database.forEachTileRow { address, row in
            tiles.append((RowNumber(address), row.digest(3)))
            return tiles.count <= limit
        }
        guard tiles.count <= limit else { return nil }
        tiles.sort { $0.number < $1.number }
        var end = 0
        for tile in tiles {
            guard end > 0, tiles[end - 1].number == tile.number else {
                tiles[end] = tile
                end += 1
                continue
            }
            // Of several rows, that counts which is found.
            if tiles[end - 1].digest != tile.digest, let address = tile.number.address,
                let found = try database.digests(at: [address])[address]
            {
                tiles[end - 1].digest = found
            }
        }
        tiles.removeLast(tiles.count - end)
        self.tiles = tiles
    }

    /// Compares the map with an older one.
    package func difference(since older: TileDigests) -> MapDifference {
        var difference = MapDifference(tileCount: count)
        var here = 0
        for old in older.tiles {
            while here < tiles.count, tiles[here].number < old.number {
                difference.added.add(tiles[here].number)
                here += 1
            }
            guard here < tiles.count, tiles[here].number == old.number else {
                difference.gone.add(old.number)
                continue
            }
            if tiles[here].digest != old.digest { difference.changed.add(old.number) }
            here += 1
        }
        for tile in tiles[here...] { difference.added.add(tile.number) }
        return difference
    }
}
