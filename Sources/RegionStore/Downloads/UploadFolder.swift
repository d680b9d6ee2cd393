package import PeerStorage

/// A folder of the store for what other programs send, which is removed with the object.
package final class UploadFolder: Sendable {
    private let workspace: StoreWorkspace

    fileprivate init(_ workspace: StoreWorkspace) { self.workspace = workspace }

    /// Creates an empty file.
    package func file() throws(SystemError) -> UploadedFile { try UploadedFile(in: workspace.folder) }

    /// Creates an empty file without a name, which is gone when it is closed.
    package func temporaryFile() throws(SystemError) -> OpenFile { try workspace.folder.temporaryFile() }

    /// Returns the number of bytes that files of others may take of the disk.
    package func space() throws(SystemError) -> UInt64 {
        let (available, total) = try workspace.folder.space()
        return available - min(available, DiskReserve.size(ofDiskWith: total))
    }
}

extension RegionStore {
    /// Creates a folder for what other programs send.
    package func uploadFolder() throws -> UploadFolder { UploadFolder(try importWorkspace()) }
}

extension RegionDownloads {
    /// Creates an empty file for what another program sends.
    package func uploadedFile() throws(SystemError) -> UploadedFile { try UploadFolder(source.workspace).file() }

    /// Returns the number of bytes that files of others may take of the disk.
    package func spaceForUploads() throws(SystemError) -> UInt64 { try UploadFolder(source.workspace).space() }
}
