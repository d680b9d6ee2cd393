public import PeerProtocol

/// What a storage has of an offered resource, as ``ResourceSink/locate(_:of:digests:isStopped:)`` has found it.
///
/// ```swift
/// let older = DeltaBasis(chunks: missing) { range in try read(range) }
/// return LocatedChunks(missing: missing, older: older)
/// ```
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
///
/// ```swift
/// var presence: [ResourceKind: LocalPresence] = [:]
/// for entry in manifest.entries where stored.contains(entry.digest) {
///     presence[entry.kind] = .whole(LocatedChunks(missing: .none))
/// }
/// ```
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum LocalPresence: Sendable {
    /// The whole resource is there.
    case whole(LocatedChunks)
    /// A part of the resource may be there, so the digests of its chunks are needed.
    case partial
}
