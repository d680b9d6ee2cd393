public import NIOCore
public import PeerProtocol

/// A transfer that was agreed to, while it arrives.
///
/// Exactly one of ``commit()`` and ``abandon()`` ends it.
public protocol IncomingTransfer: Sendable {
    /// Returns the chunks of a resource that are not there yet.
    ///
    /// - Parameters:
    ///   - entry: The resource.
    ///   - digests: The digests of its chunks, proved against the entry's digest.
    /// - Returns: Runs of chunks, possibly none.
    /// - Throws: If what is there cannot be read.
    func missingChunks(of entry: ManifestEntry, digests: [ContentDigest]) throws -> ChunkRuns

    /// Keeps verified bytes of a resource.
    ///
    /// Called by several threads at once, for different bytes.
    ///
    /// - Parameters:
    ///   - buffers: One or more whole chunks, in order, in pieces of any length.
    ///   - offset: Where in the resource they begin.
    ///   - entry: The resource.
    /// - Throws: If they cannot be written, because the disk is full for instance.
    func write(_ buffers: [ByteBuffer], at offset: UInt64, of entry: ManifestEntry) throws

    /// Returns what is here of an older version of a resource, so that only the pages that differ need to cross.
    ///
    /// Called after ``missingChunks(of:digests:)``, with what that returned. Without an implementation there is none.
    ///
    /// - Parameters:
    ///   - entry: The resource.
    ///   - missing: The chunks that are not there yet.
    /// - Returns: The older version, which must stay as it is until the transfer ends; nil if there is none.
    /// - Throws: If the transfer cannot go on. An older version that cannot be read is none.
    func deltaBasis(of entry: ManifestEntry, for missing: ChunkRuns) throws -> DeltaBasis?

    /// Keeps a verified chunk of which a part was taken from the older version.
    ///
    /// Without an implementation, the same as ``write(_:at:of:)``.
    ///
    /// - Parameters:
    ///   - chunk: The whole chunk.
    ///   - offset: Where in the resource it begins.
    ///   - entry: The resource.
    ///   - arrivedCount: How many of its bytes were transferred.
    /// - Throws: If it cannot be written.
    func writeAssembled(_ chunk: ByteBuffer, at offset: UInt64, of entry: ManifestEntry, arrivedCount: Int) throws

    /// Says that all chunks of a resource are there: checks what the resource holds.
    ///
    /// - Throws: If the resource is not what it claims to be; the transfer then ends.
    func finish(_ entry: ManifestEntry) throws

    /// Makes everything visible at once.
    func commit() throws -> TransferReceipt

    /// Says that the transfer will be abandoned: what still works on it may end early, with any error.
    ///
    /// Returns at once. Without an implementation, nothing happens.
    func stop()

    /// Gives up; what was there before stays as it was.
    func abandon()
}

extension IncomingTransfer {
    /// Returns nil: there is no older version.
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
