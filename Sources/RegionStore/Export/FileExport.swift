import FoundationEssentials
import Glibc
import PeerStorage
import RegionModel

/// Writes files that get their names only when they are complete, and that never replace other files.
enum FileExport {
    /// Creates a file.
    ///
    /// `body` writes its content. Until it is complete, the file has no name, so nothing of it stays if the process is killed. On a
    /// file system that has no files without names, it has a temporary name beside the path.
    ///
    /// - Parameters:
    ///   - needsName: Whether `body` opens the file by the path of its argument, which then always has a temporary name.
    ///   - faults: Sees the system calls; nil outside of tests.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.conflict` if the path exists; or the error of `body`, after
    ///   which there is no file.
    static func write(
        to path: String,
        needsName: Bool = false,
        _ faults: (any FaultInjector)? = nil,
        _ body: (OpenFile) throws -> Void
    ) throws {
        let parent = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        let name = String(path[parent.endIndex...])
        guard !name.isEmpty else {
            throw RegionStoreError(.invalidArgument, "“\(path)” is not a file name.")
        }
        let folder: Folder
        do throws(SystemError) {
            folder = try Folder(parent.isEmpty ? "." : String(parent), faults)
        } catch  where error.number == ENOENT {
            throw RegionStoreError(
                .storage,
                "\(path) cannot be written: the folder \(parent.dropLast()) does not exist.",
                remedy: "Create the folder first, or choose another one.",
                cause: error
            )
        } catch {
            throw RegionStoreError.storage("written", path, error)
        }
        do {
            guard try !folder.contains(name) else { throw SystemError(number: EEXIST) }
            if !needsName, let file = try folder.createUnnamedFile(mode: 0o666) {
                try body(file)
                try file.synchronize()
                try give(name, to: file, in: folder, path)
            } else {
                try writeNamed(name, in: folder, path, body)
            }
            try folder.synchronize()
        } catch let error as SystemError where error.number == EEXIST {
            throw RegionStoreError(
                .conflict,
                "\(path) already exists, and existing files are never overwritten.",
                remedy: "Choose another name or folder, or move the file.",
                cause: error
            )
        } catch let error as SystemError {
            throw RegionStoreError.storage("written", path, error)
        }
    }

    private static func give(_ name: String, to file: OpenFile, in folder: Folder, _ target: String) throws {
        do {
            try UnfinishedFiles.naming(target) { try folder.link(file, as: name) }
        } catch let error as SystemError where error.hasNoLinks || error.number == ENOENT {
            // Some systems do not let a process name such a file.
            try writeNamed(name, in: folder, target) { try FileCopy.copy(file, to: $0, size: try file.size()) }
        }
    }

    private static func writeNamed(
        _ name: String,
        in folder: Folder,
        _ target: String,
        _ body: (OpenFile) throws -> Void
    ) throws {
        let temporary = ".export-" + UUID().uuidString
        let path = folder.path(of: temporary)
        defer { UnfinishedFiles.finish([path]) }
        let file = try UnfinishedFiles.creating(path) { try folder.createFile(temporary, mode: 0o666) }
        do {
            try body(file)
            try file.synchronize()
            try UnfinishedFiles.naming(target) { try folder.moveHere(temporary, from: folder, as: name) }
        } catch {
            try? folder.removeFile(temporary)
            throw error
        }
    }
}

/// A file that gets its name only when it is complete.
package enum NewFile {
    /// Creates a file from pieces.
    ///
    /// - Parameter body: Writes the content, by calling its argument with one piece after the other.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.conflict` if the path exists; or the error of `body`, after
    ///   which there is no file.
    package static func write(
        to path: String,
        _ body: (_ append: (_ piece: [UInt8]) throws -> Void) throws -> Void
    ) throws {
        try FileExport.write(to: path) { file in
            var offset: UInt64 = 0
            try body { piece in
                try file.write(piece, at: offset)
                offset += UInt64(piece.count)
            }
        }
    }
}
