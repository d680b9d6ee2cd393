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
    ///   - pieces: The chunks' bytes in order, cut anywhere.
    ///   - chunkLength: The length of every chunk but the last, in bytes; at least 1.
    /// - Returns: The digests of the chunks, in order; none for no bytes.
    public static func chunkDigests(of pieces: [UnsafeRawBufferPointer], chunkLength: Int) -> [ContentDigest] {
        guard let lanes = SHA256Lanes.best, chunkLength <= longestChunkAtOnce else {
            return chunkDigestsInTurn(of: pieces, chunkLength: chunkLength)
        }
        return chunkDigests(of: pieces, chunkLength: chunkLength, lanes: lanes)
    }

    /// Of longer chunks, too few are at hand at a time, and those that are cut would be long copies.
    private static let longestChunkAtOnce = 64 * 1024

    static func chunkDigestsInTurn(of pieces: [UnsafeRawBufferPointer], chunkLength: Int) -> [ContentDigest] {
        var digests: [ContentDigest] = []
        var hasher = SHA256()
        var hashedCount = 0
        for piece in pieces {
            var rest = piece[...]
            while !rest.isEmpty {
                let next = rest.prefix(chunkLength - hashedCount)
                rest = rest.dropFirst(next.count)
                hasher.update(bufferPointer: UnsafeRawBufferPointer(rebasing: next))
                hashedCount += next.count
                if hashedCount == chunkLength {
                    digests.append(ContentDigest(hasher.finalize()))
                    hasher = SHA256()
                    hashedCount = 0
                }
            }
        }
        return hashedCount == 0 ? digests : digests + [ContentDigest(hasher.finalize())]
    }

    static func chunkDigests(
        of pieces: [UnsafeRawBufferPointer],
        chunkLength: Int,
        lanes: SHA256Lanes
    ) -> [ContentDigest] {
        // Between two pieces one chunk at most is cut, and at the end one may be short.
        let byteCount = pieces.reduce(0) { $0 + $1.count }
        let copyCount = min(pieces.count, byteCount / chunkLength + 1)
        let copies = UnsafeMutableRawBufferPointer.allocate(byteCount: copyCount * chunkLength, alignment: 64)
        defer { copies.deallocate() }
        var unused = copies[...]
        var copiedCount = 0
        var chunks: [UnsafeRawBufferPointer] = []
        for piece in pieces {
            var rest = piece[...]
            while !rest.isEmpty {
                let next = UnsafeRawBufferPointer(rebasing: rest.prefix(chunkLength - copiedCount))
                rest = rest.dropFirst(next.count)
                if next.count == chunkLength {
                    chunks.append(next)
                    continue
                }
                let place = UnsafeMutableRawBufferPointer(rebasing: unused.dropFirst(copiedCount))
                // Cannot be; without digests, nothing is verified.
                guard next.count <= place.count else { return [] }
                place.copyMemory(from: next)
                copiedCount += next.count
                if copiedCount == chunkLength {
                    chunks.append(UnsafeRawBufferPointer(rebasing: unused.prefix(chunkLength)))
                    unused = unused.dropFirst(chunkLength)
                    copiedCount = 0
                }
            }
        }
        var digests = lanes.digests(of: chunks)
        if copiedCount > 0 {
            digests.append(ContentDigest(hashing: UnsafeRawBufferPointer(rebasing: unused.prefix(copiedCount))))
        }
        return digests
    }
}
