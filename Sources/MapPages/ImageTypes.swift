internal import RegionStore

/// An image of one transparent point.
enum EmptyImage {
    static let contentType = "image/gif"

    static let bytes: [UInt8] = [
        0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 0x01, 0x00, 0x01, 0x00, 0x80, 0x00, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF,
        0xFF,
        0x21, 0xF9, 0x04, 0x01, 0x00, 0x00, 0x00, 0x00, 0x2C, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x01, 0x00, 0x00,
        0x02,
        0x01, 0x44, 0x00, 0x3B,
    ]
}

extension TileFormat {
    /// The media type of an image; nil for vector tiles.
    var imageType: String? {
        switch self {
        case .png: "image/png"
        case .jpg: "image/jpeg"
        case .webp: "image/webp"
        case .pbf: nil
        }
    }
}

extension PhotoFormat {
    /// The media type, which follows from the bytes of the photo.
    var contentType: String {
        switch self {
        case .jpeg: "image/jpeg"
        case .png: "image/png"
        case .webp: "image/webp"
        case .heif: "image/heif"
        }
    }
}
