package import FoundationEssentials
import Glibc
package import PeerProtocol
import PeerStorage

/// A file that has begun to arrive and is not whole.
package struct IncomingFile: Hashable, Sendable {
    /// The digest that the whole file has.
    package var digest: ContentDigest
    /// The region that it came with.
    package var regionID: UUID
    /// What the sender called the region; must be escaped before it is shown.
    package var regionName: String
    /// What it is.
    package var kind: ResourceKind
    /// The size of the whole file, in bytes.
    package var size: UInt64
    /// About how many bytes of it are here; which of them are good is found out when the rest arrives.
    package var byteCount: UInt64
    /// When the last of it came.
    package var lastArrival: Date
    /// Whether a transfer is at it now.
    package var isArriving: Bool
}

extension RegionStore {
    /// The files that have begun to arrive and are not whole, the latest first.
    ///
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/storage`` if the store cannot be read.
    package func incomingFiles() throws -> [IncomingFile] {
        // Alone: to see who is at a file is to lock it for a moment, in which a transfer could not begin to go on with it.
        try folders.alone {
            let names = try RegionStoreError.mapping("read", "The store") { () throws(SystemError) in
                try folders.incoming.names()
            }
            return names.compactMap(incomingFile).sorted { $0.lastArrival > $1.lastArrival }
        }
    }

    /// Removes what has arrived of a file.
    ///
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/conflict`` if a transfer is at it now.
    package func discard(_ file: IncomingFile) throws {
        let isRemoved = try folders.withSharedLock {
            try RegionStoreError.mapping(
                "removed",
                "The received part of “\(file.regionName)”",
                remove(PartialFile.name(file.digest, size: file.size))
            )
        }
        guard isRemoved else {
            throw RegionStoreError(
                .conflict,
                "“\(file.regionName)” is already being received in another window or program.",
                remedy: "Stop that transfer first."
            )
        }
    }

    /// Removes an unfinished file; false if a transfer is at it.
    private func remove(_ name: String) -> () throws(SystemError) -> Bool {
        { () throws(SystemError) in
            let folder: Folder
            do throws(SystemError) {
                folder = try folders.incoming.folder(name)
            } catch  where error.number == ENOENT {
                return true
            }
            guard let lock = try FileLock(trying: StoreFolders.lockName, in: folder, .exclusive) else { return false }
            defer { withExtendedLifetime(lock) {} }
            try folders.incoming.removeFolder(name)
            return true
        }
    }

    private func incomingFile(_ name: String) -> IncomingFile? {
        guard let digest = PartialFile.digest(inName: name), let folder = try? folders.incoming.folder(name),
            let note = PartialFile.note(in: folder),
            let kind = ResourceKind(rawValue: note.kind),
            let status = try? folder.openFile(PartialFile.dataName, O_RDONLY).status()
        else { return nil }
        return IncomingFile(
            digest: digest,
            regionID: note.regionID,
            regionName: note.regionName,
            kind: kind,
            size: note.size,
            byteCount: min(status.allocatedSize, note.size),
            lastArrival: Date(timeIntervalSince1970: TimeInterval(status.modifiedAt)),
            isArriving: (try? FileLock(trying: StoreFolders.lockName, in: folder, .exclusive)) == nil
        )
    }
}
