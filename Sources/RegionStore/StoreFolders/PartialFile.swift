import FoundationEssentials
import Glibc
import PeerProtocol
import PeerStorage
import RegionModel

/// The received part of a file, which is kept until the file is complete.
///
/// The folder is named by the digest and the size of the complete file. So any sender can supply the rest, as part of any
/// region, and a false size leads to another folder. No record says which chunks have arrived: each chunk is hashed again
/// before it counts.
final class PartialFile: Sendable {
    static let dataName = "data"
    private static let noteName = "note.json"
    private static let maximumNoteLength = 64 * 1024

    /// The description of the file, stored beside it.
    struct Note: Codable {
        var regionID: UUID
        var regionName: String
        var kind: String
        var size: UInt64
    }

    let folder: Folder
    let data: OpenFile

    /// Whether the file existed before this transfer.
    let wasBegun: Bool

    private let name: String
    private let parent: Folder
    private let lock: FileLock
    private let sync: GradualSync

    /// Opens the received part of a file, or creates it; nil if another transfer is using it, or the file system has no links.
    ///
    /// The file is also linked into a workspace, under the name of its kind. It is synchronised to the disk after every
    /// `syncInterval` bytes.
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
            // Before the size is set, because file systems without links have no sparse files and would write zeros.
            try workspace.linkHere(Self.dataName, from: folder, as: entry.kind.rawValue)
        } catch  where error.hasNoLinks {
            // The received bytes then belong to one transfer only.
            try? parent.removeFolder(name)
            return nil
        }
        wasBegun = try data.size() == entry.size
        sync = GradualSync(every: syncInterval) { [folder] () throws(SystemError) in
            try data.synchronize()
            try folder.openFile(Self.noteName, O_RDONLY).synchronize()
            try folder.synchronize()
        }
        // A power cut may have removed the description but not the file.
        guard !wasBegun || Self.note(in: folder) == nil else { return }
        let note = Note(regionID: region.id, regionName: region.name, kind: entry.kind.rawValue, size: entry.size)
        try folder.removeFile(Self.noteName)
        try folder.createFile(Self.noteName).write(Array((try? JSONEncoder().encode(note)) ?? Data()))
        // Holes use no space, and no chunk of a map has the digest of zeros.
        if !wasBegun { try data.resize(to: entry.size) }
    }

    /// Notes a number of written bytes.
    func wrote(_ count: UInt64) throws(SystemError) {
        try sync.wrote(count)
    }

    /// Waits until no synchronisation is running.
    func finishSync() throws(SystemError) {
        try sync.finish()
    }

    /// The name of the folder of a file.
    static func name(_ digest: ContentDigest, size: UInt64) -> String {
        "\(digest.hex)-\(size)"
    }

    /// Reads the digest in the name of a folder; nil if the folder is not one of a partial file.
    static func digest(inName name: String) -> ContentDigest? {
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, UInt64(parts[1]) != nil else { return nil }
        return ContentDigest(hex: parts[0])
    }

    /// Returns the missing chunks.
    func missingChunks(of entry: ManifestEntry, digests: [ContentDigest]) throws -> ChunkRuns {
        guard wasBegun else { return entry.layout.allChunks }
        return try Self.missingChunks(of: entry, digests: digests, in: data)
    }

    /// Returns the chunks of a file that its received part does not have.
    static func missingChunks(
        of entry: ManifestEntry,
        digests: [ContentDigest],
        in data: OpenFile,
        isStopped: @escaping @Sendable () -> Bool = { false }
    ) throws -> ChunkRuns {
        let name = "The received part of the \(entry.kind.title)"
        let found = try FileDigester(isStopped: isStopped).digest(data, path: name)
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

    /// Removes the partial file.
    func remove() {
        // If this fails, the folder is removed when the store is next opened.
        try? parent.removeFolder(name)
    }

    /// Reads the description of a partial file; nil if it is missing or invalid.
    static func note(in folder: Folder) -> Note? {
        guard let bytes = try? folder.openFile(noteName, O_RDONLY).prefix(maximumNoteLength) else { return nil }
        return try? JSONDecoder().decode(Note.self, from: Data(bytes))
    }
}

extension PartialFile {
    /// The name of the mark that shows since when a partial file has been considered old.
    static let expiryName = "expiry"

    /// The time for which a partial file is kept after the last write, in seconds.
    private static let lifetime = 30 * 86_400

    /// The time for which it is kept after it was marked as old, in seconds.
    private static let grace = 7 * 86_400

    /// The maximum time by which a clock may be ahead, in seconds.
    private static let tolerance = 86_400

    /// Returns whether the partial file in a folder has expired, or does not exist.
    ///
    /// The time of the last write is not enough, because the clock may have been wrong then or may be wrong now. So an old
    /// file is first marked, and expires when the mark is old too.
    static func hasExpired(in folder: Folder, at now: Int = time(nil)) -> Bool {
        guard let status = try? folder.openFile(dataName, O_RDONLY).status() else { return true }
        // A file without received bytes has only holes.
        if status.allocatedSize == 0 { return true }
        let mark = try? folder.openFile(expiryName, O_RDONLY).status()
        if (0...lifetime).contains(age(status.modifiedAt, at: now)) {
            if mark != nil { try? folder.removeFile(expiryName) }
            return false
        }
        if let mark, age(mark.modifiedAt, at: now) >= 0 { return age(mark.modifiedAt, at: now) > grace }
        // There is no mark, or it was written while the clock was ahead.
        try? folder.removeFile(expiryName)
        _ = try? folder.createFile(expiryName)
        return false
    }

    /// Returns the age of a time, in seconds; -1 if it is in the future.
    private static func age(_ time: Int, at now: Int) -> Int {
        let (age, overflow) = now.subtractingReportingOverflow(time)
        if overflow { return time < now ? .max : -1 }
        return age < -tolerance ? -1 : max(0, age)
    }
}
