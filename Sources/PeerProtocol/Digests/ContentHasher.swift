import Crypto

/// Computes the SHA-256 digest of bytes that come one after the other.
package struct ContentHasher: Sendable {
    private var hasher = SHA256()

    /// Creates a hasher that has seen no byte.
    package init() {}

    /// Adds the next bytes.
    package mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { hasher.update(bufferPointer: $0) } }

    /// Returns the digest of all bytes so far.
    package func finalize() -> ContentDigest { ContentDigest(hasher.finalize()) }
}
