public import NIOCore
public import PeerProtocol

/// The storage of one accepted transfer, from the first byte to the commit.
///
/// Exactly one call of ``commit()`` or ``abandon()`` ends the transfer.
public protocol IncomingTransfer: Sendable {
    /// Returns the chunks of a resource that must be transferred.
    ///
    /// - Parameters:
    ///   - entry: The resource.
    ///   - digests: The digests of its chunks, which match the digest of the entry.
    /// - Returns: Runs of chunks, possibly none.
    /// - Throws: An error if existing data cannot be read.
    func missingChunks(of entry: ManifestEntry, digests: [ContentDigest]) throws -> ChunkRuns

    /// Writes verified bytes of a resource.
    ///
    /// Several threads call this method at the same time, for different bytes.
    ///
    /// - Parameters:
    ///   - buffers: One or more whole chunks, in order, in pieces of any length.
    ///   - offset: The position of the first byte in the resource.
    ///   - entry: The resource.
    /// - Throws: An error if the bytes cannot be written, for instance because the disk is full.
    func write(_ buffers: [ByteBuffer], at offset: UInt64, of entry: ManifestEntry) throws

    /// Returns an older version of a resource, so that only the pages that differ are transferred.
    ///
    /// Called after ``missingChunks(of:digests:)``, with its result. The default implementation returns nil.
    ///
    /// - Parameters:
    ///   - entry: The resource.
    ///   - missing: The chunks that must be transferred.
    /// - Returns: The older version, which must not change until the transfer ends; nil if there is none, or if it cannot be
    ///   read.
    /// - Throws: An error if the transfer cannot continue.
    func deltaBasis(of entry: ManifestEntry, for missing: ChunkRuns) throws -> DeltaBasis?

    /// Writes a verified chunk that was assembled from transferred pages and pages of the older version.
    ///
    /// The default implementation calls ``write(_:at:of:)``.
    ///
    /// - Parameters:
    ///   - chunk: The whole chunk.
    ///   - offset: The position of its first byte in the resource.
    ///   - entry: The resource.
    ///   - arrivedCount: The number of its bytes that were transferred.
    /// - Throws: An error if the chunk cannot be written.
    func writeAssembled(_ chunk: ByteBuffer, at offset: UInt64, of entry: ManifestEntry, arrivedCount: Int) throws

    /// Checks the content of a resource of which all chunks have been written.
    ///
    /// - Throws: An error if the content is invalid; the transfer then ends.
    func finish(_ entry: ManifestEntry) throws

    /// Makes everything visible at once, or nothing.
    ///
    /// - Returns: The numbers of items that were imported, for both sides.
    /// - Throws: An error if nothing became visible.
    func commit() throws -> TransferReceipt

    /// Announces that the transfer will be abandoned. Running calls may then end early, with any error.
    ///
    /// Must return immediately. The default implementation does nothing.
    func stop()

    /// Ends the transfer without a commit; existing data stay unchanged.
    func abandon()
}

extension IncomingTransfer {
    /// Returns nil.
    public func deltaBasis(of entry: ManifestEntry, for missing: ChunkRuns) throws -> DeltaBasis? { nil }

    /// Does nothing.
    public func stop() {}

    /// Writes the chunk like any other.
    public func writeAssembled(
        _ chunk: ByteBuffer,
        at offset: UInt64,
        of entry: ManifestEntry,
        arrivedCount: Int
    ) throws {
        try write([chunk], at: offset, of: entry)
    }
}

/// The result of a transfer, as the receiver reports it to the sender.
public struct TransferReceipt: Hashable, Sendable, Codable {
    /// The number of imported items by the name of the resource kind, such as 46 for `waypoints`.
    public var imported: [String: Int]

    /// The number of items that the receiver did not change because its own are newer, by the name of the resource kind.
    public var keptLocal: [String: Int]

    /// Creates a receipt.
    public init(imported: [String: Int] = [:], keptLocal: [String: Int] = [:]) {
        self.imported = imported
        self.keptLocal = keptLocal
    }
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
