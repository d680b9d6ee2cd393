package import FoundationEssentials
import GRDB
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
    ///   - path: The path of the file.
    ///   - name: The name of the file.
    ///   - maps: Regions, by the names of the files from which their maps come (``NameKey``).
    ///   - progress: Called on any thread with the number of processed bytes and the total number.
    /// - Returns: The region, and whether its routing database has changed.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.invalidFile` if the file is damaged or of another kind,
    ///   `RegionStoreError.Code.notFound` if no map is of its area. After an error, the store is unchanged.
    package func importRouting(
        at path: String,
        called name: String,
        beside maps: [NameKey: UUID],
        progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
    ) throws -> (region: RegionSummary, isNew: Bool) {
        let prepared = try prepareRouting(at: path, called: name, beside: maps, progress: progress)
        return (try prepared.store(), !prepared.isKnown)
    }

    /// Copies and checks a routing database, and finds the map to which it belongs, without changing any region.
    ///
    /// - Throws: As ``importRouting(at:called:beside:progress:)``. `work` says what the import may take.
    package func prepareRouting(
        at path: String,
        called name: String,
        beside maps: [NameKey: UUID],
        by work: ImportWork = ImportWork(),
        progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
    ) throws -> PreparedRouting {
        let workspace = try importWorkspace()
        do {
            let graph = try prepareRouting(path, for: nil, in: workspace, work, progress: progress)
            let region = try region(of: graph.checked, called: name, beside: maps)
            return PreparedRouting(target: self, workspace: workspace, graph: graph, region: region)
        } catch {
            workspace.remove()
            throw error
        }
    }

    private func region(
        of routing: RoutingFile,
        called name: String,
        beside maps: [NameKey: UUID]
    ) throws -> RegionSummary {
        let fitting = try regions().filter { region in
            region.sealed == nil && routing.statedBounds.map(region.place.overlaps) != false
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

/// A routing database that was copied into a workspace of the store and checked, and the region to which it belongs.
///
/// The copy is removed with the object.
package final class PreparedRouting: Sendable {
    private let target: RegionStore
    private let workspace: StoreWorkspace
    private let graph: PreparedFile<RoutingFile>
    /// The region, as it is without the routing database.
    package let region: RegionSummary

    fileprivate init(
        target: RegionStore,
        workspace: StoreWorkspace,
        graph: PreparedFile<RoutingFile>,
        region: RegionSummary
    ) {
        self.target = target
        self.workspace = workspace
        self.graph = graph
        self.region = region
    }

    deinit {
        workspace.remove()
    }

    /// Whether the region has this very routing database.
    package var isKnown: Bool { region.routingDigest == graph.contents.digest }

    /// Gives the routing database to the region, instead of the one that it has.
    ///
    /// - Returns: The region.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.notFound` if the region was removed.
    package func store() throws -> RegionSummary {
        let (target, id) = (target, region.id)
        let updated = try target.folders.alone {
            try target.move(.routing, graph.contents.digest, of: id, from: workspace)
            return try target.database.write { database in
                // The region may have been removed in the meantime.
                _ = try RegionStore.summary(id, database)
                try graph.record(.routing, of: id).upsert(database)
                return try RegionStore.summary(id, database)
            }
        }
        target.collectGarbage()
        return updated
    }
}

/// The letters and digits of a name, by which names of files are compared with those of regions and waypoints.
package struct NameKey: Hashable, Sendable {
    private var folder = ""
    private let name: String

    /// Creates the key of a name.
    package init(_ text: String) {
        name = text.lowercased().filter { $0.isLetter || $0.isNumber }
    }

    /// Creates the key of a file: its folder, and its name without what follows the last dot, and without `.routing`.
    package init(ofFile path: String) {
        let file = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
        let stem = file.lastIndex(of: ".").map { file[..<$0] } ?? file
        self.init(String(stem.lowercased().hasSuffix(".routing") ? stem.dropLast(8) : stem))
        folder = String(path.dropLast(file.count))
    }

    /// The key of the name alone.
    var withoutFolder: NameKey { NameKey(name) }

    /// Whether the name has neither letters nor digits.
    var isEmpty: Bool { name.isEmpty }

    static func + (left: NameKey, right: NameKey) -> NameKey { NameKey(left.name + right.name) }
}
