import FoundationEssentials
import Glibc
import PeerProtocol
import PeerStorage

/// The folders of a store, and who may touch them when.
///
/// Whoever puts files in place holds the store's lock together with others until the database knows the files; who
/// collects what nobody knows holds it alone. So nothing is collected between the two.
struct StoreFolders: Sendable {
    let root: Folder

    /// A folder for each region, with its files.
    let regions: Folder

    /// What has arrived of files that are not whole yet, by their digests.
    let incoming: Folder

    /// Workspaces of transfers and imports, and what is being sent.
    let work: Folder

    /// After how many bytes that have arrived they are put on the disk; fewer in tests.
    var syncInterval = GradualSync.interval

    /// How many bytes are reserved, so that something can be removed from a store on a full disk; fewer in tests.
    var reserveSize: UInt64 = 4 << 20

    static let lockName = "lock"

    /// Opens the folders of a store; makes those that are not there.
    init(at path: String, _ faults: (any FaultInjector)? = nil) throws(RegionStoreError) {
        let name = "The store \(path)"
        let (root, isOpenToOthers) = try RegionStoreError.mapping("opened", name) { () throws(SystemError) in
            try Self.makePrivateFolder(path, faults)
            let root = try Folder(path, faults)
            if try !root.contains(StoreDatabase.fileName) { try Self.synchronizeNames(above: path, faults) }
            return (root, try root.isOpenToOthers())
        }
        guard !isOpenToOthers else {
            throw RegionStoreError(
                .storage,
                "\(name) can be changed by other users of this machine.",
                remedy: "Choose a folder that belongs to you and that only you can write to (chmod go-w)."
            )
        }
        self.root = root
        (regions, incoming, work) = try RegionStoreError.mapping("opened", name) { () throws(SystemError) in
            (try root.makingFolder("regions"), try root.makingFolder("incoming"), try root.makingFolder("work"))
        }
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
    func hardLink(_ file: KnownFile, to folder: Folder, as name: String) -> Bool {
        do throws(SystemError) {
            let source = try regions.folder(file.regionID.uuidString)
            guard try source.openFile(file.fileName, O_RDONLY).size() == file.size else { return false }
            try folder.hold(file.fileName, of: source, as: name)
            return true
        } catch {
            return false
        }
    }

    /// Puts files in place, and tells the database of them, while nothing is collected.
    func withSharedLock<Result>(_ body: () throws -> Result) throws -> Result {
        let lock = try RegionStoreError.mapping("locked", "The store") { () throws(SystemError) in
            try FileLock(Self.lockName, in: root, .shared)
        }
        defer { withExtendedLifetime(lock) {} }
        return try body()
    }

    /// Makes a workspace in one of the folders; nil if somebody uses one of that name.
    func workspace(_ name: String, in parent: Folder) throws -> StoreWorkspace? {
        try withSharedLock {
            try RegionStoreError.mapping("written", "The store") { () throws(SystemError) in
                let folder = try parent.makingFolder(name)
                guard let lock = try FileLock(trying: Self.lockName, in: folder, .exclusive) else { return nil }
                for stray in try folder.names() where stray != Self.lockName { try folder.removeFile(stray) }
                return StoreWorkspace(name: name, parent: parent, folder: folder, lock: lock)
            }
        }
    }

    /// Opens what is there of a file, or begins it; nil if that is not possible here, or another transfer is at it.
    ///
    /// Makes the file appear in a workspace, too, under the name of its kind.
    func partialFile(_ entry: ManifestEntry, of region: Region, in workspace: StoreWorkspace) throws -> PartialFile? {
        try withSharedLock {
            do throws(SystemError) {
                return try PartialFile(
                    entry,
                    of: region,
                    in: incoming,
                    appearingIn: workspace.folder,
                    syncInterval: syncInterval
                )
            } catch  where error.number == ENOENT {
                // It was just removed by another transfer.
                return nil
            } catch {
                throw RegionStoreError.storage("written", "The store", error)
            }
        }
    }

    /// Returns how much room of a file is taken already by what has arrived of it.
    func partialSize(_ entry: ManifestEntry) -> UInt64 {
        guard let folder = try? incoming.folder(PartialFile.name(entry.digest, size: entry.size)),
            let status = try? folder.openFile(PartialFile.dataName, O_RDONLY).status()
        else { return 0 }
        return min(status.size, status.allocatedSize)
    }

    /// Removes workspaces that nobody uses, unfinished files that nobody will ask for any more, and region files that are
    /// not among the known ones.
    ///
    /// What cannot be removed, or is in use, stays until the next time: this is never worth failing for.
    ///
    /// - Parameters:
    ///   - known: The names of the files that regions have, and the digests of those whose content is in the database.
    ///   - settle: Makes sure that what `known` says holds after a power cut, too; is called before anything is removed for
    ///     what it says.
    func collectGarbage(
        known: () throws -> (files: [UUID: Set<String>], merged: Set<ContentDigest>),
        settle: () throws -> Void
    ) {
        guard let lock = try? FileLock(trying: Self.lockName, in: root, .exclusive) else { return }
        defer { withExtendedLifetime(lock) {} }
        remove(from: work) { _, _ in true }
        // Asked for while nobody puts files in place.
        guard let (known, merged) = try? known() else { return }
        lazy var isSettled = (try? settle()) != nil
        let whole = Set(known.values.joined().map { $0.prefix { $0 != "." } } + merged.map { $0.hex[...] })
        remove(from: incoming) { name, folder in
            if PartialFile.digest(inName: name) == nil || PartialFile.hasExpired(in: folder) { return true }
            return whole.contains(name.prefix { $0 != "-" }) && isSettled
        }
        for name in (try? regions.names()) ?? [] {
            guard let id = UUID(uuidString: name), let folder = try? regions.folder(name) else { continue }
            let files = (try? folder.names()) ?? []
            let strays = files.filter { known[id]?.contains($0) != true && Self.isOurs($0) }
            for stray in strays where isSettled { try? folder.removeFile(stray) }
            if strays.count == files.count { try? regions.removeEmptyFolder(name) }
        }
    }

    /// Removes the folders in a folder that nobody uses and that `shouldGo` names.
    private func remove(from parent: Folder, where shouldGo: (_ name: String, _ folder: Folder) -> Bool) {
        for name in (try? parent.names()) ?? [] {
            guard let folder = try? parent.folder(name),
                let lock = try? FileLock(trying: Self.lockName, in: folder, .exclusive), shouldGo(name, folder)
            else { continue }
            try? parent.removeFolder(name)
            withExtendedLifetime(lock) {}
        }
    }

    /// Says whether a name is one that we give to region files.
    private static func isOurs(_ name: String) -> Bool {
        let parts = name.split(separator: ".", maxSplits: 1)
        return parts.count == 2 && ContentDigest(hex: parts[0]) != nil && ["mbtiles", "routing.db"].contains(parts[1])
    }

    /// Makes a folder, and those above it that are not there.
    private static func makePrivateFolder(_ path: String, _ faults: (any FaultInjector)?) throws(SystemError) {
        if FileStatus(path: path) != nil { return }
        if let parent = parent(of: path) { try makePrivateFolder(parent, faults) }
        do throws(SystemError) {
            try SystemCall.perform(.makeFolder, path, faults) { mkdir(path, 0o700) }
        } catch  where error.number == EEXIST {
            return
        }
    }

    /// Returns once the names that lead to a new store are on the disk, whoever made them.
    private static func synchronizeNames(above path: String, _ faults: (any FaultInjector)?) throws(SystemError) {
        var path = path
        while let parent = parent(of: path) {
            path = parent
            // What nobody may read nobody of us has written to.
            guard let folder = try? Folder(parent, faults) else { continue }
            try folder.synchronize()
        }
    }

    /// Returns the folder in which a path lies; nil for the first one of a path.
    private static func parent(of path: String) -> String? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        guard !parts.isEmpty, path != "." else { return nil }
        let parent = parts.dropLast().joined(separator: "/")
        return path.hasPrefix("/") ? "/" + parent : parent.isEmpty ? "." : parent
    }
}
