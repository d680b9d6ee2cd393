package import PeerProtocol
package import PeerStorage

/// A file that says where the tiles of a map lie in its file, and what their digests are.
///
/// It is derived from the map, and bound to its digest. If it is missing or does not fit, it is made again, or done without.
///
/// All numbers are little-endian: 4 bytes of text, 4 bytes for the version, 32 bytes for the digest of the map, 8 bytes each for the length of a
/// page, its usable length, the number of spans and 0. Then each span has 32 bytes, in the order of the file.
package struct TileIndex: Sendable {
    /// The maximum number of rows; larger maps get no index.
    package static let maximumTileCount = 4_000_000

    private static let name: [UInt8] = Array("TILE".utf8) + [1, 0, 0, 0]
    private static let headerLength = 72
    private static let spanLength = 32
    /// The most spans that are in memory at a time.
    private static let maximumHeldCount = 400_000
    /// Where tiles are so short, a digest costs more than the tile.
    package static let minimumTileLength = 64
    /// Where spans of a damaged index begin at the latest: behind every map, and far from where numbers end.
    private static let maximumOffset: UInt64 = 1 << 48

    /// Which bytes of the map's pages belong to no tile.
    package let shape: PageShape
    /// The number of spans.
    package let count: Int
    private let file: OpenFile

    /// Opens an index; nil if it is not that of a map with this digest.
    package init?(_ file: OpenFile, of digest: ContentDigest) {
        guard let header = try? file.prefix(Self.headerLength), header.count == Self.headerLength,
            header.starts(with: Self.name), header[8..<40].elementsEqual(digest.bytes)
        else { return nil }
        let numbers = stride(from: 40, to: Self.headerLength, by: 8).map { start in
            (0..<8).reduce(UInt64(0)) { $0 | UInt64(header[start + $1]) << UInt64(8 * $1) }
        }
        guard let shape = PageShape(pageLength: numbers[0], usableLength: numbers[1]), shape.pageLength > 0,
            numbers[2] <= 1 << 32, let size = try? file.size(),
            size == UInt64(Self.headerLength) + numbers[2] * UInt64(Self.spanLength)
        else { return nil }
        self.file = file
        self.shape = shape
        count = Int(numbers[2])
    }

    /// Returns the spans that begin in a range of bytes of the map, and the one before them.
    package func spans(in range: Range<UInt64>) throws -> [PieceSpan] {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            guard let span = try read(middle..<middle + 1).first else { return [] }
            if span.offset < range.lowerBound { low = middle + 1 } else { high = middle }
        }
        var spans: [PieceSpan] = []
        var next = max(0, low - 1)
        while next < count {
            let block = try read(next..<min(count, next + 512))
            guard !block.isEmpty else { break }
            spans += block.prefix { $0.offset < range.upperBound }
            if block.last.map({ $0.offset >= range.upperBound }) == true { break }
            next += block.count
        }
        return spans
    }

    /// Calls `body` with each span, in the order of the map's file.
    package func scan(_ body: (PieceSpan) throws -> Void) throws {
        for start in stride(from: 0, to: count, by: 2048) {
            for span in try read(start..<min(count, start + 2048)) { try body(span) }
        }
    }

    private func read(_ positions: Range<Int>) throws -> [PieceSpan] {
        let start = UInt64(Self.headerLength + positions.lowerBound * Self.spanLength)
        return try file.bytes(positions.count * Self.spanLength, at: start).withUnsafeBytes { bytes in
            func number<Number: FixedWidthInteger & BitwiseCopyable>(_ offset: Int) -> Number {
                Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
            }
            return stride(from: 0, through: bytes.count - Self.spanLength, by: Self.spanLength).map { start in
                let key: UInt64 = number(start + 24)
                return PieceSpan(
                    offset: min(Self.maximumOffset, number(start + 8)),
                    length: min(UInt32(clamping: PieceList.maximumPieceLength), number(start + 16)),
                    pieceOffset: number(start + 20),
                    digest: PieceDigest(bits: number(start)),
                    key: key == 0 ? nil : key - 1
                )
            }
        }
    }
}

/// Making an index.
extension TileIndex {
    /// Writes the index of a map to an empty file.
    ///
    /// - Returns: Whether it was written; not if the map has too many tiles, or is not as it is expected to be.
    package static func write(
        to output: OpenFile,
        of map: OpenFile,
        _ table: TileTable,
        digest: ContentDigest,
        isStopped: @escaping () -> Bool = { false }
    ) throws -> Bool {
        do {
            var writer = try IndexWriter(map, table, output, isStopped)
            try writer.run()
            var header = name + Array(digest.bytes)
            for number in [writer.shape.pageLength, writer.shape.usableLength, UInt64(writer.count), 0] {
                for byte in 0..<8 { header.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * byte))) }
            }
            // Last, so that an unfinished index is not taken for one.
            try output.write(header)
            return true
        } catch is TileWalk.Unknown {
            return false
        }
    }

    /// Writes the spans in the order of the file, although the b-tree has another one.
    ///
    /// If they are too many for the memory, the walk is made again for each part of the file.
    private struct IndexWriter {
        private static let bucketCount = 4096

        let shape: PageShape
        private(set) var count = 0
        private let walk: TileWalk
        private let size: UInt64
        private let output: OpenFile
        private var end: UInt64 = 0

        init(_ map: OpenFile, _ table: TileTable, _ output: OpenFile, _ isStopped: @escaping () -> Bool) throws {
            walk = try TileWalk(map, table, isStopped: isStopped)
            shape = walk.shape
            size = try map.size()
            self.output = output
        }

        mutating func run() throws {
            var buckets = [Int](repeating: 0, count: Self.bucketCount)
            let width = size / UInt64(Self.bucketCount) + 1
            var held: [PieceSpan] = []
            var spanCount = 0
            try digestTiles { tile in
                spanCount += tile.spans.count
                for span in tile.spans { buckets[Int(span.offset / width)] += 1 }
                if spanCount > TileIndex.maximumHeldCount { held = [] }
                return spanCount <= TileIndex.maximumHeldCount
            } body: {
                held += $0
            }
            guard spanCount > TileIndex.maximumHeldCount else { return try write(held) }
            held = []
            var first = 0
            while first < Self.bucketCount {
                var (last, inWindow) = (first, 0)
                while last < Self.bucketCount, last == first || inWindow + buckets[last] <= TileIndex.maximumHeldCount {
                    inWindow += buckets[last]
                    last += 1
                }
                try writeWindow(UInt64(first) * width..<UInt64(last) * width)
                first = last
            }
        }

        private mutating func writeWindow(_ window: Range<UInt64>) throws {
            var held: [PieceSpan] = []
            try digestTiles { tile in
                tile.spans.contains { window.contains($0.offset) }
            } body: { spans in
                held += spans.filter { window.contains($0.offset) }
                // So many short tiles in one place are no map.
                guard held.count <= 2 * TileIndex.maximumHeldCount else { throw TileWalk.Unknown() }
            }
            try write(held)
        }

        /// Calls `body` with the spans of the tiles that are wanted, of some tiles at a time.
        private func digestTiles(where isWanted: (TileWalk.Tile) -> Bool, body: ([PieceSpan]) throws -> Void) throws {
            var walk = walk
            var batch = TileBatch()
            try walk.run { tile in
                guard tile.bytes.count >= TileIndex.minimumTileLength, isWanted(tile) else { return }
                batch.append(tile)
                if batch.isFull { try body(batch.takeSpans()) }
            }
            try body(batch.takeSpans())
        }

        private mutating func write(_ spans: [PieceSpan]) throws {
            var bytes: [UInt8] = []
            for span in spans.sorted(by: { $0.offset < $1.offset }) {
                // Two tiles at one place are a broken file.
                guard span.offset >= end else { throw TileWalk.Unknown() }
                end = shape.end(from: span.offset, length: UInt64(span.length))
                withUnsafeBytes(of: span.digest.bits.littleEndian) { bytes += $0 }
                withUnsafeBytes(of: span.offset.littleEndian) { bytes += $0 }
                withUnsafeBytes(of: span.length.littleEndian) { bytes += $0 }
                withUnsafeBytes(of: span.pieceOffset.littleEndian) { bytes += $0 }
                withUnsafeBytes(of: (span.key.map { $0 + 1 } ?? 0).littleEndian) { bytes += $0 }
                count += 1
                if bytes.count >= 1 << 18 { try flush(&bytes) }
            }
            try flush(&bytes)
        }

        private mutating func flush(_ bytes: inout [UInt8]) throws {
            let end = TileIndex.headerLength + count * TileIndex.spanLength
            try output.write(bytes, at: UInt64(end - bytes.count))
            bytes.removeAll(keepingCapacity: true)
        }
    }
}
