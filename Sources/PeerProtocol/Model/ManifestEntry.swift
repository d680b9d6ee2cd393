/// One resource as the manifest lists it.
public struct ManifestEntry: Hashable, Sendable {
    /// The resource's name; its id is the manifest's.
    public let name: ResourceName

    /// How the resource is cut into chunks; holds its size.
    public let layout: ChunkLayout

    /// The resource's digest, over its size and its chunk digests.
    public let digest: ContentDigest

    /// The resource's kind.
    public var kind: ResourceKind { name.kind }

    /// The resource's size in bytes.
    public var size: UInt64 { layout.size }

    /// Creates an entry.
    public init(name: ResourceName, layout: ChunkLayout, digest: ContentDigest) {
        self.name = name
        self.layout = layout
        self.digest = digest
    }
}
