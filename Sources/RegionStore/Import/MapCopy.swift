import Glibc
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
    /// - Parameter space: Returns the free bytes of the disk of the folder, and all of them.
    /// - Throws: `RegionStoreError` if the map is not acceptable, or cannot be read, or if an archive needs more space.
    static func take(
        of path: String,
        to name: String,
        in folder: Folder,
        space: @escaping Space = { folder throws(SystemError) in try folder.space() },
        _ work: ImportWork = ImportWork(),
        progress: @escaping @Sendable (ImportProgress) -> Void
    ) throws -> MapCopy {
        let target = Target(path: path, name: name, folder: folder, space: space, work: work, progress: progress)
        if FileStatus(path: path)?.kind == .folder, TileFolder.isTileFolder(path) {
            return try convert(TileFolder(path, called: path), to: target)
        }
        let source = try DatabaseSnapshot.open(path)
        let beginning = try RegionStoreError.mapping("read", path) { try source.prefix(PMTilesFile.mark.count) }
        guard beginning == PMTilesFile.mark else {
            let copy = try DatabaseSnapshot.take(of: path, to: name, in: folder, work) { progress(.bytes($0, of: $1)) }
            return try converted(copy, target) ?? MapCopy(copy: copy)
        }
        let before = try DatabaseSnapshot.settledVersion(of: source, path)
        let archive = try PMTilesFile(source, called: path, scratch: folder)
        let copy = try convert(archive, to: target)
        try before.check(source, path)
        return copy
    }

    /// The limits on the look at a database for its cost.
    private static let lookLimits = CheckLimits(seconds: 1, memory: 10 << 20)

    /// Returns what the import of a map takes at most, without copying it.
    static func cost(of path: String, called name: String, in folder: Folder) throws -> ImportCost {
        if FileStatus(path: path)?.kind == .folder, TileFolder.isTileFolder(path) {
            return try TileFolder(path, called: name).cost()
        }
        let source = try DatabaseSnapshot.open(path)
        let (beginning, size) = try RegionStoreError.mapping("read", name) {
            (try source.prefix(PMTilesFile.mark.count), try source.size())
        }
        if beginning == PMTilesFile.mark { return try PMTilesFile(source, called: name, scratch: folder).cost() }
        // A database that is being changed, or is none, is no matter here: the import says so.
        let database = try? UntrustedDatabase(path, .immutable, called: name, within: lookLimits)
        return database.flatMap { try? DatabaseArchive.cost(of: $0, scratch: folder) }
            ?? ImportCost(tileCount: nil, contentSize: size, fileSize: size)
    }

    /// Puts a map whose rows count from the south, and all are tiles, in the place of a copy; returns nil if the copy can stay.
    static func rewriting(
        _ map: MapDescription,
        of path: String,
        named name: String,
        in folder: Folder,
        _ work: ImportWork,
        progress: @escaping @Sendable (ImportProgress) -> Void
    ) throws -> OpenFile? {
        let isTurned = map.countsRowsFromNorth
        guard isTurned || map.rowCoverage != nil else { return nil }
        let space: Space = { folder throws(SystemError) in try folder.space() }
        let target = Target(path: path, name: name, folder: folder, space: space, work: work, progress: progress)
        let archive = try RewrittenMap(target.database(), map, isTurned: isTurned, scratch: folder)
        guard let archive else { return nil }
        try DatabaseSnapshot.removeCopy(name, from: folder)
        return try convert(archive, to: target).copy.file
    }

    /// Puts an MBTiles file in the place of a copy that is an archive of another kind; nil if it is none.
    private static func converted(_ copy: DatabaseSnapshot.Copy, _ target: Target) throws -> MapCopy? {
        guard let archive = try DatabaseArchive.open(target.database(), scratch: target.folder) else { return nil }
        // The open file stays until the archive was read, however the process ends.
        try DatabaseSnapshot.removeCopy(target.name, from: target.folder)
        return try convert(archive, to: target)
    }

    /// The file that is read, and the one that is made.
    private struct Target {
        /// The path of the map.
        var path: String
        /// The name of the copy, and then of the MBTiles file.
        var name: String
        var folder: Folder
        var space: Space
        var work: ImportWork
        var progress: @Sendable (ImportProgress) -> Void

        /// The memory of SQLite for an archive, in bytes: its cache, and the largest tile.
        private static let memory: Int64 = 20 << 20

        /// Opens the copy.
        func database() throws -> UntrustedDatabase {
            let file = folder.path(of: name)
            var limits = CheckLimits.importing(size: FileStatus(path: file)?.size ?? 0)
            limits.memory = Self.memory
            return try UntrustedDatabase(
                file,
                .immutable,
                called: path,
                within: work.limits(limits),
                isCancelled: work.isCancelled
            )
        }
    }

    /// By how much an MBTiles file can be larger than what the archive says, in bytes and as a factor.
    private static let slack: (bytes: UInt64, factor: UInt64) = (16 << 20, 4)

    private static func convert(_ archive: some TileArchive, to target: Target) throws -> MapCopy {
        let (folder, name, work) = (target.folder, target.name, target.work)
        let cost = try archive.cost()
        try DiskSpace.check(
            cost.byteCount,
            of: RegionStoreError.mapping("written", folder.path(of: name)) {
                try target.space(folder)
            },
            remedy: "Free some space and try again."
        )
        let file = try RegionStoreError.mapping("written", folder.path(of: name)) { try folder.createFile(name) }
        // The files of a folder are as large as they are.
        let limit = cost.fileSize == 0 ? .max : slack.factor * min(cost.byteCount, 1 << 60) + slack.bytes
        do {
            let check = work.writeCheck(in: folder, atMost: limit)
            let omitted = try archive.writeMBTiles(to: file, check: check) { done, total in
                try work.check()
                if total > 0 { target.progress(.tiles(done, of: total)) }
            }
            return MapCopy(copy: (file, nil), omitted: omitted, mayBeUpsideDown: archive.mayCountRowsFromSouth)
        } catch let error as RegionStoreError where (error.cause as? SystemError)?.number == EFBIG {
            throw RegionStoreError(
                .invalidFile,
                "\(target.path) is damaged: its tiles have more bytes than the file can have.",
                remedy: "Get a new copy of the file.",
                cause: error
            )
        }
    }
}
