import Dispatch
import Glibc
import PeerProtocol
import Synchronization

/// Tiles whose digests are computed at a time, on all cores.
///
/// Lanes of the processor would not help: they hash messages of one length.
struct TileBatch {
    /// The number of bytes from which a batch is full: enough for all cores, and little memory.
    private static let fullLength = 1 << 20
    private static let coreCount = max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN)))

    private var tiles: [TileWalk.Tile] = []
    private var byteCount = 0

    /// Whether it is time for ``takeSpans()``.
    var isFull: Bool { byteCount >= Self.fullLength }

    /// Adds a tile.
    mutating func append(_ tile: TileWalk.Tile) {
        tiles.append(tile)
        byteCount += tile.bytes.count
    }

    /// Returns the spans of the tiles, in the order of the tiles, and forgets these.
    mutating func takeSpans() -> [PieceSpan] {
        let tiles = tiles
        (self.tiles, byteCount) = ([], 0)
        return zip(tiles, Self.digests(of: tiles)).flatMap { tile, digest in
            tile.spans.map { span in
                PieceSpan(
                    offset: span.offset,
                    length: UInt32(clamping: span.length),
                    pieceOffset: UInt32(clamping: span.pieceOffset),
                    digest: digest,
                    key: tile.number?.value
                )
            }
        }
    }

    private static func digests(of tiles: [TileWalk.Tile]) -> [PieceDigest] {
        let length = tiles.count / coreCount + 1
        let shares = Mutex([[PieceDigest]](repeating: [], count: (tiles.count + length - 1) / length))
        // The calling thread takes part, so the work is done even if all other threads are busy.
        DispatchQueue.concurrentPerform(iterations: shares.withLock { $0.count }) { share in
            let part = tiles[share * length..<min((share + 1) * length, tiles.count)]
            let digests = part.map { tile in tile.bytes.withUnsafeBytes { PieceDigest(hashing: $0) } }
            shares.withLock { $0[share] = digests }
        }
        return shares.withLock { $0.flatMap { $0 } }
    }
}
