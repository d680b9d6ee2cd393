import FoundationEssentials
import MapFiles
import PeerProtocol
import PeerStorage
import RegionModel

extension RegionStore {
    func importWorkspace() throws -> StoreWorkspace {
        guard let workspace = try folders.workspace("import-" + UUID().uuidString, in: folders.work) else {
            throw RegionStoreError(.storage, "The store \(path) is in use.")
        }
        return workspace
    }

    /// Copies, checks and hashes a routing database, for a map if one is given.
    func prepareRouting(
        _ path: String,
        for map: MapPlace?,
        in workspace: StoreWorkspace,
        _ work: ImportWork,
        progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void
    ) throws -> PreparedFile<RoutingFile> {
        try prepare(.routing, path, in: workspace, work, progress: progress) { name, folder in
            try DatabaseSnapshot.take(of: path, to: name, in: folder, work, progress: progress)
        } checkThoroughly: { database in
            try RoutingFile.checkKind(of: database)
            try database.checkPages()
            try RoutingFile.checkRows(of: database)
        } check: { database in
            try RoutingFile(checking: database).checked(against: map, path)
        }
    }

    /// Copies, checks and hashes a file.
    ///
    /// - Parameters:
    ///   - progress: Called on any thread with the number of processed bytes and the total number.
    ///   - mend: Puts another file in the place of the copy, if that is needed; returns it, or nil.
    func prepare<Checked: Sendable>(
        _ kind: ResourceKind,
        _ path: String,
        in workspace: StoreWorkspace,
        _ work: ImportWork,
        progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void,
        copy: (_ name: String, _ folder: Folder) throws -> DatabaseSnapshot.Copy,
        checkThoroughly: (UntrustedDatabase) throws -> Void,
        check: (UntrustedDatabase) throws -> Checked,
        mend: (Checked, _ name: String, _ folder: Folder) throws -> OpenFile? = { _, _, _ in nil }
    ) throws -> PreparedFile<Checked> {
        var (copy, known) = try copy(kind.rawValue, workspace.folder)
        // A later write to the file makes the stamp invalid.
        var stamp = copy.stamp()
        let size = try RegionStoreError.mapping("read", path) { try copy.size() }
        // The disk works while the copy is checked; for a short one, that is not worth a thread.
        let sync = GradualSync(every: folders.syncInterval) { [copy] () throws(SystemError) in try copy.synchronize() }
        try RegionStoreError.mapping("written", self.path) { try sync.wrote(size) }
        defer { try? sync.finish() }
        func database(_ limits: CheckLimits) throws -> UntrustedDatabase {
            try UntrustedDatabase(
                workspace.folder.path(of: kind.rawValue),
                .immutable,
                called: path,
                within: work.limits(limits),
                isCancelled: work.isCancelled
            )
        }
        try checkThoroughly(database(.thorough(size: size)))
        var checked = try check(database(.importing(size: size)))
        if let other = try mend(checked, kind.rawValue, workspace.folder) {
            (copy, known, stamp) = (other, nil, other.stamp())
            checked = try check(database(.importing(size: size)))
        }
        let contents =
            try known ?? FileDigester(isStopped: work.isCancelled).digest(copy, path: path, progress: progress)
        try RegionStoreError.mapping("written", self.path) {
            try sync.finish()
            try copy.synchronize()
        }
        progress(Int64(clamping: contents.layout.size), Int64(clamping: contents.layout.size))
        return PreparedFile(checked: checked, contents: contents, stamp: stamp)
    }

    /// Moves a file to its final name.
    ///
    /// One of that name should have the same content; but the one that is moved was verified just now.
    func move(_ kind: ResourceKind, _ digest: ContentDigest, of regionID: UUID, from workspace: StoreWorkspace) throws {
        try RegionStoreError.mapping("written", "The store") {
            let folder = try folders.region(regionID)
            let name = RegionFileRecord.fileName(kind, digest)
            try folder.replaceHere(kind.rawValue, from: workspace.folder, as: name)
            // The process that made the folders may have died before their names were on the disk.
            for folder in [folder, folders.regions, folders.root] { try folder.synchronize() }
        }
    }

    func region(withMap digest: ContentDigest) throws -> UUID? {
        try database.read { try KnownFile.fetchAll(.mbtiles, digest: digest, $0).first?.regionID }
    }
}

extension RoutingFile {
    /// Checks that the file belongs to a map.
    func checked(against map: MapPlace?, _ name: String) throws -> RoutingFile {
        guard let map, statedBounds.map(map.overlaps) == false else { return self }
        throw RegionStoreError(.invalidFile, "\(name) is a routing database for another area than the map.")
    }
}
