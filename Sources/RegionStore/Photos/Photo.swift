public import FoundationEssentials
import Glibc
package import MapFiles
import PeerStorage
import RegionModel

/// The description of a waypoint's photo.
///
/// ```swift
/// for photo in try store.photos(of: region.id) { print("\(photo.format.rawValue), \(photo.size) bytes") }
/// ```
public struct Photo: Hashable, Sendable {
    /// The waypoint to which the photo belongs.
    ///
    /// A waypoint has at most one photo.
    public var waypointID: UUID

    /// The time at which the photo was added or replaced, in whole seconds.
    public var modifiedAt: Date

    /// The format.
    public var format: PhotoFormat

    /// The size, from 1 byte to 16 MiB.
    public var size: Int

    /// The maximum size of a photo, in bytes.
    package static let maximumSize = 16 << 20
}

extension UntrustedFile {
    /// Reads a photo archive like a reception, and writes it again into a new file of the same folder.
    ///
    /// - Throws: `RegionStoreError` if the archive is not acceptable.
    package static func rewritePhotos(in folder: String, from name: String, to newName: String) throws {
        try RegionStoreError.mapping("read", name) { try Folder(folder) }.rewritePhotos(
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
