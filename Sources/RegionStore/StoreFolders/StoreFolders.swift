import FoundationEssentials
import Glibc
import MapFiles
import PeerProtocol
import PeerStorage
import RegionModel

/// The folders of a store, and the lock that protects them.
///
/// A process that moves files to their final names holds the shared lock until the database refers to the files. A process
/// that removes unreferenced files holds the exclusive lock. So no file is removed in between.
struct StoreFolders: Sendable {
    let root: Folder

    /// A folder for each region, with its files.
    let regions: Folder

    /// The received parts of incomplete files, protected by the lock of the store.
    let incoming: ReceivedParts

    /// Workspaces of transfers, imports and offers.
    let work: Folder

    /// The number of received bytes after which a file is synchronised to the disk; smaller in tests.
    var syncInterval = GradualSync.interval

    /// The number of reserved bytes, for removing on a full disk; smaller in tests.
    var reserveSize: UInt64 = 4 << 20

    /// How long the received part of a file is kept after the last write.
    private static let incomingLifetime: Duration = .seconds(30 * 86_400)

    /// The length of the longest path of a database in the store: `/regions/ID/DIGEST.routing.db`.
    private static let longestPathLength = "/regions/".utf8.count + 36 + 1 + 64 + ".routing.db".utf8.count

    /// What the store is needed for.
    let access: StoreAccess

    /// Whether this object has created the store.
    let isNew: Bool

    /// Opens the folders of a store, and creates missing ones.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.notFound` if the store does not exist and is not to be
    ///   created, with `RegionStoreError.Code.storage` if it cannot be opened.
    init(
        at path: String,
        _ faults: (any FaultInjector)? = nil,
        _ access: StoreAccess = .creating
    ) throws {
        try DatabasePath.check(path, of: "the store", leaving: Self.longestPathLength)
        let name = "The store \(path)"
        let (root, isNew, isOpenToOthers) = try RegionStoreError.mapping("opened", name) {
            if access == .creating { try Self.makePrivateFolder(path, faults) }
            let root = try Self.root(path, faults, access)
            let isNew = try root?.contains(StoreDatabase.fileName) != true
            if isNew, access == .creating { try Self.synchronizeNames(above: path, faults) }
            return (root, isNew, try root?.isOpenToOthers() == true)
        }
        guard let root, !isNew || access == .creating else {
            throw RegionStoreError(.notFound, "There is no store at \(path).", remedy: "Check the path.")
        }
        guard !isOpenToOthers else {
            throw RegionStoreError(
                .storage,
                "\(name) can be changed by other users of this machine.",
                remedy: "Choose a folder that belongs to you and that only you can write to (chmod go-w)."
            )
        }
        self.root = root
        self.access = access
        self.isNew = isNew
        let parts: Folder
        (regions, parts, work) = try RegionStoreError.mapping("opened", name) {
            (try root.makingFolder("regions"), try root.makingFolder("incoming"), try root.makingFolder("work"))
        }
        incoming = ReceivedParts(in: parts, lockedIn: root, isForPeople: false, lifetime: Self.incomingLifetime)
    }

    /// Opens the folder of a store; nil if it does not exist and is not to be created.
    private static func root(
        _ path: String,
        _ faults: (any FaultInjector)?,
        _ access: StoreAccess
    ) throws(SystemError) -> Folder? {
        do throws(SystemError) {
            return try Folder(path, faults)
        } catch  where access != .creating && error.number == ENOENT {
            return nil
        }
    }

    /// Opens the folder of a region, or creates it.
    func region(_ id: UUID) throws(SystemError) -> Folder { try regions.makingFolder(id.uuidString) }

    /// Returns the path of a region's file.
    func path(of file: KnownFile) -> String {
        regions.path(of: file.regionID.uuidString) + "/" + file.fileName
    }

    /// Opens a region's file.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.storage` that says how to restore the file if it is missing.
    func open(_ file: KnownFile) throws(RegionStoreError) -> OpenFile {
        do throws(SystemError) {
            return try opened(file)
        } catch {
            throw Self.cannotRead(path(of: file), error)
        }
    }

    private func opened(_ file: KnownFile) throws(SystemError) -> OpenFile {
        let opened = try regions.folder(file.regionID.uuidString).openFile(file.fileName, O_RDONLY)
        guard try opened.size() == file.size else { throw SystemError(number: ENOENT) }
        return opened
    }

    /// Returns the error of a region's file that cannot be read.
    static func cannotRead(_ path: String, _ error: SystemError) -> RegionStoreError {
        var failure = RegionStoreError.storage("read", path, error)
        if error.number == ENOENT { failure.remedy = "Import it again to restore the file." }
        return failure
    }

    /// Returns whether a region's file is there and was not written to since it was last hashed.
    func isUnchanged(_ file: KnownFile) -> Bool {
        guard let stamp = file.stamp, let data = try? opened(file) else { return false }
        return data.currentStamp() == stamp
    }

    /// Keeps a region's file in another folder, so that it outlives the region; returns false if the file is missing.
    func hardLink(_ file: KnownFile, to folder: Folder, as name: String) -> Bool {
        guard (try? opened(file)) != nil, let source = try? regions.folder(file.regionID.uuidString) else {
            return false
        }
        return (try? folder.hold(file.fileName, of: source, as: name)) != nil
    }

    /// Creates a workspace in one of the folders; nil if a workspace with that name is in use.
    func workspace(_ name: String, in parent: Folder) throws -> StoreWorkspace? {
        try withSharedLock {
            try RegionStoreError.mapping("written", "The store") {
                let folder = try parent.makingFolder(name)
                guard let lock = try FileLock(trying: FileLock.name, in: folder, .exclusive) else { return nil }
                // A process that died while it had the lock has left them.
                for stray in try folder.names() where stray != FileLock.name { try folder.removeFile(stray) }
                return StoreWorkspace(name: name, parent: parent, folder: folder, lock: lock)
            }
        }
    }

    /// Opens the received part of a file, or creates it; nil if another transfer is using it, or the file system has no links.
    ///
    /// The file is also linked into a workspace, under the name of its kind.
    func partialFile(_ entry: ManifestEntry, of region: Region, in workspace: StoreWorkspace) throws -> ReceivedPart? {
        try RegionStoreError.mapping("written", "The store") { () throws(SystemError) in
            let note = IncomingNote(
                regionID: region.id,
                regionName: region.name,
                kind: entry.kind.rawValue,
                size: entry.size
            )
            guard let part = try incoming.open(entry, note: note.bytes) else { return nil }
            do throws(SystemError) {
                // Before the size is set, because file systems without links have no sparse files and would write zeros.
                try workspace.folder.linkHere(ReceivedPart.dataName, from: part.folder, as: entry.kind.rawValue)
            } catch  where error.hasNoLinks {
                // The received bytes then belong to one transfer only.
                part.remove()
                return nil
            }
            // Holes use no space, and no chunk of a map has the digest of zeros.
            if try part.data.size() != entry.size { try part.data.resize(to: entry.size) }
            return part
        }
    }

    /// Opens the received part of a file for reading, without changing it.
    func keptPart(of entry: ManifestEntry) throws -> ReceivedParts.Found {
        try RegionStoreError.mapping("read", "The store") { try incoming.find(entry) }
    }

    /// Removes unused workspaces, expired partial files, and files that no region refers to.
    ///
    /// Files that are in use or cannot be removed stay until the next time. Errors are ignored.
    ///
    /// - Parameters:
    ///   - known: Returns the names of the files of regions, and the digests of merged archives.
    ///   - settle: Ensures that the result of `known` survives a power cut. Called before anything is removed because of it.
    func collectGarbage(
        known: () throws -> (files: [UUID: Set<String>], merged: Set<ContentDigest>),
        settle: () throws -> Void
    ) {
        guard let lock = try? FileLock(trying: FileLock.name, in: root, .exclusive) else { return }
        defer { withExtendedLifetime(lock) {} }
        for name in (try? work.names()) ?? [] { _ = try? work.removeUnusedFolder(name) }
        // Called with the exclusive lock.
        guard let (known, merged) = try? known() else { return }
        lazy var isSettled = (try? settle()) != nil
        let whole = merged.union(known.values.joined().compactMap { ContentDigest(hex: $0.prefix { $0 != "." }) })
        incoming.collect { whole.contains($0) && isSettled }
        for name in (try? regions.names()) ?? [] {
            guard let id = UUID(uuidString: name), let folder = try? regions.folder(name) else { continue }
            let files = (try? folder.names()) ?? []
            let strays = files.filter { name in
                known[id]?.contains(name) != true && Self.isOurs(name) && !Self.isIndex(name, ofOneOf: known[id])
            }
            for stray in strays where isSettled { try? folder.removeFile(stray) }
            if strays.count == files.count { try? regions.removeEmptyFolder(name) }
        }
    }

    /// Returns whether a name is that of a region file.
    private static func isOurs(_ name: String) -> Bool {
        let digest = name.prefix { $0 != "." }
        return ContentDigest(hex: digest) != nil && suffixes.contains(String(name.dropFirst(digest.count)))
    }

    /// What the names of region files end with.
    private static let suffixes = Set(
        RegionPartList.all.compactMap { ($0 as? any FilePart)?.fileSuffix } + [indexSuffix]
    )

    /// Creates a folder and its missing parent folders.
    static func makePrivateFolder(_ path: String, _ faults: (any FaultInjector)?) throws(SystemError) {
        if FileStatus(path: path) != nil { return }
        if let parent = parent(of: path) { try makePrivateFolder(parent, faults) }
        try Folder.make(path, faults)
    }

    /// Synchronises the names of a new store's parent folders to the disk.
    private static func synchronizeNames(above path: String, _ faults: (any FaultInjector)?) throws(SystemError) {
        var path = path
        while let parent = parent(of: path) {
            path = parent
            // This process has not written to a folder that it cannot read.
            guard let folder = try? Folder(parent, faults) else { continue }
            try folder.synchronize()
        }
    }

    /// Returns the parent folder of a path; nil if there is none.
    private static func parent(of path: String) -> String? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        guard !parts.isEmpty, path != "." else { return nil }
        let parent = parts.dropLast().joined(separator: "/")
        return path.hasPrefix("/") ? "/" + parent : parent.isEmpty ? "." : parent
    }
}

/// What a process needs a store for.
package enum StoreAccess: Hashable, Sendable {
    /// Reading and writing. A store that does not exist is created.
    case creating
    /// Reading and writing a store that exists.
    case writing
    /// Reading a store that exists, which may be on a read-only disk.
    case reading
}
