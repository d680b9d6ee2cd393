import Crypto

extension ContentDigest {
    /// The digest of a resource: SHA-256 over a tag, its size (8 bytes, big-endian) and its chunk digests in order.
    ///
    /// With the tag, no digest of anything else is the digest of a resource.
    /// So a list of chunk digests proves itself against the manifest, and every chunk proves itself against the list.
    /// (Wire format, "Chunks".)
    public init(resourceSize size: UInt64, chunkDigests: some Sequence<ContentDigest>) {
        var hasher = ResourceHasher(size: size)
        for digest in chunkDigests { hasher.update(digest) }
        self = hasher.finalize()
    }
}

/// Computes the digest of a resource from its chunk digests as they come.
struct ResourceHasher: Sendable {
    private var hasher = SHA256()

    init(size: UInt64) {
        hasher.update(data: Array("hikeshare resource\0".utf8))
        withUnsafeBytes(of: size.bigEndian) { hasher.update(bufferPointer: $0) }
    }

    mutating func update(_ digest: ContentDigest) {
        digest.withUnsafeBytes { hasher.update(bufferPointer: $0) }
    }

    func finalize() -> ContentDigest {
        ContentDigest(hasher.finalize())
    }
}
