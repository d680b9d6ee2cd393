/// The format of a map's tiles.
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum TileFormat: String, Hashable, Sendable, Codable, CaseIterable {
    /// PNG images.
    case png
    /// JPEG images.
    case jpg
    /// WebP images.
    case webp
    /// Vector tiles.
    case pbf

    /// Detects the format of a tile by its first bytes; nil if it is unknown.
    init?(tileBeginningWith bytes: [UInt8]) {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
            self = .png
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpg
        } else if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) {
            self = .webp
        } else if bytes.starts(with: [0x1F, 0x8B]) || Self.isZlib(bytes) || bytes.first == 0x1A {
            // Vector tiles are usually compressed. An uncompressed one begins with its first layer, field 3.
            self = .pbf
        } else {
            return nil
        }
    }

    /// Returns whether data begin like a zlib stream of any compression level, without a dictionary. (RFC 1950, section 2.2.)
    private static func isZlib(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 2, bytes[0] == 0x78 else { return false }
        return (Int(bytes[0]) << 8 | Int(bytes[1])).isMultiple(of: 31) && bytes[1] & 0x20 == 0
    }

    /// Reads the `format` key of a map's metadata; nil if it is unknown.
    init?(metadata text: String) {
        switch text.lowercased() {
        case "png", "png8", "png24", "png32", "png256", "image/png": self = .png
        case "jpg", "jpeg", "image/jpeg": self = .jpg
        case "webp", "image/webp": self = .webp
        case "pbf", "mvt", "application/x-protobuf", "application/vnd.mapbox-vector-tile": self = .pbf
        default: return nil
        }
    }
}
