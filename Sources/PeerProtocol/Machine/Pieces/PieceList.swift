package import NIOCore

/// What a sender says of the chunks that a receiver lacks: which pieces they consist of, and all bytes that belong to no piece.
///
/// A piece is a run of bytes with a digest, such as the bytes of a map's tile, wherever they lie. The other bytes are the
/// *skeleton*. It is not trusted: a chunk that is put together with it counts only if it matches its digest.
/// (Wire format, "Pieces".)
package struct PieceList: Sendable {
    /// Bytes of a piece that lie one after the other.
    package struct Run: Hashable, Sendable {
        /// Where they begin in the resource.
        package let offset: UInt64
        /// How many they are.
        package let length: UInt32
        /// The position of the piece in the list.
        package let piece: UInt32
        /// Where they begin in the piece.
        package let pieceOffset: UInt32

        package var byteRange: Range<UInt64> { offset..<offset + UInt64(length) }
    }

    /// A part of a chunk.
    package struct Part: Hashable, Sendable {
        package enum Source: Hashable, Sendable {
            /// The skeleton from this position on.
            case skeleton(Int)
            /// A piece from this position on; and the run.
            case piece(Int, from: Int, run: Int)
        }

        package let byteRange: Range<UInt64>
        package let source: Source
    }

    /// The longest piece, in bytes.
    package static let maximumPieceLength: UInt64 = 8 << 20
    /// The most runs of bytes of pieces.
    package static let maximumRunCount = 65_536
    /// The longest skeleton, in bytes: as long as the longest chunk.
    package static let maximumSkeletonLength = 4 << 20
    /// The longest description of where pieces lie, and of their keys, in bytes.
    package static let maximumStructureLength = 2 << 20
    /// The longest list, in bytes.
    package static let maximumLength = 5 << 20
    /// The most keys.
    package static let maximumKeyCount = 65_536
    /// The number above all keys.
    package static let keyBound: UInt64 = 1 << 62

    /// The chunks that it covers: the first ones of a query.
    package let chunks: ChunkRuns
    /// The digests of the pieces.
    package let digests: [PieceDigest]
    /// The numbers that the application has given to pieces, with the position of the piece.
    package let keys: [(piece: Int, key: UInt64)]
    /// Where the pieces lie, in the order of the resource.
    package let runs: [Run]

    /// Which bytes of pages belong to no piece; without pages, pieces are no values of a database.
    package let shape: PageShape

    let layout: ChunkLayout
    let skeleton: ByteBuffer
    /// For each covered chunk, the first run that ends after its start, and the length of the skeleton before it.
    private let starts: [(run: Int, skeleton: Int)]

    init(
        chunks: ChunkRuns,
        digests: [PieceDigest],
        keys: [(piece: Int, key: UInt64)],
        runs: [Run],
        shape: PageShape,
        layout: ChunkLayout,
        skeleton: ByteBuffer
    ) {
        self.chunks = chunks
        self.digests = digests
        self.keys = keys
        self.runs = runs
        self.shape = shape
        self.layout = layout
        self.skeleton = skeleton
        var starts: [(run: Int, skeleton: Int)] = []
        starts.reserveCapacity(chunks.chunkCount)
        var (run, covered, inPieces) = (0, 0, 0)
        for chunk in chunks.ranges.joined() {
            let range = layout.byteRange(of: chunk..<chunk + 1)
            while run < runs.count, runs[run].byteRange.upperBound <= range.lowerBound {
                inPieces += Int(runs[run].length)
                run += 1
            }
            var before = inPieces
            if run < runs.count, runs[run].offset < range.lowerBound {
                before += Int(range.lowerBound - runs[run].offset)
            }
            starts.append((run, covered - before))
            covered += range.count
        }
        self.starts = starts
    }

    /// Returns the parts of a covered chunk, in order; none for another chunk.
    package func parts(of chunk: Int) -> [Part] {
        var index = 0
        for range in chunks.ranges {
            guard chunk >= range.upperBound else { break }
            index += range.count
        }
        guard let range = chunks.ranges.first(where: { $0.contains(chunk) }) else { return [] }
        index += chunk - range.lowerBound
        guard starts.indices.contains(index) else { return [] }
        var (run, skeleton) = starts[index]
        let bytes = layout.byteRange(of: chunk..<chunk + 1)
        var position = bytes.lowerBound
        var parts: [Part] = []
        while position < bytes.upperBound {
            guard run < runs.count, runs[run].offset < bytes.upperBound else {
                parts.append(Part(byteRange: position..<bytes.upperBound, source: .skeleton(skeleton)))
                break
            }
            let own = runs[run].byteRange
            if position < own.lowerBound {
                parts.append(Part(byteRange: position..<own.lowerBound, source: .skeleton(skeleton)))
                skeleton += Int(own.lowerBound - position)
                position = own.lowerBound
            }
            let end = min(own.upperBound, bytes.upperBound)
            let from = Int(runs[run].pieceOffset) + Int(position - own.lowerBound)
            parts.append(
                Part(byteRange: position..<end, source: .piece(Int(runs[run].piece), from: from, run: run))
            )
            position = end
            run += 1
        }
        return parts
    }

    /// Returns the bytes of chunks that belong to runs that are not present.
    ///
    /// Short gaps between them count as missing too, where that costs less than to begin anew.
    package func missing(of wanted: ChunkRuns, where isPresent: (Int) -> Bool) -> ByteRuns {
        let wanted = wanted.joined.ranges.map { layout.byteRange(of: $0) }
        var area = 0
        var missing: [Range<UInt64>] = []
        for (index, run) in runs.enumerated() {
            while area < wanted.count, wanted[area].upperBound <= run.offset { area += 1 }
            guard area < wanted.count else { break }
            guard !isPresent(index) else { continue }
            // A run may reach from one run of chunks to another only if a chunk between them is not wanted any more.
            for part in wanted[area...].lazy.map({ $0.clamped(to: run.byteRange) }).prefix(while: { !$0.isEmpty }) {
                if let last = missing.last, part.lowerBound - last.upperBound < RangeRequest.minimumGap {
                    missing[missing.count - 1] = last.lowerBound..<part.upperBound
                } else {
                    missing.append(part)
                }
            }
        }
        return layout.byteRuns(validating: missing) ?? .none
    }

    /// Writes a part of the skeleton to a chunk.
    package func writeSkeleton(from start: Int, count: Int, to chunk: inout ByteBuffer, at index: Int) {
        guard let slice = skeleton.getSlice(at: skeleton.readerIndex + start, length: count) else { return }
        chunk.setBuffer(slice, at: index)
    }
}
