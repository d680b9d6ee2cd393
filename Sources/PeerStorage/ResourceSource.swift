public import FoundationEssentials
public import PeerProtocol

/// The content of a sender: a manifest and the bytes of its resources.
///
/// A source is a snapshot: its content must not change while the source is in use. Its methods may block.
///
/// ```swift
/// struct MemorySource: ResourceSource {
///     let manifest: Manifest
///     let bytes: Data
///     let digests: [ContentDigest]
///
///     func chunkDigests(of entry: ManifestEntry) -> [ContentDigest] { digests }
///     func content(of entry: ManifestEntry) -> ResourceContent { .bytes(bytes) }
/// }
/// ```
public protocol ResourceSource: Sendable {
    /// The list of the offered resources.
    var manifest: Manifest { get }

    /// Returns the digests of a resource's chunks, in order.
    ///
    /// - Throws: An error if they cannot be read.
    func chunkDigests(of entry: ManifestEntry) throws -> [ContentDigest]

    /// Returns the location of a resource's bytes.
    ///
    /// - Throws: An error if the resource is not available.
    func content(of entry: ManifestEntry) throws -> ResourceContent

    /// Returns where the pieces of a resource lie; nil if its pages are its pieces.
    ///
    /// The default implementation returns nil.
    func pieces(of entry: ManifestEntry) -> ResourcePieces?
}

extension ResourceSource {
    /// Returns nil.
    public func pieces(of entry: ManifestEntry) -> ResourcePieces? { nil }
}

/// The location of a resource's bytes.
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum ResourceContent: Hashable, Sendable {
    /// A regular file. It must be exactly as long as the resource and must not change.
    case file(path: String)

    /// Bytes in memory.
    case bytes(Data)
}
