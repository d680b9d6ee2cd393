import GRDBSQLite
import Glibc
import MapFiles
import PeerStorage
import RegionModel

/// Copies of files whose last changes are in another file beside them, where no program uses them.
extension DatabaseSnapshot {
    /// Copies a database with the file beside it, and lets SQLite complete or undo the changes in the copy.
    ///
    /// - Returns: The copy; nil if another program has changed the files meanwhile.
    static func mend(
        _ source: Source,
        with companion: Companion,
        to name: String,
        in folder: Folder
    ) throws -> Copy? {
        let path = source.realPath + companion.rawValue
        guard let other = try? open(path) else { return nil }
        if companion == .journal { try checkJournal(other, of: source) }
        let hadIndex = source.has(.index)
        let before = (try settledVersion(of: source.file, source.path), try settledVersion(of: other, path))
        for (file, name) in [(source.file, name), (other, name + companion.rawValue)] {
            try RegionStoreError.mapping("written", folder.path(of: name)) {
                try FileCopy.copy(file, to: try folder.createFile(name), size: try file.size())
            }
        }
        // A program that opens a file with a log makes the index.
        guard try (source.version, Version(of: other, path)) == before, source.has(companion),
            source.has(.index) == hadIndex
        else { return nil }
        let largest = try largestSize(of: source, with: companion)
        do {
            let database = try UntrustedDatabase(
                folder.path(of: name),
                .mending,
                called: source.path,
                within: source.work.limits(.thorough(size: largest)),
                isCancelled: source.work.isCancelled
            )
            // The first look into the file mends it, and closing it completes the changes in its log.
            try database.query("SELECT count(*) FROM sqlite_schema")
        }
        let target = try RegionStoreError.mapping("read", folder.path(of: name)) { try folder.openFile(name, O_RDWR) }
        let size = try RegionStoreError.mapping("read", source.path) { try target.size() }
        let isLeft = try RegionStoreError.mapping("read", source.path) {
            try folder.contains(name + companion.rawValue)
        }
        guard !isLeft, size <= largest else { throw damagedCompanion(source, companion) }
        if companion == .log { try leaveWAL(target, folder.path(of: name)) }
        return (target, nil)
    }

    /// Removes a copy and the files beside it.
    static func removeCopy(_ name: String, from folder: Folder) throws {
        try RegionStoreError.mapping("removed", folder.path(of: name)) {
            for suffix in [""] + Companion.allCases.map(\.rawValue) { try folder.removeFile(name + suffix) }
        }
    }

    /// Returns whether SQLite could not read a file because it would have to write first.
    static func needsWriting(_ error: RegionStoreError) -> Bool {
        guard let failure = error.cause as? UntrustedDatabase.Failure else { return false }
        return [SQLITE_CANTOPEN, SQLITE_READONLY].contains(failure.code & 0xFF)
    }

    /// The largest size that a database can have after its changes were completed or undone.
    static func largestSize(of source: Source, with companion: Companion) throws -> UInt64 {
        let size = try source.version.size
        return size + (FileStatus(path: source.realPath + companion.rawValue)?.size ?? 0)
    }

    static func damagedCompanion(_ source: Source, _ companion: Companion) -> RegionStoreError {
        RegionStoreError(
            .invalidFile,
            "\(source.path) is damaged: the file \(source.path)\(companion.rawValue) does not belong to it.",
            remedy: "Get a new copy of both files."
        )
    }

    /// Checks that a journal concerns one database only.
    ///
    /// The end of a journal can name a file that SQLite deletes when it has undone the changes. The journal's author could
    /// choose that file. (SQLite's file format, section 3.)
    private static func checkJournal(_ journal: OpenFile, of source: Source) throws {
        let path = source.path + Companion.journal.rawValue
        let end = try RegionStoreError.mapping("read", path) {
            let (size, count) = (try journal.size(), journalMark.count)
            return size < UInt64(count) ? [] : try journal.bytes(count, at: size - UInt64(count))
        }
        guard end != journalMark else {
            throw RegionStoreError(
                .invalidFile,
                "\(source.path) was being changed together with other files when the program that wrote it was stopped.",
                remedy: "Open and close it once in the program that created it, then try again."
            )
        }
    }

    /// The bytes with which a journal begins, and ends if it names another file.
    private static let journalMark: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
}
