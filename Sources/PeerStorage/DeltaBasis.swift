public import NIOCore
public import PeerProtocol

/// An older version of a resource, from which a receiver reuses unchanged pages.
///
/// The older version is not trusted: pages are compared by their digests, and an assembled chunk counts only if it matches
/// its digest.
public struct DeltaBasis: Sendable {
    /// The missing chunks at whose offsets the older version has bytes.
    public var chunks: ChunkRuns

    private let read: @Sendable (Range<UInt64>) throws -> ByteBuffer

    /// Creates a description of an older version.
    ///
    /// - Parameters:
    ///   - chunks: The missing chunks at whose offsets it has bytes.
    ///   - read: Reads a range of bytes; fewer if the older version is shorter. It may block.
    public init(chunks: ChunkRuns, read: @escaping @Sendable (Range<UInt64>) throws -> ByteBuffer) {
        self.chunks = chunks
        self.read = read
    }

    /// Reads bytes; returns none if they cannot be read.
    ///
    /// Then all of them are transferred.
    package func bytes(in range: Range<UInt64>) -> ByteBuffer {
        (try? read(range)) ?? ByteBuffer()
    }
}
