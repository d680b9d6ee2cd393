import Glibc
import PeerProtocol
import PeerStorage

extension StoreFolders {
    /// The received part of a file, as a transfer that begins now would find it.
    enum KeptPart {
        /// A running transfer is using it.
        case inUse
        /// It can be read.
        case kept(OpenFile)
        /// There is none.
        case none
    }

    /// Opens the received part of a file for reading, without changing it.
    func keptPart(of entry: ManifestEntry) throws -> KeptPart {
        guard partialSize(entry) > 0 else { return .none }
        let name = PartialFile.name(entry.digest, size: entry.size)
        // With the exclusive lock. Detecting a transfer locks the file briefly, and a transfer could not resume meanwhile.
        return try alone {
            guard let folder = try? incoming.folder(name),
                let data = try? folder.openFile(PartialFile.dataName, O_RDONLY),
                (try? data.size()) == entry.size
            else { return .none }
            return isInUse(folder) ? .inUse : .kept(data)
        }
    }

    /// Returns whether a transfer is using the folder of a partial file.
    ///
    /// To be called with the exclusive lock of the store.
    func isInUse(_ folder: Folder) -> Bool {
        do throws(SystemError) {
            return try FileLock(trying: Self.lockName, in: folder, .exclusive) == nil
        } catch {
            // On a read-only disk, nothing arrives.
            return !error.deniesWriting
        }
    }
}
