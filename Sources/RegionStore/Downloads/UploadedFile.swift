import FoundationEssentials
import Glibc
package import PeerStorage

/// A file that another program sends, on the disk of the store.
///
/// It is removed with the object. After a crash it is removed with the folder of the offer or of the import.
package final class UploadedFile: Sendable {
    package let file: OpenFile
    /// The path at which it can be imported.
    package let path: String
    private let folder: Folder
    private let name: String

    init(in folder: Folder) throws(SystemError) {
        name = "upload-" + UUID().uuidString
        file = try folder.createFile(name)
        path = folder.path(of: name)
        self.folder = folder
    }

    deinit { try? folder.removeFile(name) }
}
