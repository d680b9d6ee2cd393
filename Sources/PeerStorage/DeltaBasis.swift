public import NIOCore
public import PeerProtocol

/// What a storage may have of the pieces of a resource: those of an older version, at the same places, and those of other files.
///
/// It is not trusted: pieces are compared by their digests, and an assembled chunk counts only if it matches its digest.
public struct DeltaBasis: Sendable {
    /// The missing chunks whose pieces may be present.
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
    package func bytes(in range: Range<UInt64>) -> ByteBuffer { (try? read(range)) ?? ByteBuffer() }

    /// Finds the pieces of a list; those that cannot be found are transferred.
    package func pieces(of list: PieceList) -> (any LocalPieces)? { try? find(list) }
}
