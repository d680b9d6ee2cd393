package import Crypto
package import NIOCore

/// A SHA-256 digest of bytes.
///
/// Chunks, resources, manifests and public keys are all named by one. It is stored inline, so that a list of 65,536
/// of them is one allocation of 2 MiB.
public struct ContentDigest: Sendable {
    /// The length of a digest in bytes.
    package static let byteCount = 32

    private let word0: UInt64
    private let word1: UInt64
    private let word2: UInt64
    private let word3: UInt64

    /// Creates a digest from a finished SHA-256 computation.
    package init(_ digest: SHA256.Digest) { self = digest.withUnsafeBytes { ContentDigest(unchecked: $0) } }

    /// Creates a digest by hashing bytes.
    public init(hashing bytes: UnsafeRawBufferPointer) {
        var hasher = SHA256()
        hasher.update(bufferPointer: bytes)
        self.init(hasher.finalize())
    }

    /// Creates a digest by hashing bytes.
    package init(hashing bytes: [UInt8]) { self = bytes.withUnsafeBytes { ContentDigest(hashing: $0) } }

    /// Creates a digest by hashing the readable bytes of a buffer.
    package init(hashing bytes: ByteBuffer) { self = bytes.withUnsafeReadableBytes { ContentDigest(hashing: $0) } }

    /// Creates a digest from exactly 32 raw bytes; nil for any other count.
    public init?(bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.byteCount else { return nil }
        self.init(unchecked: bytes)
    }

    /// Creates a digest from its text form, 64 hexadecimal digits; nil for anything else.
    public init?(hex: some StringProtocol) {
        guard let raw = Hexadecimal.decode(hex), raw.count == Self.byteCount else { return nil }
        self = raw.withUnsafeBytes { ContentDigest(unchecked: $0) }
    }

    private init(unchecked bytes: UnsafeRawBufferPointer) {
        self.word0 = bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
        self.word1 = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        self.word2 = bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
        self.word3 = bytes.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
    }

    /// The 32 bytes of the digest.
    package var bytes: [UInt8] { withUnsafeBytes { Array($0) } }

    /// The digest as 64 lower-case hexadecimal digits.
    public var hex: String { withUnsafeBytes { Hexadecimal.encode($0) } }

    /// Calls `body` with the 32 bytes of the digest.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try Swift.withUnsafeBytes(of: (word0, word1, word2, word3), body)
    }
}

extension ContentDigest: Hashable {}

extension ContentDigest: CustomStringConvertible {
    /// The digest in hexadecimal.
    public var description: String { hex }
}

extension ContentDigest: Codable {
    /// Reads a digest from its hexadecimal text form.
    public init(from decoder: any Decoder) throws {
        self = try decoder.value("a digest is 64 hexadecimal digits") { ContentDigest(hex: $0) }
    }

    /// Writes a digest in its hexadecimal text form.
    public func encode(to encoder: any Encoder) throws { try encoder.write(hex) }
}

extension ContentDigest {
    /// The digest of a resource: SHA-256 over a tag, its size (8 bytes, big-endian) and its chunk digests in order.
    ///
    /// With the tag, no digest of anything else is the digest of a resource.
    /// So a list of chunk digests proves itself against the manifest, and every chunk proves itself against the list.
    /// (Wire format, "Chunks".)
    public init(resourceSize size: UInt64, chunkDigests: some Sequence<ContentDigest>) {
        var hasher = ContentDigest.ResourceHasher(size: size)
        for digest in chunkDigests { hasher.update(digest) }
        self = hasher.finalize()
    }
}

extension ContentDigest {
    /// Computes the digest of a resource from its chunk digests as they come.
    struct ResourceHasher: Sendable {
        private var hasher = SHA256()

        init(size: UInt64) {
            hasher.update(data: Array("hikeshare resource\0".utf8))
            Swift.withUnsafeBytes(of: size.bigEndian) { hasher.update(bufferPointer: $0) }
        }

        mutating func update(_ digest: ContentDigest) {
            digest.withUnsafeBytes { hasher.update(bufferPointer: $0) }
        }

        func finalize() -> ContentDigest { ContentDigest(hasher.finalize()) }
    }
}

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

    /// How many chunks of a length, in bytes, are hashed at once; at least 1.
    static func chunksAtOnce(length: Int) -> Int {
        length <= longestChunkAtOnce ? SHA256Lanes.best?.count ?? 1 : 1
    }

    /// Too few longer chunks arrive at a time, and copies of those that are cut would be long.
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
