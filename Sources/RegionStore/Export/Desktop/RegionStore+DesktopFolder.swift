import Crypto
package import FoundationEssentials
import Glibc
import MapFiles
import PeerStorage
import RegionModel

extension RegionStore {
    /// The name of the file that says of which state of the region a folder is.
    static let stampName = ".state"

    /// The first line of a stamp; it changes with the form of the files.
    private static let stampVersion = "1"

    /// Writes a region into a folder for map programs of a desktop, unless the folder already has this state of the region.
    ///
    /// The files are complete when the folder gets its name. The map is a file of its own, which shares the blocks of the store's
    /// file if the file system can do that. So no program can change the store's file.
    ///
    /// - Parameters:
    ///   - regionID: The region.
    ///   - stem: The beginning of the names of the files.
    ///   - parent: The absolute path of the folder of all such folders, which is created if it does not exist.
    /// - Returns: The folder, which has the id of the region as its name.
    /// - Throws: `RegionStoreError` if the region does not exist or cannot be read, or if the folder cannot be written.
    package func updateDesktopFolder(of regionID: UUID, named stem: String, in parent: String) throws -> DesktopFolder {
        guard parent.hasPrefix("/"), !parent.contains(where: \.isNewline) else {
            throw RegionStoreError(
                .invalidArgument,
                "“\(parent)” cannot hold files for map programs: it is not an absolute path, or has a line feed in it."
            )
        }
        return try Self.wording(parent) {
            try StoreFolders.makePrivateFolder(parent, nil)
            let shared = try Folder(parent)
            guard try !shared.isOpenToOthers() else {
                throw RegionStoreError(
                    .storage,
                    "\(parent) can be changed by other users, so programs could be shown other files.",
                    remedy: "Take the permission from them: chmod go-w '\(parent)'"
                )
            }
            let id = regionID.uuidString
            let lock = try FileLock(".lock-" + id, in: shared, .exclusive)
            defer { withExtendedLifetime(lock) {} }
            return try update(regionID, named: stem, in: shared, final: id)
        }
    }

    /// Called with the lock of the region's folder.
    private func update(_ id: UUID, named stem: String, in shared: Folder, final: String) throws -> DesktopFolder {
        Self.removeRemains(of: final, in: shared)
        let (temporary, old) = (".new-\(final)-\(UUID().uuidString)", ".old-\(final)-\(UUID().uuidString)")
        let new = try shared.makingFolder(temporary)
        do {
            // The digest is read first: if the map changes now, the next call writes the folder anew.
            let region = try region(id)
            var result = try describe(region, named: stem, in: new, final: shared.path(of: final))
            let stamp = try stamp(region, in: new, result)
            if try Self.current(in: shared, final) == stamp {
                result.isNew = false
                try shared.removeFolder(temporary)
                return result
            }
            try exportMap(of: id, to: new.path(of: result.map))
            _ = chmod(new.path(of: result.map), 0o400)
            try new.createFile(Self.stampName).write(stamp)
            if try shared.contains(final) { try shared.replaceHere(final, from: shared, as: old) }
            try shared.replaceHere(temporary, from: shared, as: final)
            Self.removeRemains(of: final, in: shared)
            return result
        } catch {
            try? shared.removeFolder(temporary)
            throw error
        }
    }

    /// Removes what this process has replaced, or a killed one has left.
    ///
    /// A folder in which a person has made other folders stays.
    static func removeRemains(of final: String, in shared: Folder) {
        for name in (try? shared.names()) ?? [] where name.hasPrefix(".new-" + final) || name.hasPrefix(".old-" + final)
        {
            try? shared.removeFolder(name)
        }
    }

    /// Writes everything but the map.
    private func describe(
        _ region: RegionSummary,
        named stem: String,
        in folder: Folder,
        final: String
    ) throws -> DesktopFolder {
        var result = DesktopFolder(path: final, map: region.sealed?.fileName ?? stem + ".mbtiles")
        if region.hikeCount + region.plannedRouteCount + region.waypointCount > 0 {
            // The file of another program may have any name.
            let isTaken = result.map.lowercased() == (stem + ".gpx").lowercased()
            let gpx = stem + (isTaken ? "-2.gpx" : ".gpx")
            result.leftOut = try exportGPX(of: region.id, to: folder.path(of: gpx)).leftOut
            result.gpx = gpx
        }
        guard region.format != .pbf, region.sealed == nil else { return result }
        let view = MapView(of: region.boundingBox)
        func write(_ text: String, _ suffix: String) throws -> String {
            try folder.createFile(stem + suffix).write(Array(text.utf8))
            return stem + suffix
        }
        let project = VikingProject(name: region.name, mapPath: final + "/" + result.map, view: view)
        result.vikingProject = try write(project.text, ".vik")
        let dataset = try raster(of: region.id).virtualDataset(of: result.map)
        result.virtualDataset = try write(dataset, ".vrt")
        let settings = QMapShackSettings(folder: final, virtualDataset: dataset, view: view)
        result.qmapshackSettings = try write(settings.text, ".qmapshack.conf")
        return result
    }

    /// Returns the stamp of a new folder: the digest of the map and those of the written files.
    private func stamp(_ region: RegionSummary, in folder: Folder, _ result: DesktopFolder) throws -> [UInt8] {
        var lines = [Self.stampVersion, "\(region.mapDigest.hex) \(result.map)"]
        for name in result.files where name != result.map {
            lines.append("\(try Self.digest(of: try folder.openFile(name, O_RDONLY))) \(name)")
        }
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    /// Returns the digest of a file, as stamps have it.
    static func digest(of file: OpenFile) throws(SystemError) -> String {
        var hasher = SHA256()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 16)
        defer { buffer.deallocate() }
        var position: UInt64 = 0
        while true {
            let count = try file.read(into: buffer, at: position)
            guard count > 0 else { break }
            hasher.update(bufferPointer: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            position += UInt64(count)
        }
        return hasher.finalize().map { String($0, radix: 16) }.joined(separator: ":")
    }

    /// Returns the stamp of the existing folder; nil if there is none.
    static func current(in shared: Folder, _ name: String) throws -> [UInt8]? {
        guard let folder = try? shared.folder(name), let file = try? folder.openFile(Self.stampName, O_RDONLY) else {
            return nil
        }
        return try? file.prefix(Int(clamping: min(try file.size(), 10_000)))
    }

    static func wording<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SystemError {
            throw RegionStoreError.storage("written", path, error)
        }
    }
}

/// A folder with a region in the forms that map programs of a desktop open.
package struct DesktopFolder: Hashable, Sendable {
    /// The path of the folder.
    package var path: String
    /// The name of the map: an MBTiles file, or the file of another program.
    package var map: String
    /// The name of the GPX file; nil if the region has no hikes, planned routes and waypoints.
    package var gpx: String?
    /// The name of the project for Viking; nil if the tiles are not images.
    package var vikingProject: String?
    /// The name of the description of the map for GDAL, and so for QMapShack and QGIS; nil if the tiles are not images.
    package var virtualDataset: String?
    /// The name of the settings for QMapShack; nil if the tiles are not images.
    package var qmapshackSettings: String?
    /// Short descriptions of what is missing in the GPX file, because the store cannot read it.
    package var leftOut: [String] = []
    /// Whether the folder was written anew, because it did not exist or the region has changed.
    package var isNew = true

    /// The names of all files.
    package var files: [String] {
        [map, gpx, vikingProject, virtualDataset, qmapshackSettings].compactMap { $0 }
    }

    /// Returns the path of one of the files.
    package func path(of file: String) -> String { path + "/" + file }
}

/// What has become of a folder for map programs whose region, or an item of it, was removed.
package enum DesktopFolderRemoval: Hashable, Sendable {
    /// There was none.
    case none
    /// Its files were removed.
    case removed
    /// Files stay in this folder, because a person or a program has changed or added them.
    case kept(folder: String)
    /// Its files in this folder could not be removed.
    case failed(folder: String)
}

extension RegionStore {
    /// Removes what ``updateDesktopFolder(of:named:in:)`` has written of a region.
    ///
    /// A GPX file that was changed since stays, because it may hold the edits of a person. So do files that other programs have made.
    ///
    /// - Parameters:
    ///   - regionID: The region.
    ///   - onlyItems: Whether only the GPX file is removed.
    ///   - parent: The absolute path of the folder of all such folders.
    /// - Returns: What has become of the files.
    package static func removeDesktopFolder(
        of regionID: UUID,
        onlyItems: Bool = false,
        in parent: String
    ) -> DesktopFolderRemoval {
        let id = regionID.uuidString
        let path = parent + "/" + id
        do {
            guard FileStatus(path: path) != nil else { return .none }
            let shared = try Folder(parent)
            let lock = try FileLock(".lock-" + id, in: shared, .exclusive)
            defer { withExtendedLifetime(lock) {} }
            removeRemains(of: id, in: shared)
            let folder = try shared.folder(id)
            let names = try folder.names().filter { !onlyItems || $0.hasSuffix(gpxSuffix) }
            let ours = try ownFiles(in: shared, id, folder)
            for name in names where ours.contains(name) { try folder.removeFile(name) }
            guard names.allSatisfy(ours.contains) else { return .kept(folder: path) }
            if !onlyItems { try shared.removeEmptyFolder(id) }
            return names.isEmpty ? .none : .removed
        } catch {
            return .failed(folder: path)
        }
    }

    private static let gpxSuffix = ".gpx"

    /// Returns the names of the files that the stamp lists, without a GPX file that was changed since, and that of the stamp.
    private static func ownFiles(in shared: Folder, _ id: String, _ folder: Folder) throws -> Set<String> {
        var names: Set<String> = [stampName]
        let stamp = String(decoding: try current(in: shared, id) ?? [], as: UTF8.self)
        for line in stamp.split(separator: "\n") {
            guard let space = line.firstIndex(of: " ") else { continue }
            let name = String(line[line.index(after: space)...])
            if name.hasSuffix(gpxSuffix), let file = try? folder.openFile(name, O_RDONLY) {
                guard try digest(of: file) == line[..<space] else { continue }
            }
            names.insert(name)
        }
        return names
    }
}
