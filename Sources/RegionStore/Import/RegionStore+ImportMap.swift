public import FoundationEssentials
package import MapFiles
import PeerProtocol
import PeerStorage
import RegionModel

extension RegionStore {
    /// Imports a map, and optionally a routing database.
    ///
    /// A map is an MBTiles file, or an archive of tiles, which becomes an MBTiles file: PMTiles, a map for OsmAnd
    /// (`.sqlitedb`), the tiles of a GeoPackage, or a folder of tiles. The originals are not changed.
    /// If a region of the store already has the map, no region is created; a new routing database is
    /// added to that region.
    ///
    /// - Parameters:
    ///   - path: The path of the map.
    ///   - name: The name of a new region; nil for the name in the map, or else the name of the file.
    ///   - routing: The path of a routing database for the map; nil for none.
    ///   - regionID: The region whose map is replaced by a newer one, or to whose map a part is added; nil to create a region.
    ///     Its hikes, planned routes, waypoints and photos stay. Its routing database stays if it is for the area of the new
    ///     map.
    ///   - progress: Called on any thread with the number of processed bytes and the total number.
    /// - Returns: The region, and whether it is new.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.invalidFile` if a file is damaged or has the wrong format,
    ///   `RegionStoreError.Code.notFound` if a file or the region does not exist,
    ///   `RegionStoreError.Code.invalidArgument` if the region covers another area than the map. After an error, the store
    ///   is unchanged.
    @discardableResult
    public func importMap(
        at path: String,
        name: String? = nil,
        routing: String? = nil,
        updating regionID: UUID? = nil,
        progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
    ) throws -> StoredRegion {
        if let regionID { _ = try region(regionID) }
        let size = Int64(clamping: FileStatus(path: path)?.size ?? 0)
        let map = try prepareMap(at: path, name: name, routing: routing) { step in
            switch step {
            case .bytes(let done, let total): progress(done, total)
            case .tiles(let done, let total): progress(Int64(Double(size) * Double(done) / Double(max(1, total))), size)
            }
        }
        return try map.store(updating: regionID)
    }

    /// Returns what the import of a map or a routing database takes at most, by what its header and directories say.
    package func importCost(at path: String, called name: String) throws -> ImportCost {
        try MapCopy.cost(of: path, called: name, in: folders.work)
    }

    /// Copies and checks a map and optionally a routing database, without changing any region.
    ///
    /// The parameters and errors are those of ``importMap(at:name:routing:updating:progress:)``. `fileName` is the original name of
    /// the file; nil for `path`. `work` says what the import may take.
    package func prepareMap(
        at path: String,
        called fileName: String? = nil,
        name: String? = nil,
        routing: String? = nil,
        by work: ImportWork = ImportWork(),
        progress: @escaping @Sendable (ImportProgress) -> Void = { _ in }
    ) throws -> PreparedMap {
        let givenName = try name.map { try Self.checked(name: $0) }
        let workspace = try importWorkspace()
        var emptyTileCount = 0
        var original: MapDescription?
        var (omitted, mayBeUpsideDown) = (OmittedEntries(), false)
        let bytes: @Sendable (Int64, Int64) -> Void = { progress(.bytes($0, of: $1)) }
        let map = try prepare(.mbtiles, path, in: workspace, work, progress: bytes) { name, folder in
            let map = try MapCopy.take(of: path, to: name, in: folder, work, progress: progress)
            (omitted, mayBeUpsideDown) = (map.omitted, map.mayBeUpsideDown)
            return map.copy
        } checkThoroughly: { database in
            try MapDescription.checkKind(of: database)
            try database.checkPages()
            emptyTileCount = try MapDescription.emptyTileCount(of: database)
        } check: { database in
            try MapDescription(checking: database)
        } mend: { map, name, folder in
            original = map
            return try MapCopy.rewriting(map, of: path, named: name, in: folder, work, progress: progress)
        }
        if let highest = map.checked.coverage.levels.last {
            try UntrustedFile.checkFinding(
                highest,
                in: workspace.folder.path(of: ResourceKind.mbtiles.rawValue),
                called: path,
                work.limits(.oneImportedTile)
            )
        }
        let graph = try routing.map { routing in
            do {
                return try prepareRouting(routing, for: map.checked.place, in: workspace, work, progress: bytes)
            } catch var error as RegionStoreError {
                error.message += " Neither file was imported."
                throw error
            }
        }
        return PreparedMap(
            target: self,
            workspace: workspace,
            map: map,
            graph: graph,
            oddities: MapOddities(
                of: map.checked,
                from: original ?? map.checked,
                emptyTileCount: emptyTileCount,
                mayBeUpsideDown: mayBeUpsideDown,
                omitted: omitted
            ),
            givenName: givenName,
            name: givenName ?? Self.name(of: map.checked, at: fileName ?? path)
        )
    }

    private static func name(of map: MapDescription, at path: String) -> String {
        if let name = map.metadata["name"], let checked = try? checked(name: name) { return checked }
        // A folder of tiles may be given as “.”.
        let full = URL(filePath: path).standardizedFileURL.path
        let file = full.split(separator: "/").last.map(String.init) ?? path
        let suffix = [".mbtiles", ".pmtiles", ".sqlitedb", ".gpkg"].first { file.lowercased().hasSuffix($0) }
        let stem = String(file.dropLast(suffix?.utf8.count ?? 0))
        return (try? checked(name: stem)) ?? "Region"
    }
}
