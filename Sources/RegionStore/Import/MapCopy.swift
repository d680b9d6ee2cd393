import MapFiles
import PeerStorage
import RegionModel

/// A map that is imported, as an MBTiles file in a workspace: a copy, or what was made of an archive of another kind.
struct MapCopy {
    /// The open file, and its digests if it had to be read.
    var copy: DatabaseSnapshot.Copy

    /// The entries of an archive that were left out.
    var omitted = OmittedEntries()

    /// Whether its rows may count from the south, though they were read from the north.
    var mayBeUpsideDown = false

    /// Returns the free bytes of the disk of a folder, and all of them.
    typealias Space = (Folder) throws(SystemError) -> (available: UInt64, total: UInt64)

    /// Makes the file.
    ///
    /// The original is opened read-only and never changed.
    ///
    /// - Parameters:
    ///   - path: The path of the map.
    ///   - name: The name of the file in the folder.
    ///   - folder: The folder of the file, and of temporary files.
    ///   - space: Returns the free bytes of the disk of the folder, and all of them.
    ///   - progress: Called on any thread with the number of processed bytes and the total number.
    /// - Returns: The file.
    /// - Throws: `RegionStoreError` if the map is not acceptable, or cannot be read, or if an archive needs more space.
    static func take(
        of path: String,
        to name: String,
        in folder: Folder,
        space: Space = { folder throws(SystemError) in try folder.space() },
        progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void
    ) throws -> MapCopy {
        if FileStatus(path: path)?.kind == .folder, TileFolder.isTileFolder(path) {
            return try convert(TileFolder(path, called: path), to: name, in: folder, size: 0, space, progress: progress)
        }
        let source = try DatabaseSnapshot.open(path)
        let beginning = try RegionStoreError.mapping("read", path) { () throws(SystemError) in
            try source.prefix(PMTilesFile.mark.count)
        }
        guard beginning == PMTilesFile.mark else {
            let copy = try DatabaseSnapshot.take(of: path, to: name, in: folder, progress: progress)
            return try converted(copy, of: path, name: name, in: folder, space, progress: progress)
                ?? MapCopy(copy: copy)
        }
        let before = try DatabaseSnapshot.settledVersion(of: source, path)
        let archive = try PMTilesFile(source, called: path, scratch: folder)
        let copy = try convert(archive, to: name, in: folder, size: before.size, space, progress: progress)
        guard try DatabaseSnapshot.Version(of: source, path) == before else {
            throw RegionStoreError(
                .storage,
                "\(path) was changed by another program while it was read.",
                remedy: "Close that program and try again."
            )
        }
        return copy
    }

    /// The memory of SQLite for an archive, in bytes: its cache, and the largest tile.
    private static let memory: Int64 = 20 << 20

    /// Puts an MBTiles file in the place of a copy that is an archive of another kind; nil if it is none.
    private static func converted(
        _ copy: DatabaseSnapshot.Copy,
        of path: String,
        name: String,
        in folder: Folder,
        _ space: Space,
        progress: @Sendable (_ done: Int64, _ total: Int64) -> Void
    ) throws -> MapCopy? {
        let size = try RegionStoreError.mapping("read", path) { () throws(SystemError) in try copy.file.size() }
        var limits = CheckLimits.importing(size: size)
        limits.memory = memory
        let database = try UntrustedDatabase(folder.path(of: name), .immutable, called: path, within: limits)
        guard let archive = try DatabaseArchive.open(database, scratch: folder) else { return nil }
        // The open file stays until the archive was read, however the process ends.
        try DatabaseSnapshot.removeCopy(name, from: folder)
        return try convert(archive, to: name, in: folder, size: size, space, progress: progress)
    }

    private static func convert(
        _ archive: some TileArchive,
        to name: String,
        in folder: Folder,
        size: UInt64,
        _ space: Space,
        progress: @Sendable (_ done: Int64, _ total: Int64) -> Void
    ) throws -> MapCopy {
        // The tiles are those of the archive, so the file is about as large.
        try DiskSpace.check(
            size,
            of: RegionStoreError.mapping("written", folder.path(of: name)) { () throws(SystemError) in try space(folder)
            },
            remedy: "Free some space and try again."
        )
        let file = try RegionStoreError.mapping("written", folder.path(of: name)) { () throws(SystemError) in
            try folder.createFile(name)
        }
        let omitted = try archive.writeMBTiles(to: file, check: folder.spaceCheck()) { done, total in
            guard total > 0 else { return }
            progress(Int64(Double(size) * Double(done) / Double(total)), Int64(clamping: size))
        }
        return MapCopy(copy: (file, nil), omitted: omitted, mayBeUpsideDown: archive.mayCountRowsFromSouth)
    }
}
