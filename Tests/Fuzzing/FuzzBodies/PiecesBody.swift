import NIOCore
import PeerProtocol

/// A list of pieces.
///
/// The first byte is the number of pieces, the next two are the length of the skeleton; then comes the structure as it is before it is
/// compressed. With more than 127 pieces, everything behind the first byte is a list as it is sent.
enum PiecesBody {
    static func run(_ input: [UInt8]) throws(BrokenInvariant) {
        guard let layout = ChunkLayout(size: 150_000), let query = layout.runs(validating: [0..<2, 4..<5, 7..<10]),
            let first = input.first, input.count >= 3
        else { return }
        let skeletonLength = Int(input[1]) << 8 | Int(input[2])
        let bytes =
            first > 127
            ? ByteBuffer(bytes: input.dropFirst())
            : list(pieceCount: first, Array(input.dropFirst(3)), skeletonLength: skeletonLength)
        guard let list = try? PieceList(reading: bytes, query: query, layout: layout) else { return }
        var (end, inPieces): (UInt64, UInt64) = (0, 0)
        for run in list.runs {
            try require(run.offset >= end && Int(run.piece) < list.digests.count, "a run that overlaps or has no piece")
            end = run.byteRange.upperBound
            inPieces += UInt64(run.length)
        }
        var skeleton = 0
        for chunk in list.chunks.ranges.joined() {
            var position = layout.byteRange(of: chunk..<chunk + 1).lowerBound
            for part in list.parts(of: chunk) {
                try require(part.byteRange.lowerBound == position, "the parts of a chunk have gaps")
                position = part.byteRange.upperBound
                guard case .skeleton(let start) = part.source else { continue }
                try require(start == skeleton, "the skeleton is not used in order")
                skeleton += part.byteRange.count
            }
            try require(position == layout.byteRange(of: chunk..<chunk + 1).upperBound, "a chunk that is not whole")
        }
        try require(
            UInt64(skeleton) + inPieces == list.chunks.byteCount(in: layout),
            "a list that does not add up"
        )
        _ = list.missing(of: list.chunks) { $0 % 2 == 0 }
    }

    private static func list(pieceCount: UInt8, _ structure: [UInt8], skeletonLength: Int) -> ByteBuffer {
        let stored = Deflate.compress(structure, as: .zlib, level: 1) ?? []
        var bytes = ByteBuffer()
        bytes.writeMultipleIntegers(
            UInt32(10),
            UInt32(pieceCount),
            UInt32(structure.count),
            UInt32(stored.count),
            UInt32(skeletonLength)
        )
        for piece in 0..<pieceCount { bytes.writeInteger(UInt64(piece)) }
        bytes.writeBytes(stored)
        let skeleton = [UInt8](repeating: 0, count: skeletonLength)
        bytes.writeBytes(Deflate.compress(skeleton, as: .zlib, level: 1) ?? [])
        return bytes
    }
}
