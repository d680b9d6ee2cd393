import Crypto

extension ContentDigest {
    /// Computes the chunk digests of a resource that is in memory; empty for no bytes.
    public static func chunkDigests(of bytes: UnsafeRawBufferPointer) -> [ContentDigest] {
        guard let layout = ChunkLayout(size: UInt64(bytes.count)) else { return [] }
        return chunkDigests(of: [bytes], chunkLength: Int(layout.chunkLength))
    }

    /// Computes the digests of consecutive chunks, several at a time where the processor is faster so.
    ///
    /// - Parameters:
    ///   - pieces: The chunks' bytes in order, cut anywhere. A chunk that is cut is hashed on its own.
    ///   - chunkLength: The length of every chunk but the last, in bytes; at least 1.
    public static func chunkDigests(of pieces: [UnsafeRawBufferPointer], chunkLength: Int) -> [ContentDigest] {
        chunkDigests(of: pieces, chunkLength: chunkLength, lanes: .best)
    }

    static func chunkDigests(
        of pieces: [UnsafeRawBufferPointer],
        chunkLength: Int,
        lanes: SHA256Lanes?
    ) -> [ContentDigest] {
        var uncut: [UnsafeRawBufferPointer] = []
        var cut: [(position: Int, digest: ContentDigest)] = []
        var hasher = SHA256()
        var hashedCount = 0
        for piece in pieces {
            var rest = piece[...]
            while !rest.isEmpty {
                let next = UnsafeRawBufferPointer(rebasing: rest.prefix(chunkLength - hashedCount))
                rest = rest.dropFirst(next.count)
                if next.count == chunkLength {
                    uncut.append(next)
                    continue
                }
                hasher.update(bufferPointer: next)
                hashedCount += next.count
                if hashedCount == chunkLength {
                    cut.append((uncut.count + cut.count, ContentDigest(hasher.finalize())))
                    hasher = SHA256()
                    hashedCount = 0
                }
            }
        }
        if hashedCount > 0 { cut.append((uncut.count + cut.count, ContentDigest(hasher.finalize()))) }

        var digests = lanes?.digests(of: uncut) ?? uncut.map { ContentDigest(hashing: $0) }
        for (position, digest) in cut { digests.insert(digest, at: position) }
        return digests
    }
}
