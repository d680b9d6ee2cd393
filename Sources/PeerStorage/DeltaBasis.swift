public import NIOCore
public import PeerProtocol

/// What a receiver has of an older version of a resource that arrives.
///
/// Nothing of it is believed: pages are compared by their digests, and a chunk that is put together from it counts only if
/// it matches its own.
public struct DeltaBasis: Sendable {
    /// The missing chunks at whose place the older version has bytes.
    public var chunks: ChunkRuns

    private let read: @Sendable (Range<UInt64>) throws -> ByteBuffer

    /// Creates a description of an older version.
    ///
    /// - Parameters:
    ///   - chunks: The missing chunks at whose place it has bytes.
    ///   - read: Reads a range of bytes, fewer of them if the older version ends before. It may block.
    public init(chunks: ChunkRuns, read: @escaping @Sendable (Range<UInt64>) throws -> ByteBuffer) {
        self.chunks = chunks
        self.read = read
    }

    /// Reads bytes; none if they cannot be read, which costs no more than that all of them cross.
    package func bytes(in range: Range<UInt64>) -> ByteBuffer {
        (try? read(range)) ?? ByteBuffer()
    }
}
