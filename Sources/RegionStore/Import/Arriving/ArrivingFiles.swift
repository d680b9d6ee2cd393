import FoundationEssentials
import Glibc
import MapFiles
package import PeerStorage
import RegionModel
import Synchronization

/// The files that a program sends to be imported.
///
/// They come as one sequence of bytes, each file after the one before it. They are in a folder of the store, with their names and
/// their folders, which is removed with the object; after a crash it is removed when the store is next opened. The import takes them
/// from there without a copy.
package final class ArrivingFiles: Sendable {
    /// The maximum number of files.
    package static let maximumCount = 20_000
    /// The maximum number of folders that they are in.
    static let maximumFolderCount = 20_000
    /// The maximum length of a piece of the sequence, in bytes.
    package static let maximumBlockLength = 8 << 20

    /// What has been written.
    private struct Progress {
        var length: UInt64 = 0
        /// The index of the file that comes next, or of which a part is there.
        var index = 0
        /// The open file of which a part is there; nil before its first byte.
        var file: OpenFile?
        /// The number of bytes of that file that are there.
        var fileLength: UInt64 = 0
        var lastUse = ContinuousClock.now
    }

    /// The name by which the sender finds the files again.
    package let id = UUID().uuidString
    package let files: [ArrivingFile]
    /// The size of all files, in bytes.
    package let size: UInt64
    /// The number of bytes that are there, each time there are more; it ends when the files are complete, or cannot be written.
    package let lengths: AsyncThrowingStream<UInt64, any Error>
    private let continuation: AsyncThrowingStream<UInt64, any Error>.Continuation
    private let workspace: StoreWorkspace
    private let progress = Mutex(Progress())

    /// The path of the folder that the files are in.
    let folder: String

    fileprivate init(_ files: [ArrivingFile], size: UInt64, in workspace: StoreWorkspace) throws {
        (self.files, self.size, self.workspace) = (files, size, workspace)
        folder = workspace.folder.path(of: "files")
        (lengths, continuation) = AsyncThrowingStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        try RegionStoreError.mapping("written", "The store") { () throws(SystemError) in
            try Folder.make(folder, workspace.folder.faults)
            // Folders that are given often come before their files, and hold thousands of them.
            for path in Set(files.flatMap(\.folders)).sorted() { try Folder.make(self.path(of: path), nil) }
        }
        try progress.withLock { try finishFiles(&$0) }
    }

    /// The number of bytes that are there.
    package var length: UInt64 { progress.withLock { $0.length } }

    /// How long nothing has come.
    package var idleTime: Duration { progress.withLock { .now - $0.lastUse } }

    /// The names of the files and folders that were given, in their order, without the logs of databases.
    package var paths: [String] {
        var known: Set<String> = []
        let names = files.compactMap(\.names.first).filter { known.insert($0).inserted }
        return names.filter { name in
            !DatabaseSnapshot.Companion.allCases.contains { companion in
                name.hasSuffix(companion.rawValue) && known.contains(String(name.dropLast(companion.rawValue.count)))
            }
        }
    }

    /// Adds a piece of the sequence.
    ///
    /// - Returns: Whether it was expected: it is the next one, and no longer than what is missing.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.storage` if it cannot be written; then no other piece is expected.
    package func add(_ block: OpenFile, at offset: UInt64) throws -> Bool {
        try progress.withLock { progress in
            let length = try RegionStoreError.mapping("read", "What was sent") { try block.size() }
            guard offset == progress.length, length > 0, length <= size - progress.length else { return false }
            try ending { try write(block, length, &progress) }
            progress.lastUse = .now
            continuation.yield(progress.length)
            if progress.length == size { continuation.finish() }
            return true
        }
    }

    /// Checks that the disk has room for a piece of the sequence, before it comes.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.storage`; then no other piece is expected.
    package func checkRoom(for length: Int) throws {
        try ending {
            let space = try RegionStoreError.mapping("written", "The store") { try workspace.folder.space() }
            // It is in a file of its own at first.
            let need = UInt64(clamping: 2 * max(0, length))
            try DiskSpace.check(need, of: space, remedy: "Free some space and add the files again.")
        }
    }

    /// Does something, and ends at an error.
    private func ending(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            continuation.finish(throwing: error)
            throw error
        }
    }

    private func write(_ block: OpenFile, _ length: UInt64, _ progress: inout Progress) throws {
        let bufferLength: UInt64 = 256 << 10
        var done: UInt64 = 0
        while done < length {
            let missing = files[progress.index].size - progress.fileLength
            let count = Int(min(bufferLength, length - done, missing))
            try RegionStoreError.mapping("written", files[progress.index].path) { () throws(SystemError) in
                let bytes = try block.bytes(count, at: done)
                guard !bytes.isEmpty else { throw SystemError(number: EIO) }
                let file: OpenFile
                if let open = progress.file { file = open } else { file = try makeFile(progress.index) }
                progress.file = file
                try file.write(bytes, at: progress.fileLength)
                done += UInt64(bytes.count)
                progress.fileLength += UInt64(bytes.count)
                progress.length += UInt64(bytes.count)
            }
            try finishFiles(&progress)
        }
    }

    /// Closes a file that is complete, and makes the empty ones after it.
    private func finishFiles(_ progress: inout Progress) throws {
        while progress.index < files.count, progress.fileLength == files[progress.index].size {
            if progress.file == nil {
                try RegionStoreError.mapping("written", files[progress.index].path) { () throws(SystemError) in
                    progress.file = try makeFile(progress.index)
                }
            }
            (progress.file, progress.fileLength) = (nil, 0)
            progress.index += 1
        }
        if progress.index == files.count, progress.length == 0 { continuation.finish() }
    }

    private func makeFile(_ index: Int) throws(SystemError) -> OpenFile {
        let path = path(of: files[index].path)
        return try OpenFile(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, workspace.folder.faults)
    }

    private func path(of path: String) -> String { folder + "/" + path }
}

extension RegionStore {
    /// Prepares for files that a program sends to be imported.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.invalidArgument` if there are too many of them or of their
    ///   folders, or if two have one name; with `RegionStoreError.Code.storage` if the disk has no room for them.
    package func arrivingFiles(_ files: [ArrivingFile]) throws -> ArrivingFiles {
        guard files.count <= ArrivingFiles.maximumCount else {
            throw RegionStoreError(
                .invalidArgument,
                "These are \(files.count) files; \(ArrivingFiles.maximumCount) can be added at once.",
                remedy: "Add a folder that has your maps only."
            )
        }
        let folders = try folders(of: files)
        var known: Set<String> = folders
        if let twice = files.first(where: { !known.insert($0.path).inserted }) {
            throw RegionStoreError(
                .invalidArgument,
                "Two of the files are called “\(twice.path)”.",
                remedy: "Add one after the other."
            )
        }
        var size: UInt64 = 0
        for file in files {
            let (sum, isTooLarge) = size.addingReportingOverflow(file.size)
            size = isTooLarge ? .max : sum
        }
        let workspace = try importWorkspace()
        let space = try RegionStoreError.mapping("written", path) { try workspace.folder.space() }
        guard size < 1 << 60 else { throw RegionStoreError(.invalidArgument, "The files are too large.") }
        try DiskSpace.check(size, of: space, remedy: "Free some space and add the files again.")
        return try ArrivingFiles(files, size: size, in: workspace)
    }

    /// Returns the paths of all folders, which are made before the first byte comes.
    private func folders(of files: [ArrivingFile]) throws -> Set<String> {
        var folders: Set<String> = []
        for file in files {
            folders.formUnion(file.folders)
            guard folders.count <= ArrivingFiles.maximumFolderCount else {
                throw RegionStoreError(
                    .invalidArgument,
                    "These files are in more than \(ArrivingFiles.maximumFolderCount) folders.",
                    remedy: "Add a folder that has your maps only."
                )
            }
        }
        return folders
    }
}
