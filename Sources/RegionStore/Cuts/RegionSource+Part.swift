import FoundationEssentials
import MapFiles
import PeerProtocol
import PeerStorage
import RegionModel

extension RegionSource {
    /// Returns a source that offers a part of the map, and everything else of this one.
    ///
    /// Blocks until the part is written.
    ///
    /// - Parameters:
    ///   - wish: The part. If it has all tiles of the map, the map itself is offered.
    ///   - store: The store of the region.
    ///   - progress: Called with the number of written bytes and the total number, both approximate.
    /// - Returns: The source.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.invalidArgument` if there are no tiles, or too many;
    ///   `RegionStoreError.Code.storage` if the part cannot be written.
    package func part(
        _ wish: CutWish,
        in store: RegionStore,
        progress: (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
    ) throws -> RegionSource {
        guard let map = resources[.mbtiles] else { return self }
        let name = "source-" + UUID().uuidString
        guard let workspace = try store.folders.workspace(name, in: store.folders.work) else {
            // The receiver is told this, so it has no path.
            throw RegionStoreError(.storage, "The store is in use.")
        }
        do {
            var summary = region
            var resources = resources
            let part = try CutResource(wish, in: workspace, store.folders).make(of: map, &summary, progress)
            resources[.mbtiles] = part
            var offered = try manifest.description(as: Region.self)
            offered.describeMap(of: summary)
            let entries = manifest.entries.map { entry in
                entry.kind == .mbtiles
                    ? ManifestEntry(name: entry.name, layout: part.contents.layout, digest: part.contents.digest)
                    : entry
            }
            return RegionSource(
                manifest: try Manifest(id: offered.id, describing: offered, entries: entries),
                personal: personal,
                region: summary,
                resources: resources,
                workspace: workspace,
                whole: self
            )
        } catch {
            workspace.remove()
            throw error
        }
    }
}

extension Region {
    /// Takes over what a summary says of its map.
    fileprivate mutating func describeMap(of summary: RegionSummary) {
        let other = summary.region
        boundingBox = other.boundingBox
        zoomLevels = other.zoomLevels
        tileCount = other.tileCount
        fileSizeBytes = other.fileSizeBytes
        coverage = other.coverage
        cut = other.cut
        signature = other.signature
    }
}
