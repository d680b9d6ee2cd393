import Glibc
package import MapFiles
import PeerStorage
import RegionModel

extension UntrustedFile {
    /// Reads a photo archive like a reception, and writes it again into a new file of the same folder.
    ///
    /// - Throws: `RegionStoreError` if the archive is not acceptable.
    package static func rewritePhotos(in folder: String, from name: String, to newName: String) throws {
        try RegionStoreError.mapping("read", name) { () throws(SystemError) in try Folder(folder) }.rewritePhotos(
            from: name,
            to: newName
        )
    }
}

extension Folder {
    fileprivate func rewritePhotos(from name: String, to newName: String) throws {
        let file = try openFile(name, O_RDONLY)
        var writer = PhotoArchive.Writer(to: try createFile(newName))
        for entry in try PhotoArchive.entries(of: file, size: try file.size(), called: name) {
            let data = try PhotoArchive.photo(entry, of: file, called: name)
            try writer.append(data, of: entry.waypointID, modifiedAt: entry.modifiedAt)
        }
    }
}
