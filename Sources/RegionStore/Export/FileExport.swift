import FoundationEssentials
import Glibc
import PeerStorage

/// Writes files that get their names only when they are complete, and that never replace other files.
enum FileExport {
    /// Creates a file.
    ///
    /// `body` writes its content under a temporary name.
    ///
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/conflict`` if the path exists.
    static func write(
        to path: String,
        _ faults: (any FaultInjector)? = nil,
        _ body: (OpenFile) throws(SystemError) -> Void
    ) throws(RegionStoreError) {
        let parent = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        let name = String(path[parent.endIndex...])
        guard !name.isEmpty else {
            throw RegionStoreError(.invalidArgument, "“\(path)” is not a file name.")
        }
        do throws(SystemError) {
            let folder = try Folder(parent.isEmpty ? "." : String(parent), faults)
            guard try !folder.contains(name) else { throw SystemError(number: EEXIST) }
            let temporary = ".export-" + UUID().uuidString
            let file = try folder.createFile(temporary, mode: 0o666)
            do throws(SystemError) {
                try body(file)
                try file.synchronize()
                try folder.moveHere(temporary, from: folder, as: name)
                try folder.synchronize()
            } catch {
                try? folder.removeFile(temporary)
                throw error
            }
        } catch  where error.number == EEXIST {
            throw RegionStoreError(
                .conflict,
                "\(path) already exists, and existing files are never overwritten.",
                remedy: "Choose another name or folder, or move the file.",
                cause: error
            )
        } catch {
            throw .storage("written", path, error)
        }
    }
}
