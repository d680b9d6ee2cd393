import FoundationEssentials
import Glibc
package import MapFiles
import PeerProtocol
import PeerStorage
import RegionModel

extension RegionSource {
    /// Returns a source that offers a part of the map, and of everything else of this one what lies in the part.
    ///
    /// Blocks until the part is written.
    ///
    /// - Parameters:
    ///   - rule: The rule of the part. If it takes all tiles of the map, the map itself is offered.
    ///   - progress: Called with the number of written bytes and the total number, both approximate.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.invalidArgument` if there are no tiles, or too many;
    ///   `RegionStoreError.Code.storage` if the part cannot be written.
    package func cut(
        _ rule: CutRule,
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
            let cut = try itemCut(to: rule, in: workspace)
            let part = try map.cut(rule, of: &summary, in: workspace, store.folders, progress)
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
    private func itemCut(to rule: CutRule, in workspace: StoreWorkspace) throws -> ItemCut? {
        guard !includesOutside, let place = try CutPlace(rule, of: region) else { return nil }
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

extension RegionSource.Resource {
    /// Writes a part of a map to a workspace.
    ///
    /// - Parameter region: The region, which is then described as one with the part as its map.
    /// - Returns: The part, or the map itself if the part has all its tiles.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.invalidArgument` if there are no tiles, or too many;
    ///   `RegionStoreError.Code.storage` if the part cannot be written.
    func cut(
        _ rule: CutRule,
        of region: inout RegionSummary,
        in workspace: StoreWorkspace,
        _ folders: StoreFolders,
        _ progress: (Int64, Int64) -> Void
    ) throws -> RegionSource.Resource {
        guard case .file(let path) = content else { return self }
        let whole = try RegionStore.openMap(path, .receiving(size: self.contents.layout.size))
        let cut = try RegionCut(rule, of: region, in: whole)
        // A receiver may have the map itself already.
        guard !cut.isWhole else { return self }
        do {
            let file = try workspace.folder.createFile("cut")
            try cut.write(to: file, check: workspace.folder.spaceCheck(), progress: progress)
            guard let layout = ChunkLayout(size: try file.size()) else { throw SystemError(number: EFBIG) }
            let contents = try FileDigester { Task.isCancelled }.digest(file, layout)
            let part = workspace.folder.path(of: "cut")
            // What every receiver checks.
            let limits = CheckLimits.receiving(size: layout.size)
            let read = try MapDescription(
                checking: UntrustedDatabase(part, .immutable, called: "The part of the map", for: .read, within: limits)
            )
            region.describe(read, contents, cut: cut.description)
            return RegionSource.Resource(
                content: .file(path: part),
                contents: contents,
                tileIndex: { [folders, id = region.id] in
                    guard let file = try? OpenFile(part, O_RDONLY) else { return nil }
                    return folders.tileIndex(of: file, contents.digest, regionID: id)?.index
                }
            )
        } catch let error as SystemError {
            try Task.checkCancellation()
            throw RegionStoreError.storage("written", "The part of the map", error)
        }
    }
}

extension RegionSummary {
    /// Describes a part of the map instead of the map.
    fileprivate mutating func describe(_ map: MapDescription, _ contents: FileDigester.Result, cut: CutDescription) {
        self.cut = cut
        signatureText = nil
        // A part of a map that was joined may have only its older or its newer tiles.
        edition = map.edition
        boundingBox = map.boundingBox
        coverageBytes = map.coverage.bytes
        zoomLevels = map.zoomLevels
        tileCount = map.tileCount
        plannedTileCount = map.tileCount
        mapSize = contents.layout.size
        mapDigest = contents.digest
    }
}
