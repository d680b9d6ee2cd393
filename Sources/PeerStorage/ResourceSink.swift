public import PeerProtocol

/// The storage of a receiver.
///
/// All methods except ``understands(_:)`` may block. An error that a method throws ends the transfer. The message of a
/// ``ReportableError`` is sent to the other side.
///
/// ```swift
/// final class MemorySink: ResourceSink {
///     private let received = Mutex<[UInt8]?>(nil)
///
///     /// The resource; nil before the commit.
///     var bytes: [UInt8]? { received.withLock { $0 } }
///
///     func examine(_ manifest: Manifest) throws {
///         guard manifest.totalSize <= 50_000_000 else { throw TooLarge() }
///     }
///
///     func begin(
///         _ manifest: Manifest,
///         accepting kinds: Set<ResourceKind>,
///         from peer: RemotePeer
///     ) -> any IncomingTransfer {
///         MemoryTransfer(size: Int(manifest.totalSize)) { bytes in self.received.withLock { $0 = bytes } }
///     }
/// }
/// ```
public protocol ResourceSink: Sendable {
    /// Returns whether this receiver supports a kind of resource.
    ///
    /// The sender shows unsupported kinds to its person. The default implementation returns true.
    func understands(_ kind: ResourceKind) -> Bool

    /// Checks an offer before a person sees it. Writes nothing.
    ///
    /// - Throws: An error if the offer must be rejected: it is invalid, unsupported, or too large for the disk.
    func examine(_ manifest: Manifest) throws

    /// Returns what the storage has of an offer, as far as that is known without the digests of chunks. Writes nothing.
    ///
    /// Called after ``examine(_:)`` if a person will see how much of the offer has to be transferred. The digests of resources of
    /// which a part may be there are then requested before the person is asked. The default implementation returns nothing.
    ///
    /// - Parameter manifest: The offer.
    /// - Returns: The presence of resources by kind. If it is empty, the person sees no number.
    /// - Throws: An error if existing data cannot be read. The offer is then shown without the number.
    func presence(of manifest: Manifest) throws -> [ResourceKind: LocalPresence]

    /// Locates the chunks of a resource that the storage has. Writes nothing, and takes no lock that a running transfer needs.
    ///
    /// Called once for each resource, before or after a person has accepted the offer; again only if it failed before. The
    /// default implementation finds none.
    ///
    /// - Parameters:
    ///   - entry: The resource.
    ///   - manifest: The offer to which the resource belongs.
    ///   - digests: The digests of its chunks, which match the digest of the entry.
    ///   - isStopped: Whether the result is no longer needed. The method may then end early, with any error.
    /// - Returns: The chunks that must be transferred, and where the others are.
    /// - Throws: An error if existing data cannot be read. Before the offer is accepted, the resource then counts as a whole.
    func locate(
        _ entry: ManifestEntry,
        of manifest: Manifest,
        digests: [ContentDigest],
        isStopped: @escaping @Sendable () -> Bool
    ) throws -> LocatedChunks

    /// Prepares the storage of an accepted transfer.
    ///
    /// - Parameters:
    ///   - manifest: The offer, which ``examine(_:)`` has checked.
    ///   - kinds: The accepted kinds of the manifest.
    ///   - peer: The sender.
    /// - Returns: The storage of the transfer.
    /// - Throws: An error if the transfer cannot begin, for instance because the disk is full.
    func begin(
        _ manifest: Manifest,
        accepting kinds: Set<ResourceKind>,
        from peer: RemotePeer
    ) throws -> any IncomingTransfer
}

extension ResourceSink {
    /// Returns true.
    public func understands(_ kind: ResourceKind) -> Bool { true }

    /// Returns nothing.
    public func presence(of manifest: Manifest) throws -> [ResourceKind: LocalPresence] { [:] }

    /// Finds no chunks.
    public func locate(
        _ entry: ManifestEntry,
        of manifest: Manifest,
        digests: [ContentDigest],
        isStopped: @escaping @Sendable () -> Bool
    ) throws -> LocatedChunks {
        LocatedChunks(missing: entry.layout.allChunks)
    }
}
