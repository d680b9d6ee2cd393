import Glibc
package import PeerProtocol

/// The received part of a file, which is kept until the file is complete.
///
/// No record says which chunks have arrived: each chunk is hashed again before it counts. One transfer uses the part at a time,
/// until this object is released.
package final class ReceivedPart: Sendable {
    /// The name of the file with the bytes.
    package static let dataName = "data"
    /// The name of the mark that shows since when the part has been considered old.
    package static let expiryName = "expiry"
    private static let noteName = "note.json"
    private static let maximumNoteLength = 64 * 1024

    /// The folder of the part.
    package let folder: Folder
    /// The bytes.
    package let data: OpenFile
    /// Whether there were bytes before this transfer.
    package let wasBegun: Bool

    private let name: String
    private let parent: Folder
    private let lock: FileLock
    private let hasNote: Bool

    /// Opens the part in a folder, or creates it; nil if another transfer is using it.
    init?(_ name: String, in parent: Folder, isForPeople: Bool, note: [UInt8]?) throws(SystemError) {
        self.name = name
        self.parent = parent
        folder = try parent.makingFolder(name)
        guard let lock = try FileLock(trying: FileLock.name, in: folder, .exclusive) else { return nil }
        self.lock = lock
        // As for any new file of the application, the umask decides who may read it.
        let mode: UInt32 = isForPeople ? 0o666 : 0o600
        let found = try folder.openFile(Self.dataName, O_RDWR | O_CREAT | O_NONBLOCK, mode: mode)
        let status = try found.status()
        guard status.kind == .regular else { throw SystemError(number: EINVAL) }
        // A crash happened after the file got its final name. By now, a person may have changed the file.
        let isPlaced = isForPeople && status.linkCount > 1
        if isPlaced { try folder.removeFile(Self.dataName) }
        data = try isPlaced ? folder.createFile(Self.dataName, mode: mode) : found
        wasBegun = !isPlaced && status.size > 0
        hasNote = note != nil
        // A power cut may have removed the note but not the bytes.
        if let note, Self.note(in: folder) != note {
            try folder.removeFile(Self.noteName)
            try folder.createFile(Self.noteName).write(note)
        }
    }

    /// Returns the note of the application in the folder of a part; nil if there is none.
    package static func note(in folder: Folder) -> [UInt8]? {
        try? folder.openFile(noteName, O_RDONLY | O_NONBLOCK).prefix(maximumNoteLength)
    }

    /// Synchronises the part to the disk.
    package func synchronize() throws(SystemError) {
        try data.synchronize()
        if hasNote { try folder.openFile(Self.noteName, O_RDONLY).synchronize() }
        try folder.synchronize()
    }

    /// Removes the part.
    package func remove() {
        // Errors are ignored: what stays is used by the next transfer of the file, or expires.
        try? parent.removeFolder(name)
    }
}

extension FileDigester {
    /// Returns the chunks of a resource with a layout and digests that its received part does not have.
    package func missingChunks(
        of layout: ChunkLayout,
        _ digests: [ContentDigest],
        in file: OpenFile
    ) throws(SystemError) -> ChunkRuns {
        guard digests.count == layout.chunkCount, try file.size() == layout.size else { return layout.allChunks }
        let found = try digest(file, layout).chunkDigests
        return layout.chunks { found[$0] != digests[$0] }
    }
}
