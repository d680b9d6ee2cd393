public import FoundationEssentials
import GRDB
import Glibc
public import PeerProtocol
import PeerStorage

extension RegionStore {
    /// Prepares a region to be sent, as it is now.
    ///
    /// - Parameters:
    ///   - id: The region.
    ///   - kinds: What to send of it; nil for all. Kinds of which the region has nothing are left out.
    ///   - routes: Which of its hikes and planned routes to send.
    ///   - includeHealth: Whether heart rates and calories go too.
    /// - Returns: The region, to be offered.
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/notFound`` if there is no such region,
    ///   or a route that was named, ``RegionStoreError/Code/invalidArgument`` if nothing is left to send.
    public func source(
        for id: UUID,
        kinds: Set<ResourceKind>? = nil,
        routes: RouteSelection = .all,
        includeHealth: Bool = false
    ) throws -> RegionSource {
        guard let workspace = try folders.workspace("source-" + UUID().uuidString, in: folders.work) else {
            throw RegionStoreError(.storage, "The store \(path) is in use.")
        }
        do {
            let kinds = Set(ResourceKind.regionKinds).intersection(kinds ?? Set(ResourceKind.regionKinds))
            // Nothing is collected between reading which files there are and holding them. The lock comes first: another
            // process that has it may be waiting until nobody reads the database.
            var lock: FileLock? = try RegionStoreError.mapping("locked", "The store") { () throws(SystemError) in
                try FileLock(StoreFolders.lockName, in: folders.root, .shared)
            }
            let (state, files) = try database.read { database in
                var state = try State(of: id, kinds, routes, database)
                let files = try state.files.compactMap { try hold($0, in: workspace) }
                // Photos can take long to write.
                withExtendedLifetime(lock) {}
                lock = nil
                if kinds.contains(.photos) {
                    let name = ResourceKind.photos.rawValue
                    state.photoCount = try PhotoRecord.all(of: id).fetchCount(database)
                    state.photos = try writePhotos(of: id, to: workspace.folder, as: name, database)
                }
                return (state, files)
            }
            return try source(state, files: files, includeHealth: includeHealth, workspace: workspace)
        } catch {
            workspace.remove()
            throw error
        }
    }

    /// What is read of a region in one transaction.
    private struct State {
        var summary: RegionSummary
        var files: [RegionFileRecord]
        var hikes: [SavedRoute] = []
        var plannedRoutes: [PlannedRoute] = []
        var waypoints: [Waypoint] = []
        var photos: OpenFile?
        var photoCount = 0

        init(of id: UUID, _ kinds: Set<ResourceKind>, _ routes: RouteSelection, _ database: Database) throws {
            summary = try RegionStore.summary(id, database)
            files = try ResourceKind.regionFiles.filter(kinds.contains).compactMap { kind in
                try RegionFileRecord.fetchOne(kind, of: id, database)
            }
            // What cannot be read here would be refused there, with everything else.
            if kinds.contains(.savedroutes) {
                hikes = try RegionItemRecord<SavedRoute>.fetchReadable(of: id, database).items
                    .filter { (try? TrackCodec.check($0.trackData)) != nil }
            }
            if kinds.contains(.plannedroutes) {
                plannedRoutes = try RegionItemRecord.fetchReadable(of: id, database).items
            }
            if kinds.contains(.waypoints) { waypoints = try RegionItemRecord.fetchReadable(of: id, database).items }
            try routes.check(hikes.map(\.name) + plannedRoutes.map(\.name))
            hikes = hikes.filter { routes.contains($0.name) }
            plannedRoutes = plannedRoutes.filter { routes.contains($0.name) }
        }
    }

    private typealias HeldFile = (record: RegionFileRecord, path: String)

    /// Makes a file stay as long as the workspace; nil for a routing database that is gone.
    private func hold(_ file: RegionFileRecord, in workspace: StoreWorkspace) throws -> HeldFile? {
        let path = folders.path(of: file)
        do throws(SystemError) {
            let folder = try folders.regions.folder(file.regionID.uuidString)
            guard try folder.openFile(file.fileName, O_RDONLY).size() == file.layout.size else {
                throw SystemError(number: ENOENT)
            }
            try workspace.folder.hold(file.fileName, of: folder, as: file.kind.rawValue)
            return (file, workspace.folder.path(of: file.kind.rawValue))
        } catch {
            // A region without its graph is still a map: it is offered without.
            if error.number == ENOENT, file.kind == .routing { return nil }
            var failure = RegionStoreError.storage("read", path, error)
            if error.number == ENOENT { failure.remedy = "Import the map again; then the region has its file again." }
            throw failure
        }
    }

    private func source(
        _ state: State,
        files: [HeldFile],
        includeHealth: Bool,
        workspace: StoreWorkspace
    ) throws -> RegionSource {
        var resources: [ResourceKind: RegionSource.Resource] = [:]
        for file in files {
            resources[file.record.kind] = .init(
                content: .file(path: file.path),
                contents: .init(
                    layout: file.record.layout,
                    chunkDigests: file.record.chunkDigests,
                    digest: file.record.digest
                )
            )
        }
        let hikes = includeHealth ? state.hikes : state.hikes.map { $0.withoutHealthData() }
        resources[.savedroutes] = try resource(hikes, .savedroutes)
        resources[.plannedroutes] = try resource(state.plannedRoutes, .plannedroutes)
        resources[.waypoints] = try resource(state.waypoints, .waypoints)
        if let photos = state.photos {
            let path = workspace.folder.path(of: ResourceKind.photos.rawValue)
            resources[.photos] = .init(
                content: .file(path: path),
                contents: try FileDigester().digest(photos, path: path)
            )
        }

        guard !resources.isEmpty else {
            throw RegionStoreError(.invalidArgument, "“\(state.summary.name)” has nothing of what is to be sent.")
        }
        var region = state.summary.region
        region.hasRoutingData = resources[.routing] != nil
        let entries = ResourceKind.regionKinds.compactMap { kind in
            resources[kind].map { resource in
                ManifestEntry(
                    name: ResourceName(kind: kind, id: region.id),
                    layout: resource.contents.layout,
                    digest: resource.contents.digest
                )
            }
        }
        let manifest = try Manifest(id: region.id, describing: region, entries: entries)
        return RegionSource(
            manifest: manifest,
            personal: PersonalContent(hikes: hikes, waypoints: state.waypoints, photos: state.photoCount),
            resources: resources,
            workspace: workspace
        )
    }

    private func resource(_ items: [some RegionItem], _ kind: ResourceKind) throws -> RegionSource.Resource? {
        guard !items.isEmpty else { return nil }
        let bytes = try ItemCoding.encode(items, kind)
        guard let layout = ChunkLayout(size: UInt64(bytes.count)) else { return nil }
        let digests = bytes.withUnsafeBytes { ContentDigest.chunkDigests(of: $0) }
        return .init(
            content: .bytes(bytes),
            contents: .init(
                layout: layout,
                chunkDigests: digests,
                digest: ContentDigest(resourceSize: layout.size, chunkDigests: digests)
            )
        )
    }
}
