import MapFiles
public import PeerProtocol
public import PeerStorage
import RegionModel
import Synchronization

/// A source that offers a region as it was when the source was created.
///
/// Later changes of the region, by any process, do not affect the source. Its files are released with the source.
///
/// ```swift
/// let source = try store.source(for: region.id, kinds: [.mbtiles, .waypoints])
/// print("This sends \(source.personal.notes) notes.")
/// ```
public final class RegionSource: ResourceSource {
    /// The list of the offered resources.
    public let manifest: Manifest

    /// The offered content that concerns a person.
    public let personal: PersonalContent

    /// The region when the source was created.
    package let region: RegionSummary

    /// Whether parts of the map are offered with items that lie elsewhere.
    let includesOutside: Bool

    /// The numbers of items that are left out because they do not lie in the part of the map.
    package let outside: [ResourceKind: Int]

    let resources: [ResourceKind: Resource]
    /// The source whose files this one uses, too; nil if there is none.
    private let whole: RegionSource?
    /// The folder of the source's files.
    let workspace: StoreWorkspace

    struct Resource {
        var content: ResourceContent
        var contents: FileDigester.Result
        /// Opens or makes the index of its tiles; nil if it has none.
        var tileIndex: (@Sendable () -> TileIndex?)?
    }

    /// The index of each resource that was asked for.
    private let indexes = Mutex<[ResourceKind: TileIndex?]>([:])

    init(
        manifest: Manifest,
        personal: PersonalContent,
        region: RegionSummary,
        resources: [ResourceKind: Resource],
        workspace: StoreWorkspace,
        includesOutside: Bool,
        outside: [ResourceKind: Int] = [:],
        whole: RegionSource? = nil
    ) {
        self.manifest = manifest
        self.personal = personal
        self.region = region
        self.resources = resources
        self.workspace = workspace
        self.includesOutside = includesOutside
        self.outside = outside
        self.whole = whole
    }

    /// Returns the digests of a resource's chunks.
    public func chunkDigests(of entry: ManifestEntry) throws -> [ContentDigest] {
        try resource(entry).contents.chunkDigests
    }

    /// Returns the location of a resource's bytes.
    public func content(of entry: ManifestEntry) throws -> ResourceContent { try resource(entry).content }

    /// Returns where the tiles of the map lie; nil if its pages are its pieces.
    public func pieces(of entry: ManifestEntry) -> ResourcePieces? {
        guard let makeIndex = try? resource(entry).tileIndex else { return nil }
        let index = indexes.withLock { indexes in
            if let index = indexes[entry.kind] { return index }
            let index = makeIndex()
            indexes[entry.kind] = .some(index)
            return index
        }
        return index.map { index in ResourcePieces(shape: index.shape) { try index.spans(in: $0) } }
    }

    private func resource(_ entry: ManifestEntry) throws -> Resource {
        guard let resource = resources[entry.kind], manifest.entries.contains(entry) else {
            throw RegionStoreError(.invalidArgument, "The \(entry.kind.title) is not offered.")
        }
        return resource
    }
}
