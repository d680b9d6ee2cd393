package import FoundationEssentials
package import PeerProtocol

/// A file in a list, as a device describes it.
package struct LocalSendFile: Hashable, Sendable {
    /// Its id in the list: 1 to 256 printable ASCII characters.
    package var id: String
    /// Its name without folders, in one line of 1 to 1,000 bytes.
    ///
    /// It is shown, and never the name of a file here.
    package var name: String
    /// Its size, in bytes.
    package var size: UInt64
    /// Its media type; `application/octet-stream` if the device states none.
    package var type: String
    /// Its digest; nil if the device states none.
    package var sha256: ContentDigest?
    /// The text of a message.
    package var preview: String?
    /// When it was last modified; nil if the device does not say.
    package var modified: Date?

    /// Creates a description; nil if the id or the name cannot be one.
    package init?(
        id: String,
        name: String,
        size: UInt64,
        type: String = Self.unknownType,
        sha256: ContentDigest? = nil,
        preview: String? = nil,
        modified: Date? = nil
    ) {
        guard LocalSendText.isID(id), let name = LocalSendText.fileName(name), size <= LocalSendLimits.fileSize else {
            return nil
        }
        (self.id, self.name, self.size, self.type) = (id, name, size, type)
        (self.sha256, self.preview, self.modified) = (sha256, preview, modified)
    }

    /// The media type of any bytes.
    package static let unknownType = "application/octet-stream"

    /// Whether it is text of any kind.
    package var isText: Bool { type.hasPrefix("text/") }

    var wire: Wire {
        Wire(
            id: id,
            fileName: name,
            size: size,
            fileType: type,
            sha256: sha256?.hex,
            preview: preview,
            metadata: modified.map { Wire.Metadata(modified: $0.formatted(.iso8601)) }
        )
    }

    /// The JSON of a file.
    struct Wire: Encodable {
        struct Metadata: Encodable {
            var modified: String
        }

        var id: String
        var fileName: String
        var size: UInt64
        var fileType: String
        var sha256: String?
        var preview: String?
        var metadata: Metadata?
    }
}
