public import PeerProtocol
public import PeerStorage

/// A region as it is at one moment, ready to be sent.
///
/// Whatever is done to the region meanwhile, by whichever process, the source stays as it is until nobody holds it.
public final class RegionSource: ResourceSource {
    /// What is offered.
    public let manifest: Manifest

    /// What of it tells of a person.
    public let personal: PersonalContent

    private let resources: [ResourceKind: Resource]
    private let workspace: StoreWorkspace

    struct Resource {
        var content: ResourceContent
        var contents: FileDigester.Result
    }

    init(
        manifest: Manifest,
        personal: PersonalContent,
        resources: [ResourceKind: Resource],
        workspace: StoreWorkspace
    ) {
        self.manifest = manifest
        self.personal = personal
        self.resources = resources
        self.workspace = workspace
    }

    deinit {
        workspace.remove()
    }

    /// Returns the digests of a resource's chunks, as they were computed at import.
    public func chunkDigests(of entry: ManifestEntry) throws -> [ContentDigest] {
        try resource(entry).contents.chunkDigests
    }

    /// Returns where the bytes of a resource are.
    public func content(of entry: ManifestEntry) throws -> ResourceContent {
        try resource(entry).content
    }

    private func resource(_ entry: ManifestEntry) throws -> Resource {
        guard let resource = resources[entry.kind], manifest.entries.contains(entry) else {
            throw RegionStoreError(.invalidArgument, "The \(entry.kind.title) is not offered.")
        }
        return resource
    }
}
