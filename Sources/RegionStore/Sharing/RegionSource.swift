public import PeerProtocol
public import PeerStorage
import RegionModel

/// A source that offers a region as it was when the source was created.
///
/// Later changes of the region, by any process, do not affect the source. Its files are released with the source.
public final class RegionSource: ResourceSource {
    /// The list of the offered resources.
    public let manifest: Manifest

    /// The offered content that concerns a person.
    public let personal: PersonalContent

    /// The region when the source was created.
    package let region: RegionSummary

    private let resources: [ResourceKind: Resource]
    /// The folder of the source's files.
    let workspace: StoreWorkspace

    struct Resource {
        var content: ResourceContent
        var contents: FileDigester.Result
    }

    init(
        manifest: Manifest,
        personal: PersonalContent,
        region: RegionSummary,
        resources: [ResourceKind: Resource],
        workspace: StoreWorkspace
    ) {
        self.manifest = manifest
        self.personal = personal
        self.region = region
        self.resources = resources
        self.workspace = workspace
    }

    deinit {
        workspace.remove()
    }

    /// Returns the digests of a resource's chunks.
    public func chunkDigests(of entry: ManifestEntry) throws -> [ContentDigest] {
        try resource(entry).contents.chunkDigests
    }

    /// Returns the location of a resource's bytes.
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
