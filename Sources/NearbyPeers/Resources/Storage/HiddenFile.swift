import FoundationEssentials
import Glibc
import PeerStorage

/// A file without a place: it becomes a received file, or is removed.
///
/// The file is locked as long as a transfer uses it. So the next one in the same folder finds what a crash has left, and removes it.
final class HiddenFile: Sendable {
    private static let prefix = ".receiving-"
    /// How often another transfer may remove the file before it is locked.
    private static let maximumAttempts = 100

    /// The file.
    let file: OpenFile
    /// Its name, which is unpredictable.
    let name: String
    private let folder: Folder
    /// Nil on file systems that have no locks, on which nothing is removed later.
    private let lock: FileLock?

    /// Creates a file in a folder, and removes those that crashes have left there.
    init(in folder: Folder) throws(SystemError) {
        Self.removeLeftovers(in: folder)
        self.folder = folder
        var attempt = 0
        while true {
            attempt += 1
            let name = Self.prefix + UUID().uuidString
            let file = try folder.createFile(name, mode: 0o666)
            let lock = try? FileLock(trying: file, .exclusive)
            let isRemoved = (try? file.status().linkCount) == 0
            guard !isRemoved || attempt == Self.maximumAttempts else { continue }
            (self.name, self.file, self.lock) = (name, file, lock)
            return
        }
    }

    /// Removes the file.
    func remove() {
        try? folder.removeFile(name)
    }

    private static func removeLeftovers(in folder: Folder) {
        // If it cannot be done now, it is done another time.
        for name in (try? folder.names()) ?? [] where isName(name) {
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
