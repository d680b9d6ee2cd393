package import FoundationEssentials
import Glibc
import MapFiles
import PeerStorage
import RegionModel

extension RegionStore {
    /// The name of the file with the state of the region that a folder has.
    static let stampName = ".state"

    /// The first line of a stamp; it changes with the form of the files.
    private static let stampVersion = "2"

    /// Writes a region into a folder for map programs of a desktop, unless the folder already has this state of the region.
    ///
    /// The files are complete when the folder gets its name. The map is a file of its own, which shares the blocks of the store's
    /// file if the file system can do that. So no program can change the store's file.
    ///
    /// - Parameter parent: The absolute path of the folder of all such folders, which is created if it does not exist.
    /// - Returns: The folder, which has the id of the region as its name.
    /// - Throws: `RegionStoreError` if the region does not exist or cannot be read, or if the folder cannot be written.
    package func updateDesktopFolder(of regionID: UUID, named stem: String, in parent: String) throws -> DesktopFolder {
        guard parent.hasPrefix("/") else {
            throw RegionStoreError(
                .invalidArgument,
                "“\(parent)” cannot hold files for map programs: it is not an absolute path."
            )
        }
        return try RegionStoreError.mapping("written", parent) {
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
        var result = DesktopFolder(path: final, map: region.foreign?.fileName ?? stem + ".mbtiles")
        if region.hikeCount + region.plannedRouteCount + region.waypointCount > 0 {
            // The file of another program may have any name.
            let isTaken = result.map.lowercased() == (stem + ".gpx").lowercased()
            let gpx = stem + (isTaken ? "-2.gpx" : ".gpx")
            result.leftOut = try exportGPX(of: region.id, to: folder.path(of: gpx)).leftOut
            result.gpx = gpx
        }
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
    private static func digest(of file: OpenFile) throws -> String {
        try FileDigester().digest(file, path: file.path).digest.hex
    }

    /// Returns the stamp of the existing folder; nil if there is none.
    static func current(in shared: Folder, _ name: String) throws -> [UInt8]? {
        guard let folder = try? shared.folder(name), let file = try? folder.openFile(Self.stampName, O_RDONLY) else {
            return nil
        }
        return try? file.prefix(Int(clamping: min(try file.size(), 10_000)))
    }

    /// Removes what ``updateDesktopFolder(of:named:in:)`` has written of a region.
    ///
    /// A GPX file that was changed since stays, because it may hold the edits of a person. So do files that other programs have made.
    ///
    /// - Parameter parent: The absolute path of the folder of all such folders.
    package static func removeDesktopFolder(
        of regionID: UUID,
        onlyItems: Bool = false,
        in parent: String
    ) -> DesktopFolder.Removal {
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
