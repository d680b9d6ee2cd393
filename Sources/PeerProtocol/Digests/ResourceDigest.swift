import Crypto

extension ContentDigest {
    /// The digest of a resource: SHA-256 over a tag, its size (8 bytes, big-endian) and its chunk digests in order.
    ///
    /// With the tag, no digest of anything else is the digest of a resource.
    /// So a list of chunk digests proves itself against the manifest, and every chunk proves itself against the list.
    /// (Wire format, "Chunks".)
    public init(resourceSize size: UInt64, chunkDigests: some Sequence<ContentDigest>) {
        var hasher = SHA256()
        hasher.update(data: Array("hikeshare resource\0".utf8))
        Swift.withUnsafeBytes(of: size.bigEndian) { hasher.update(bufferPointer: $0) }
        for digest in chunkDigests {
            digest.withUnsafeBytes { hasher.update(bufferPointer: $0) }
        }
        self.init(hasher.finalize())
    }
}
