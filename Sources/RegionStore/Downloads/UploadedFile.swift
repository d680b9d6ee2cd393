import FoundationEssentials
import Glibc
package import PeerStorage

/// A file that another program sends, on the disk of the store.
///
/// It is removed with the object. After a crash it is removed with the folder of the offer.
package final class UploadedFile: Sendable {
    /// The open file.
    package let file: OpenFile
    /// The path at which it can be imported.
    package let path: String
    private let folder: Folder
    private let name: String

    fileprivate init(in folder: Folder) throws(SystemError) {
        name = "upload-" + UUID().uuidString
        file = try folder.createFile(name)
        path = folder.path(of: name)
        self.folder = folder
    }

    deinit {
        try? folder.removeFile(name)
    }
}

extension RegionDownloads {
    /// Creates an empty file for what another program sends.
    package func uploadedFile() throws(SystemError) -> UploadedFile {
        try UploadedFile(in: source.workspace.folder)
    }

    /// Returns the number of bytes that files of others may take of the disk.
    package func spaceForUploads() throws(SystemError) -> UInt64 {
        let (available, total) = try source.workspace.folder.space()
        return available - min(available, DiskReserve.size(ofDiskWith: total))
    }
}
