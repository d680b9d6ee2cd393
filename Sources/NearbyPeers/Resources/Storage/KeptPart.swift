import Glibc
import PeerProtocol
import PeerStorage

/// The received part of a resource, which is kept after the program has ended.
///
/// The name of its folder is the digest and the size of the complete resource. So any peer can send the rest under any name,
/// and a false size leads to another folder. No record says which chunks are present: each is hashed again before it counts.
final class KeptPart: Sendable {
    /// The name of the file with the bytes.
    static let dataName = "data"
    private static let lockName = "lock"

    /// The folder of this part.
    let folder: Folder
    /// The bytes.
    let data: OpenFile

    private let name: String
    private let parent: Folder
    private let lock: FileLock

    /// Opens the received part of a resource, or creates it; returns nil if another transfer uses it.
    init?(of entry: ManifestEntry, in parent: Folder) throws(SystemError) {
        // This lock prevents another process from removing the folder between the following steps.
        let alone = try FileLock(Self.lockName, in: parent, .exclusive)
        defer { withExtendedLifetime(alone) {} }
        name = Self.name(of: entry)
        self.parent = parent
        folder = try parent.makingFolder(name)
        guard let lock = try FileLock(trying: Self.lockName, in: folder, .exclusive) else { return nil }
        self.lock = lock
        data = try Self.openData(in: folder)
    }

    /// Opens the file with the bytes, or creates it.
    private static func openData(in folder: Folder) throws(SystemError) -> OpenFile {
        let data = try folder.openFile(dataName, O_RDWR | O_CREAT, mode: 0o666)
        guard try data.status().linkCount > 1 else { return data }
        // A crash happened after the file got its final name. By now, a person may have changed the file.
        try folder.removeFile(dataName)
        return try folder.createFile(dataName, mode: 0o666)
    }

    /// The name of the folder of a resource.
    static func name(of entry: ManifestEntry) -> String {
        "\(entry.digest.hex)-\(entry.size)"
    }

    /// Opens the folder of all parts, or creates it in an existing folder.
    static func openFolder(_ path: String, _ faults: (any FaultInjector)?) throws(SystemError) -> Folder {
        do throws(SystemError) {
            try SystemCall.perform(.makeFolder, path, faults) { mkdir(path, 0o700) }
        } catch  where error.number == EEXIST {
            return try Folder(path, faults)
        }
        return try Folder(path, faults)
    }

    /// Returns the space that the received part of a resource occupies, in bytes.
    static func size(of entry: ManifestEntry, in parent: Folder) -> UInt64 {
        guard let folder = try? parent.folder(name(of: entry)),
            let status = try? folder.openFile(dataName, O_RDONLY | O_NONBLOCK).status(), status.linkCount == 1
        else { return 0 }
        return min(status.size, status.allocatedSize)
    }

    /// Removes the part.
    func remove() {
        // Errors are ignored: the next transfer of the same bytes uses a part that cannot be removed.
        guard let alone = try? FileLock(Self.lockName, in: parent, .exclusive) else { return }
        try? parent.removeFolder(name)
        withExtendedLifetime(alone) {}
    }

    /// Removes the part if it is empty.
    func removeIfEmpty() {
        if let status = try? data.status(), status.allocatedSize == 0 { remove() }
    }
}
