public import NIOCore
public import PeerProtocol

/// What a storage has of an offered resource, as ``ResourceSink/locate(_:of:digests:isStopped:)`` has found it.
public struct LocatedChunks: Sendable {
    /// The chunks that must be transferred.
    public var missing: ChunkRuns

    /// Where pieces of the resource may be, so that only the others are transferred; nil if there are none.
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

/// What a storage may have of the pieces of a resource: those of an older version, at the same places, and those of other files.
///
/// It is not trusted: pieces are compared by their digests, and an assembled chunk counts only if it matches its digest.
public struct DeltaBasis: Sendable {
    /// The missing chunks of which pieces may be present.
    public var chunks: ChunkRuns

    /// Sees what was compared before a person has answered an offer; it may block.
    package var noteSurvey: (@Sendable (PieceComparison) -> Void)?

    private let read: @Sendable (Range<UInt64>) throws -> ByteBuffer
    private let find: @Sendable (PieceList) throws -> (any LocalPieces)?

    /// Creates a description of an older version.
    ///
    /// - Parameters:
    ///   - chunks: The missing chunks at whose offsets it has bytes.
    ///   - read: Reads a range of bytes; fewer if the older version is shorter. It may block.
    public init(chunks: ChunkRuns, read: @escaping @Sendable (Range<UInt64>) throws -> ByteBuffer) {
        self.init(chunks: chunks, read: read) { _ in nil }
    }

    /// Creates a description of an older version and other files.
    ///
    /// - Parameters:
    ///   - chunks: The missing chunks of which pieces may be present.
    ///   - read: Reads a range of bytes of the older version; fewer if it is shorter, none if there is none. It may block.
    ///   - find: Finds the pieces of a list in other files. It may block.
    package init(
        chunks: ChunkRuns,
        read: @escaping @Sendable (Range<UInt64>) throws -> ByteBuffer,
        find: @escaping @Sendable (PieceList) throws -> (any LocalPieces)?
    ) {
        self.chunks = chunks
        self.read = read
        self.find = find
    }

    /// Reads bytes of the older version; returns none if they cannot be read.
    ///
    /// Then all of them are transferred.
    package func bytes(in range: Range<UInt64>) -> ByteBuffer {
        (try? read(range)) ?? ByteBuffer()
    }

    /// Finds the pieces of a list; those that cannot be found are transferred.
    package func pieces(of list: PieceList) -> (any LocalPieces)? {
        try? find(list)
    }
}
