import PeerProtocol

/// Finds the tiles of a map that were there before, such as those of the sea.
///
/// The memory does not grow with the map: only the last of the tiles whose digests have the same beginning is known. So a tile that
/// is repeated often is found almost always. What is found depends only on the tiles and their order.
struct RepeatedTiles {
    private struct Tile {
        var digest: ContentDigest
        var number: Int
    }

    private var tiles = [Tile?](repeating: nil, count: 1 << 16)

    /// Returns the number of the same tile, if it is known; otherwise remembers the tile with a new number.
    mutating func number(of data: [UInt8], orNew number: Int) -> Int {
        let digest = ContentDigest(hashing: data)
        let place = digest.withUnsafeBytes { Int($0[0]) << 8 | Int($0[1]) }
        if let tile = tiles[place], tile.digest == digest { return tile.number }
        tiles[place] = Tile(digest: digest, number: number)
        return number
    }
}
