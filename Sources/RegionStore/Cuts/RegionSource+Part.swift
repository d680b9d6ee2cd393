import FoundationEssentials
import MapFiles
import PeerProtocol
import PeerStorage
import RegionModel

extension RegionSource {
    /// Returns a source that offers a part of the map, and of everything else of this one what lies in the part.
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
            let cut = try itemCut(to: wish, in: workspace)
            let part = try CutResource(wish, in: workspace, store.folders).make(of: map, &summary, progress)
            let resources = (cut?.resources ?? resources).merging([.mbtiles: part]) { $1 }
            var offered = try manifest.description(as: Region.self)
            offered.describeMap(of: summary)
            if let cut { offered.leaveOut(cut) }
            let entries = manifest.entries.compactMap { entry in
                resources[entry.kind].map {
                    ManifestEntry(name: entry.name, layout: $0.contents.layout, digest: $0.contents.digest)
                }
            }
            return RegionSource(
                manifest: try Manifest(id: offered.id, describing: offered, entries: entries),
                personal: cut?.personal ?? personal,
                region: summary,
                resources: resources,
                workspace: workspace,
                includesOutside: includesOutside,
                outside: cut?.outside.mapValues(\.count) ?? [:],
                whole: self
            )
        } catch {
            workspace.remove()
            throw error
        }
    }
}

extension RegionSource {
    /// Leaves out what does not lie in a part of the map; nil if nothing has to be left out.
    private func itemCut(to wish: CutWish, in workspace: StoreWorkspace) throws -> ItemCut? {
        guard !includesOutside, let place = try CutPlace(wish, of: region) else { return nil }
        var cut = ItemCut(place: place, workspace: workspace, resources: resources)
        for part in RegionPartList.all where resources[part.kind] != nil { try part.cut(self, &cut) }
        return cut
    }
}

extension Region {
    /// Takes out what the description says of items that are left out.
    fileprivate mutating func leaveOut(_ cut: ItemCut) {
        edits.removeAll { cut.outside[$0.kind]?.contains($0.id) == true }
        outlines.removeAll { !cut.place.contains($0.points, of: $0.kind) }
    }

    /// Takes over what a summary says of its map.
    fileprivate mutating func describeMap(of summary: RegionSummary) {
        let other = summary.region
        edition = other.edition
        boundingBox = other.boundingBox
        zoomLevels = other.zoomLevels
        tileCount = other.tileCount
        fileSizeBytes = other.fileSizeBytes
        coverage = other.coverage
        cut = other.cut
        signature = other.signature
    }
}
