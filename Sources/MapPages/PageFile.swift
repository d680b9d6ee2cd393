internal import FoundationEssentials
internal import Glibc
internal import PeerStorage
internal import RegionStore
internal import WebServer

/// A part of a page that is written to a file, because it may be large; once as it is, and once compressed.
final class PageFile: Sendable {
    private let plain: OpenFile
    private let compressed: OpenFile
    private let contentType: String
    private let tag = UUID().uuidString

    /// Writes the files.
    ///
    /// - Parameters:
    ///   - contentType: The media type.
    ///   - makeFile: Creates an empty file.
    ///   - body: Calls its argument with one piece after the other.
    /// - Throws: The error of a file or of `body`.
    init(
        as contentType: String,
        in makeFile: () throws -> OpenFile,
        _ body: (_ append: @escaping ([UInt8]) throws -> Void) throws -> Void
    ) throws {
        self.contentType = contentType
        let files = (try makeFile(), try makeFile())
        (plain, compressed) = files
        let writer = Writer(plain: files.0, compressed: files.1)
        try body { try writer.append($0) }
        try writer.finish()
    }

    /// Returns the answer with the content.
    func response(takesGzip: Bool) throws -> WebResponse {
        let file = takesGzip ? compressed : plain
        return WebResponse(
            WebFile(
                taking: try file.duplicate(),
                name: nil,
                contentType: contentType,
                size: try file.size(),
                encoding: takesGzip ? "gzip" : nil,
                entityTag: takesGzip ? tag + "-gzip" : tag
            )
        )
    }

    /// Writes both files, in pieces that are not small.
    private final class Writer {
        private static let pieceLength = 64 * 1024

        private let plain: OpenFile
        private let compressed: OpenFile
        private let gzip = Gzip()
        private var pending: [UInt8] = []
        private var plainLength: UInt64 = 0
        private var compressedLength: UInt64 = 0

        init(plain: OpenFile, compressed: OpenFile) {
            self.plain = plain
            self.compressed = compressed
        }

        func append(_ bytes: [UInt8]) throws {
            pending += bytes
            if pending.count >= Self.pieceLength { try flush(isLast: false) }
        }

        func finish() throws {
            try flush(isLast: true)
        }

        private func flush(isLast: Bool) throws {
            guard let smaller = gzip.compress(pending, isLast: isLast) else { throw SystemError(number: ENOMEM) }
            try plain.write(pending, at: plainLength)
            try compressed.write(smaller, at: compressedLength)
            plainLength += UInt64(pending.count)
            compressedLength += UInt64(smaller.count)
            pending.removeAll(keepingCapacity: true)
        }
    }
}

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

    /// The name of the format in the data of a page.
    var dataType: String {
        self == .jpg ? "jpeg" : rawValue
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
