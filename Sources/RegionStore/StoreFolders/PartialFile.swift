import FoundationEssentials
import Glibc
import PeerProtocol

/// What has arrived of a file: kept from one transfer to the next, until the file is whole.
///
/// Its folder is named by the digest and the size that the whole file has, so that it does not matter who sends the rest,
/// or as part of what; and who claims another size for a digest gets another folder. Nothing records which chunks are
/// there: every one is hashed again before it counts.
final class PartialFile: Sendable {
    static let dataName = "data"
    private static let noteName = "note.json"
    private static let maximumNoteLength = 64 * 1024

    /// What is known of the file without its manifest.
    struct Note: Codable {
        var regionID: UUID
        var regionName: String
        var kind: String
        var size: UInt64
    }

    let folder: Folder
    let data: OpenFile

    /// Whether an earlier transfer left something.
    let wasBegun: Bool

    private let name: String
    private let parent: Folder
    private let lock: FileLock
    private let sync: GradualSync

    /// Opens what is there of a file, or begins it; nil if another transfer is at it, or the file system has no links.
    ///
    /// The file appears in a workspace, too, under the name of its kind. After every `syncInterval` bytes, what has come
    /// is put on the disk.
    init?(
        _ entry: ManifestEntry,
        of region: Region,
        in parent: Folder,
        appearingIn workspace: Folder,
        syncInterval: UInt64 = GradualSync.interval
    ) throws(SystemError) {
        name = Self.name(entry.digest, size: entry.size)
        self.parent = parent
        folder = try parent.makingFolder(name)
        guard let lock = try FileLock(trying: StoreFolders.lockName, in: folder, .exclusive) else { return nil }
        self.lock = lock
        let data = try folder.openFile(Self.dataName, O_RDWR | O_CREAT)
        self.data = data
        do throws(SystemError) {
            // Before it is given its size: file systems without links have no holes either, and would write zeros.
            try workspace.linkHere(Self.dataName, from: folder, as: entry.kind.rawValue)
        } catch  where error.hasNoLinks {
            // What arrives then belongs to one transfer alone.
            try? parent.removeFolder(name)
            return nil
        }
        wasBegun = try data.size() == entry.size
        sync = GradualSync(every: syncInterval) { [folder] () throws(SystemError) in
            try data.synchronize()
            try folder.openFile(Self.noteName, O_RDONLY).synchronize()
            try folder.synchronize()
        }
        // Which region it is of may have been lost in a power cut, without anything else.
        guard !wasBegun || Self.note(in: folder) == nil else { return }
        let note = Note(regionID: region.id, regionName: region.name, kind: entry.kind.rawValue, size: entry.size)
        try folder.removeFile(Self.noteName)
        try folder.createFile(Self.noteName).write(Array((try? JSONEncoder().encode(note)) ?? Data()))
        // Holes take no room, and hash to what no chunk of a map has.
        if !wasBegun { try data.resize(to: entry.size) }
    }

    /// Is told that so many bytes of it were written.
    func wrote(_ count: UInt64) throws(SystemError) {
        try sync.wrote(count)
    }

    /// Returns when none of it is being put on the disk any more.
    func finishSync() throws(SystemError) {
        try sync.finish()
    }

    /// The name of the folder of a file.
    static func name(_ digest: ContentDigest, size: UInt64) -> String {
        "\(digest.hex)-\(size)"
    }

    /// Reads the digest in a folder's name; nil if it is not one of ours.
    static func digest(inName name: String) -> ContentDigest? {
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, UInt64(parts[1]) != nil else { return nil }
        return ContentDigest(hex: parts[0])
    }

    /// Returns the chunks that are not there.
    func missingChunks(of entry: ManifestEntry, digests: [ContentDigest]) throws -> ChunkRuns {
        guard wasBegun else { return entry.layout.allChunks }
        let found = try FileDigester().digest(data, path: "The received part of the \(entry.kind.title)")
        guard found.layout == entry.layout else { return entry.layout.allChunks }
        var missing: [Range<Int>] = []
        for position in digests.indices where found.chunkDigests[position] != digests[position] {
            if let last = missing.last, last.upperBound == position {
                missing[missing.count - 1] = last.lowerBound..<position + 1
            } else {
                missing.append(position..<position + 1)
            }
        }
        return entry.layout.runs(validating: missing) ?? entry.layout.allChunks
    }

    /// Removes it.
    func remove() {
        // What cannot be removed now is collected when the store is opened again.
        try? parent.removeFolder(name)
    }

    /// Reads the note of a partial file; nil if there is none to be read.
    static func note(in folder: Folder) -> Note? {
        guard let bytes = try? folder.openFile(noteName, O_RDONLY).prefix(maximumNoteLength) else { return nil }
        return try? JSONDecoder().decode(Note.self, from: Data(bytes))
    }
}
