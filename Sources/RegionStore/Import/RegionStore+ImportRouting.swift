package import FoundationEssentials
import MapFiles
import PeerProtocol
import PeerStorage
import RegionModel

extension RegionStore {
    /// Imports a routing database for the map to which it belongs.
    ///
    /// That is the map of `maps` whose file has the same name, else the only region that is called like the file, else the region
    /// whose area has most in common with that of the routing database; those of `maps` come first.
    ///
    /// - Parameters:
    ///   - maps: Regions, by the names of the files from which their maps come (``NameKey``).
    ///   - work: What the import may take.
    ///   - progress: Called on any thread with the number of processed bytes and the total number.
    /// - Returns: The region, and whether its routing database has changed.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.invalidFile` if the file is damaged or of another kind,
    ///   `RegionStoreError.Code.notFound` if no map is of its area. After an error, the store is unchanged.
    package func importRouting(
        at path: String,
        called name: String,
        beside maps: [NameKey: UUID],
        by work: ImportWork = ImportWork(),
        progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
    ) throws -> (region: RegionSummary, isNew: Bool) {
        let prepared = try prepareRouting(at: path, called: name, beside: maps, by: work, progress: progress)
        return (try prepared.store(), !prepared.isKnown)
    }

    /// Copies and checks a routing database, and finds the map to which it belongs, without changing any region.
    ///
    /// - Throws: As ``importRouting(at:called:beside:by:progress:)``. `work` says what the import may take.
    package func prepareRouting(
        at path: String,
        called name: String,
        beside maps: [NameKey: UUID],
        by work: ImportWork = ImportWork(),
        progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
    ) throws -> PreparedRouting {
        let workspace = try importWorkspace()
        let graph = try prepareRouting(path, for: nil, in: workspace, work, progress: progress)
        let region = try region(of: graph.checked, called: name, beside: maps)
        return PreparedRouting(target: self, workspace: workspace, graph: graph, region: region)
    }

    private func region(
        of routing: RoutingFile,
        called name: String,
        beside maps: [NameKey: UUID]
    ) throws -> RegionSummary {
        let fitting = try regions().filter { region in
            region.foreign == nil && routing.statedBounds.map(region.place.overlaps) != false
        }
        if let id = maps[NameKey(ofFile: name)], let region = fitting.first(where: { $0.id == id }) { return region }
        let namesakes = fitting.filter { NameKey($0.name) == NameKey(ofFile: name).withoutFolder }
        if namesakes.count == 1 { return namesakes[0] }
        let near = fitting.filter { maps.values.contains($0.id) }
        let candidates = near.isEmpty ? fitting : near
        // Without an area, only the only map is certain.
        guard routing.statedBounds != nil || candidates.count == 1,
            let region = candidates.max(by: { first, second in
                guard let area = routing.statedBounds else { return false }
                return first.boundingBox.commonPart(with: area) < second.boundingBox.commonPart(with: area)
            })
        else {
            throw RegionStoreError(
                .notFound,
                "\(name) is a routing database, and none of your maps is surely that of its area.",
                remedy: "Import it together with its map."
            )
        }
        return region
    }
}
