public import PeerProtocol

/// What a sender gives: a manifest and the bytes of its resources.
///
/// A source is a snapshot: what it says does not change while it is in use. Its methods may block; they are called on
/// threads that may.
public protocol ResourceSource: Sendable {
    /// What is offered.
    var manifest: Manifest { get }

    /// Returns the digests of a resource's chunks, in order.
    func chunkDigests(of entry: ManifestEntry) throws -> [ContentDigest]

    /// Returns where the bytes of a resource are.
    func content(of entry: ManifestEntry) throws -> ResourceContent
}

/// Where the bytes of a resource are.
public enum ResourceContent: Hashable, Sendable {
    /// In a regular file that is exactly as long as the resource and does not change.
    case file(path: String)

    /// In memory.
    case bytes([UInt8])
}
