public import NIOCore
public import PeerProtocol

/// The storage of one accepted transfer, from the first byte to the commit.
///
/// Exactly one call of ``commit()`` or ``abandon()`` ends the transfer.
public protocol IncomingTransfer: Sendable {
    /// Copies the chunks of a resource that were located, and returns those that must be transferred.
    ///
    /// Data may have changed after the chunks were located. So each chunk is verified while it is copied; a chunk that does
    /// not match its digest any more is missing. The default implementation copies nothing, and returns the chunks that were
    /// missing.
    ///
    /// - Parameters:
    ///   - entry: The resource.
    ///   - digests: The digests of its chunks, which match the digest of the entry.
    ///   - located: The result of ``ResourceSink/locate(_:of:digests:isStopped:)``.
    /// - Returns: Runs of chunks, possibly none.
    /// - Throws: An error if chunks cannot be copied.
    func missingChunks(
        of entry: ManifestEntry,
        digests: [ContentDigest],
        located: LocatedChunks
    ) throws -> ChunkRuns

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
    /// Returns the chunks that were missing.
    public func missingChunks(
        of entry: ManifestEntry,
        digests: [ContentDigest],
        located: LocatedChunks
    ) throws -> ChunkRuns {
        located.missing
    }

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

    /// What happened to the items that were changed or kept, the most important first; at most
    /// `ItemChange.maximumCount`.
    public var changes: [ItemChange]

    /// Creates a receipt.
    public init(imported: [String: Int] = [:], keptLocal: [String: Int] = [:], changes: [ItemChange] = []) {
        self.imported = imported
        self.keptLocal = keptLocal
        self.changes = changes
    }

    /// Returns the receipt of an acknowledgement.
    package init(_ acknowledgement: Acknowledgement) {
        self.init(
            imported: acknowledgement.imported,
            keptLocal: acknowledgement.keptLocal,
            changes: acknowledgement.changes ?? []
        )
    }

    /// Returns the receipt of an acknowledgement, without what was not sent, and without what this version does not know.
    ///
    /// What a sender has removed may be of a kind of which it offers nothing.
    ///
    /// - Parameters:
    ///   - acknowledgement: What the receiver says.
    ///   - kinds: The kinds that it has selected.
    ///   - offered: The offered kinds.
    package init(_ acknowledgement: Acknowledgement, of kinds: [ResourceKind], offered: [ResourceKind]) {
        self.init(acknowledgement)
        let names = Set(kinds.map(\.rawValue))
        imported = imported.filter { names.contains($0.key) }
        keptLocal = keptLocal.filter { names.contains($0.key) }
        changes.removeAll { change in
            let isSent = kinds.contains(change.kind)
            let isRemoval = change.outcome == .removedBySender && !offered.contains(change.kind)
            return !ItemChange.Outcome.all.contains(change.outcome) || !isSent && !isRemoval
        }
    }
}
