public import FoundationEssentials
import GRDB
import Glibc
import MapFiles
import PeerProtocol
import PeerStorage
import RegionModel

extension RegionStore {
    /// Writes a region's map to a file, with the imported bytes.
    ///
    /// - Parameters:
    ///   - regionID: The region.
    ///   - path: The path of the new file.
    ///   - progress: Called with the number of written bytes and the total number.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.conflict` if the file exists,
    ///   `RegionStoreError.Code.notFound` if the region does not exist.
    public func exportMap(
        of regionID: UUID,
        to path: String,
        progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
    ) throws {
        try export(region(regionID).mapKind, of: regionID, to: path, progress: progress)
    }

    /// Writes a region's routing database to a file, with the imported bytes.
    ///
    /// - Parameters:
    ///   - regionID: The region.
    ///   - path: The path of the new file.
    ///   - progress: Called with the number of written bytes and the total number.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.conflict` if the file exists,
    ///   `RegionStoreError.Code.notFound` if the region does not exist or has no routing database.
    public func exportRouting(
        of regionID: UUID,
        to path: String,
        progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
    ) throws {
        try export(.routing, of: regionID, to: path, progress: progress)
    }

    private func export(
        _ kind: ResourceKind,
        of regionID: UUID,
        to path: String,
        progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void
    ) throws {
        // The lock prevents the collection of the file before it is open. An open file stays readable.
        let (source, known) = try folders.withSharedLock {
            let (region, file) = try database.read { database in
                (try Self.summary(regionID, database), try KnownFile.fetchOne(kind, of: regionID, database))
            }
            guard let file else { throw RegionStoreError(.notFound, "“\(region.name)” has no \(kind.title).") }
            return (try folders.open(file), file)
        }
        try FileExport.write(to: path) { file in
            guard let layout = ChunkLayout(size: known.size) else { throw SystemError(number: EFBIG) }
            let isCloned = FileCopy.clone(source, to: file)
            let contents = try FileDigester().digest(
                isCloned ? file : source,
                layout,
                copyingTo: isCloned ? nil : file,
                progress: progress
            )
            // The disk may have changed bytes since the file was checked.
            guard contents.digest == known.digest else {
                throw RegionStoreError(
                    .storage,
                    "\(folders.path(of: known)) is damaged: it is not the file that was imported or received.",
                    remedy: "Import it again to restore the file."
                )
            }
        }
    }
}

extension RegionStore {
    /// Writes a region's map to a file for OsmAnd, which cannot read MBTiles.
    ///
    /// The tiles keep their bytes. The file gets its name when it is complete.
    ///
    /// - Parameters:
    ///   - path: The path of the new file, which should end in `.sqlitedb`.
    ///   - cut: The part of the map to write; nil for the whole map.
    ///   - progress: Called with the number of written bytes and the total number, which is approximate.
    /// - Returns: The size of the file, in bytes.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.conflict` if the file exists,
    ///   `RegionStoreError.Code.notFound` if the region does not exist, `RegionStoreError.Code.invalidArgument` if its tiles
    ///   are not images.
    package func writeOsmAndMap(
        of regionID: UUID,
        to path: String,
        cut: RegionCut? = nil,
        progress: (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
    ) throws -> UInt64 {
        let region = try region(regionID)
        try checkImages(of: region)
        var size: UInt64 = 0
        try FileExport.write(to: path, needsName: true) { file in
            do {
                try write(region, cut, to: file.path, progress: progress)
                size = try file.size()
            } catch let error as DatabaseError {
                throw try Self.systemError(error, besides: path)
            }
        }
        return size
    }

    private func write(
        _ region: RegionSummary,
        _ cut: RegionCut?,
        to path: String,
        progress: (Int64, Int64) -> Void
    ) throws {
        let map = try map(of: region.id)
        // Tiles that a map has once for many places are as many tiles here.
        let size =
            try cut == nil
            ? map.amounts().whole.values.reduce(UInt64(region.tileCount) * 100) {
                $0.addingReportingOverflow($1.size).partialValue
            } : region.mapSize
        let folder = try Folder(path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".")
        try DiskSpace.check(size, of: folder.space(), remedy: "Free some space, or export to another disk.")
        let total = Int64(clamping: size)
        var done: Int64 = 0
        try OsmAndMap(in: path).write(title: region.name) { add in
            let write = { (tile: MapTile) in
                try add(tile)
                done += Int64(tile.data.count)
                progress(min(done, total), total)
            }
            if let cut { return try cut.forEachTile(write) }
            try map.forEachTile(write)
        }
    }

    private func checkImages(of region: RegionSummary) throws {
        guard region.foreign == nil else { throw Self.isNotDrawn(region) }
        let what: String
        switch region.format {
        case .png, .jpg, .webp: return
        case .pbf: what = "has vector tiles"
        case nil: what = "has tiles of an unknown format"
        }
        throw RegionStoreError(
            .invalidArgument,
            "The map of “\(region.name)” \(what), and a tile file for OsmAnd can only have images.",
            remedy: "Export the map as MBTiles, for programs that draw such tiles."
        )
    }

    /// Returns the error of the system that explains an error of SQLite.
    private static func systemError(_ error: DatabaseError, besides path: String) throws -> SystemError {
        let folder = try Folder(path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".")
        if StoreDatabase.isFull(error, folder) { return SystemError(number: ENOSPC) }
        return SystemError(number: error.resultCode == .SQLITE_NOMEM ? ENOMEM : EIO)
    }
}
