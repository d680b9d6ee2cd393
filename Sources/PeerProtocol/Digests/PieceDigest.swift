import Crypto

/// The first 64 bits of the SHA-256 digest of a piece.
///
/// It only says which pieces are worth sending. Two pieces that share one are taken for the same; the digest of their chunk,
/// which is whole, then tells that they are not. (Wire format, "Pieces".)
package struct PieceDigest: Hashable, Sendable {
    /// The length of a piece digest in bytes.
    package static let byteCount = 8

    /// The digest's bytes as a number, the first one highest.
    package let bits: UInt64

    /// Creates a piece digest from its bits.
    package init(bits: UInt64) { self.bits = bits }

    /// Creates a piece digest by hashing a piece.
    package init(hashing piece: UnsafeRawBufferPointer) {
        var hasher = Hasher()
        hasher.update(piece)
        self = hasher.finalize()
    }

    /// Hashes a piece whose bytes come one after the other.
    package struct Hasher {
        private var hasher = SHA256()

        /// Creates a hasher that has seen no byte.
        package init() {}

        /// Adds the next bytes.
        package mutating func update(_ bytes: UnsafeRawBufferPointer) { hasher.update(bufferPointer: bytes) }

        /// Returns the digest of all bytes.
        package func finalize() -> PieceDigest {
            PieceDigest(bits: hasher.finalize().prefix(PieceDigest.byteCount).reduce(0) { $0 << 8 | UInt64($1) })
        }
    }
}
