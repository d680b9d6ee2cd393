import FoundationEssentials
import Glibc

/// A file that appears under its name only when it is complete, and never in the place of another.
enum FileExport {
    /// Writes a file with `body`, which is given the open file under a name for the meantime.
    ///
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/conflict`` if there is something of that name.
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
            let temporary = ".hikeshare-" + UUID().uuidString
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
