import Crypto

extension ContentDigest {
    /// The digest of a resource: SHA-256 over its size (8 bytes, big-endian) and its chunk digests in order.
    ///
    /// So a list of chunk digests proves itself against the manifest, and every chunk proves itself against the list.
    /// (Wire format, "Chunks".)
    public init(resourceSize size: UInt64, chunkDigests: some Sequence<ContentDigest>) {
        var hasher = SHA256()
        Swift.withUnsafeBytes(of: size.bigEndian) { hasher.update(bufferPointer: $0) }
        for digest in chunkDigests {
            digest.withUnsafeBytes { hasher.update(bufferPointer: $0) }
        }
        self.init(hasher.finalize())
    }

    /// Computes the chunk digests of a resource that is in memory; empty for no bytes.
    public static func chunkDigests(of bytes: UnsafeRawBufferPointer) -> [ContentDigest] {
        guard let layout = ChunkLayout(size: UInt64(bytes.count)) else { return [] }
        return (0..<layout.chunkCount).map { position in
            let range = layout.byteRange(of: position..<position + 1)
            return ContentDigest(
                hashing: UnsafeRawBufferPointer(rebasing: bytes[Int(range.lowerBound)..<Int(range.upperBound)])
            )
        }
    }
}
