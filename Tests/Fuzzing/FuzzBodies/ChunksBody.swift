import PeerProtocol

/// The bytes of a resource as reads bring them, to be hashed chunk by chunk.
///
/// The first byte is the length of a chunk and the next one the number of pieces; then come the pieces' lengths.
enum ChunksBody {
    static func run(_ input: [UInt8]) throws(BrokenInvariant) {
        var rest = input[...]
        let chunkLength = Int(rest.popFirst() ?? 0) + 1
        let pieceCount = Int(rest.popFirst() ?? 0)
        let lengths = (0..<pieceCount).map { _ in Int(rest.popFirst() ?? 0) * 4 } + [Int.max]
        // Each in memory of its own, so that the sanitizer sees what is read beyond its end.
        let pieces = lengths.map { length in
            let bytes = rest.prefix(length)
            rest = rest.dropFirst(bytes.count)
            let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
            piece.copyBytes(from: bytes)
            return piece
        }
        defer { for piece in pieces { piece.deallocate() } }

        let digests = ContentDigest.chunkDigests(of: pieces.map(UnsafeRawBufferPointer.init), chunkLength: chunkLength)
        let whole = pieces.flatMap { Array($0) }
        let expected = stride(from: 0, to: whole.count, by: chunkLength).map { start in
            ContentDigest(hashing: Array(whole[start..<min(start + chunkLength, whole.count)]))
        }
        try require(digests == expected, "chunks have other digests when they are cut")
    }
}
