public import NIOCore
public import PeerProtocol

/// The storage of one accepted transfer, from the first byte to the commit.
///
/// Exactly one call of ``commit()`` or ``abandon()`` ends the transfer.
///
/// ```swift
/// final class MemoryTransfer: IncomingTransfer {
///     private let arriving: Mutex<[UInt8]>
///     private let publish: @Sendable ([UInt8]) -> Void
///
///     init(size: Int, publish: @escaping @Sendable ([UInt8]) -> Void) {
///         arriving = Mutex([UInt8](repeating: 0, count: size))
///         self.publish = publish
///     }
///
///     func write(_ buffers: [ByteBuffer], at offset: UInt64, of entry: ManifestEntry) {
///         arriving.withLock { bytes in
///             var position = Int(offset)
///             for buffer in buffers {
///                 bytes.replaceSubrange(position..<position + buffer.readableBytes, with: buffer.readableBytesView)
///                 position += buffer.readableBytes
///             }
///         }
///     }
///
///     func finish(_ entry: ManifestEntry) {}
///
///     func commit() -> TransferReceipt {
///         publish(arriving.withLock { $0 })
///         return TransferReceipt(imported: ["notes": 1])
///     }
///
///     func abandon() {}
/// }
/// ```
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

    /// Checks the content of a resource after all its chunks have been written.
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
