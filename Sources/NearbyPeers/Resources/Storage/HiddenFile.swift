import FoundationEssentials
import Glibc
import PeerStorage

/// A file under a hidden name, which becomes a received file or is removed.
///
/// A transfer locks the file while it uses it. So the next transfer into the same folder can find and remove the files that a
/// crash has left.
final class HiddenFile: Sendable {
    private static let prefix = ".receiving-"
    /// How often another transfer may remove the new file before it is locked.
    private static let maximumAttempts = 100

    /// The file.
    let file: OpenFile
    /// The name, which is unpredictable.
    let name: String
    private let folder: Folder
    /// The lock; nil on file systems without locks, on which leftovers are not removed.
    private let lock: FileLock?

    /// Creates a file in a folder, and removes the files that crashes have left there.
    init(in folder: Folder) throws(SystemError) {
        Self.removeLeftovers(in: folder)
        self.folder = folder
        var attempt = 0
        while true {
            attempt += 1
            let name = Self.prefix + UUID().uuidString
            // As for any new file of the application, the umask decides who may read it.
            let file = try folder.createFile(name, mode: 0o666)
            let lock = try? FileLock(trying: file, .exclusive)
            // Until it is locked, another transfer may take the new file for a leftover and remove it.
            let isRemoved = (try? file.status().linkCount) == 0
            guard !isRemoved || attempt == Self.maximumAttempts else { continue }
            (self.name, self.file, self.lock) = (name, file, lock)
            return
        }
    }

    /// Removes the file.
    func remove() { try? folder.removeFile(name) }

    private static func removeLeftovers(in folder: Folder) {
        // Errors are ignored: the next transfer tries again.
        for name in (try? folder.names()) ?? [] where isName(name) {
            // A running transfer holds the lock of its file, so only leftovers are removed.
            guard let file = try? folder.openFile(name, O_RDONLY | O_NONBLOCK),
                (try? file.status())?.kind == .regular,
                let lock = try? FileLock(trying: file, .exclusive)
            else { continue }
            try? folder.removeFile(name)
            withExtendedLifetime(lock) {}
        }
    }

    private static func isName(_ name: String) -> Bool {
        name.hasPrefix(prefix) && UUID(uuidString: String(name.dropFirst(prefix.count))) != nil
    }
}
