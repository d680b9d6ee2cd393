import FoundationEssentials
import Glibc
import PeerCore

/// The folders of a store, and who may touch them when.
///
/// Whoever puts files in place holds the store's lock together with others until the database knows the files; who
/// collects what nobody knows holds it alone. So nothing is collected between the two.
struct StoreFolders: Sendable {
    let root: Folder

    /// A folder for each region, with its files.
    let regions: Folder

    /// A workspace for each transfer that arrives.
    let incoming: Folder

    /// Workspaces of imports, and what is being sent.
    let work: Folder

    static let lockName = "lock"

    /// Opens the folders of a store; makes those that are not there.
    init(at path: String) throws(RegionStoreError) {
        let folders = try RegionStoreError.mapping("opened", "The store \(path)") { () throws(SystemError) in
            try Self.makePrivateFolder(path)
            let root = try Folder(path)
            return (
                root, try root.makingFolder("regions"), try root.makingFolder("incoming"),
                try root.makingFolder("work")
            )
        }
        (root, regions, incoming, work) = folders
    }

    /// Opens the folder of a region; makes it if it is not there.
    func region(_ id: UUID) throws(SystemError) -> Folder {
        try regions.makingFolder(id.uuidString)
    }

    /// Returns the path of a region's file.
    func path(of file: RegionFileRecord) -> String {
        regions.path(of: file.regionID.uuidString) + "/" + file.fileName
    }

    /// Makes a region's file stay in another folder too, whatever happens to the region; false if it is not there.
    func take(_ file: RegionFileRecord, to folder: Folder, as name: String) -> Bool {
        do throws(SystemError) {
            let source = try regions.folder(file.regionID.uuidString)
            guard try source.openFile(file.fileName, O_RDONLY).size() == file.layout.size else { return false }
            try folder.hold(file.fileName, of: source, as: name)
            return true
        } catch {
            return false
        }
    }

    /// Puts files in place, and tells the database of them, while nothing is collected.
    func placing<Result>(_ body: () throws -> Result) throws -> Result {
        let lock = try RegionStoreError.mapping("locked", "The store") { () throws(SystemError) in
            try FileLock(Self.lockName, in: root, .shared)
        }
        defer { withExtendedLifetime(lock) {} }
        return try body()
    }

    /// Makes a workspace in one of the folders; nil if somebody uses one of that name.
    func workspace(_ name: String, in parent: Folder) throws -> StoreWorkspace? {
        try placing {
            try RegionStoreError.mapping("written", "The store") { () throws(SystemError) in
                let folder = try parent.makingFolder(name)
                guard let lock = try FileLock(trying: Self.lockName, in: folder, .exclusive) else { return nil }
                for stray in try folder.names() where stray != Self.lockName { try folder.removeFile(stray) }
                return StoreWorkspace(name: name, parent: parent, folder: folder, lock: lock)
            }
        }
    }

    /// Removes workspaces that nobody uses and region files that are not among the known ones.
    ///
    /// What cannot be removed, or is in use, stays until the next time: this is never worth failing for.
    func collect(known: () throws -> [UUID: Set<String>]) {
        guard let lock = try? FileLock(trying: Self.lockName, in: root, .exclusive) else { return }
        defer { withExtendedLifetime(lock) {} }
        for parent in [incoming, work] {
            for name in (try? parent.names()) ?? [] {
                guard let folder = try? parent.folder(name),
                    let lock = try? FileLock(trying: Self.lockName, in: folder, .exclusive)
                else { continue }
                try? parent.removeFolder(name)
                withExtendedLifetime(lock) {}
            }
        }
        // Asked for while nobody puts files in place.
        guard let known = try? known() else { return }
        for name in (try? regions.names()) ?? [] {
            guard let id = UUID(uuidString: name), let folder = try? regions.folder(name) else { continue }
            var isEmpty = true
            for file in (try? folder.names()) ?? [] {
                let isStray = Self.isOurs(file) && known[id]?.contains(file) != true
                if !isStray || (try? folder.removeFile(file)) == nil { isEmpty = false }
            }
            if isEmpty { try? regions.removeFolder(name) }
        }
    }

    /// Says whether a name is one that we give to region files.
    private static func isOurs(_ name: String) -> Bool {
        let parts = name.split(separator: ".", maxSplits: 1)
        return parts.count == 2 && ContentDigest(hex: parts[0]) != nil && ["mbtiles", "routing.db"].contains(parts[1])
    }

    private static func makePrivateFolder(_ path: String) throws(SystemError) {
        if FileStatus(path: path) != nil { return }
        let parent = path.split(separator: "/", omittingEmptySubsequences: true).dropLast().joined(separator: "/")
        if !parent.isEmpty { try makePrivateFolder((path.hasPrefix("/") ? "/" : "") + parent) }
        do throws(SystemError) {
            try SystemCall.retrying { mkdir(path, 0o700) }
        } catch  where error.number == EEXIST {
            return
        }
    }
}
