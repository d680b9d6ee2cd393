import Crypto

/// The first 64 bits of the SHA-256 digest of a page.
///
/// It only says which pages are worth sending. Two pages that share one are taken for the same; the digest of their chunk,
/// which is whole, then tells that they are not. (Wire format, "Pages".)
package struct PageDigest: Hashable, Sendable {
    /// The length of a page digest in bytes.
    package static let byteCount = 8

    /// The digest's bytes as a number, the first one highest.
    package let bits: UInt64

    /// Creates a page digest from its bits.
    package init(bits: UInt64) {
        self.bits = bits
    }

    /// Creates a page digest by hashing a page.
    package init(hashing page: UnsafeRawBufferPointer) {
        var hasher = SHA256()
        hasher.update(bufferPointer: page)
        self.bits = hasher.finalize().prefix(Self.byteCount).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Computes the page digests of bytes that begin with a page; of no bytes, none.
    package static func digests(of bytes: UnsafeRawBufferPointer) -> [PageDigest] {
        let length = Int(ChunkLayout.pageLength)
        return stride(from: 0, to: bytes.count, by: length).map { start in
            let page = bytes[start..<min(start + length, bytes.count)]
            return PageDigest(hashing: UnsafeRawBufferPointer(rebasing: page))
        }
    }
}
