package import FoundationEssentials
import Glibc
import PeerStorage

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
