public import NIOCore
public import PeerProtocol

/// What a storage has of an offered resource, as ``ResourceSink/locate(_:of:digests:isStopped:)`` has found it.
public struct LocatedChunks: Sendable {
    /// The chunks that must be transferred.
    public var missing: ChunkRuns

    /// An older version of the resource, so that only the pages that differ are transferred; nil if there is none.
    public var older: DeltaBasis?

    /// Where the other chunks are, in a form that only the storage knows.
    ///
    /// The value is kept while a person is asked. So it must not need more than some bytes for each chunk.
    public var places: (any Sendable)?

    /// Creates a description.
    public init(missing: ChunkRuns, older: DeltaBasis? = nil, places: (any Sendable)? = nil) {
        self.missing = missing
        self.older = older
        self.places = places
    }
}

/// What a storage knows of an offered resource without the digests of its chunks.
public enum LocalPresence: Sendable {
    /// The whole resource is there.
    case whole(LocatedChunks)
    /// A part of the resource may be there, so the digests of its chunks are needed.
    case partial
}

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
