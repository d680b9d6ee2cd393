import PeerProtocol

/// What is known of the tiles of a map to say how large a part of it is before it is written.
///
/// It is read once, and then answers for one part after the other without reading the map.
package struct MapPartSizes: Sendable {
    /// A part of a map.
    package struct Part: Hashable, Sendable {
        /// The number of tiles.
        package var tileCount: Int
        /// The number of tiles of the whole map.
        package var wholeTileCount: Int
        /// The size of its file, in bytes.
        package var size: UInt64
        /// Whether it has all tiles, so that it is no part.
        package var isWhole: Bool { tileCount == wholeTileCount }
    }

    private struct Tile {
        var number: ColumnNumber
        var length: UInt32
        /// The same number for the same data; 0 for data that are too long to be compared.
        var content: UInt32
    }

    /// The maximum number of tiles, which are in memory, 16 bytes each.
    package static let maximumTileCount = 2_000_000
    /// The maximum length of tiles that are looked for again, in bytes: those of the sea and of empty places are short.
    private static let repeatedLength = 4096

    private let tiles: [Tile]
    private let mapSize: UInt64
    private let metadata: [String: String]

    /// Reads the places and the lengths of all tiles.
    ///
    /// - Parameter mapSize: The size of the map, in bytes.
    /// - Returns: nil if there are too many tiles.
    package init?(of database: UntrustedDatabase, mapSize: UInt64, atMost limit: Int = maximumTileCount) throws {
        var tiles: [Tile] = []
        var contents: [PieceDigest: UInt32] = [:]
        let columns =
            "length(tile_data), CASE WHEN length(tile_data) <= \(Self.repeatedLength) THEN tile_data END"
        try database.forEachTileRow(columns) { address, row in
            let length = UInt32(clamping: row.integer(3))
            var content: UInt32 = 0
            if length <= Self.repeatedLength {
                let digest = row.bytes(4, limit: Self.repeatedLength).withUnsafeBytes { PieceDigest(hashing: $0) }
                content = contents[digest] ?? UInt32(clamping: contents.count + 1)
                contents[digest] = content
            }
            tiles.append(Tile(number: ColumnNumber(address), length: length, content: content))
            return tiles.count <= limit
        }
        guard tiles.count <= limit else { return nil }
        tiles.sort { $0.number < $1.number }
        self.tiles = tiles
        self.mapSize = mapSize
        metadata = try MapDescription.metadata(ofCut: database)
    }

    /// Returns how large the part is that a rule takes; without tiles, the size is 0.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.invalidArgument` if a line is too long for a strip.
    package func part(of rule: CutRule) throws -> Part {
        var selection = try CutRule.Selection(rule)
        var (writer, last, wholeCount) = (MBTilesSize(), nil as ColumnNumber?, 0)
        for tile in tiles where tile.number != last {
            last = tile.number
            wholeCount += 1
            guard let address = tile.number.address, selection.contains(address) else { continue }
            writer.add(address, length: Int(tile.length), content: tile.content)
        }
        var part = Part(tileCount: writer.tileCount, wholeTileCount: wholeCount, size: 0)
        part.size = part.tileCount == 0 ? 0 : part.isWhole ? mapSize : writer.size(metadata: metadata)
        return part
    }
}
