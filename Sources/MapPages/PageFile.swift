internal import FoundationEssentials
internal import Glibc
internal import PeerStorage
internal import WebServer

/// A part of a page that is written to a file, because it may be large; once as it is, and once compressed.
final class PageFile: Sendable {
    private let plain: OpenFile
    private let compressed: OpenFile
    private let contentType: String
    private let tag = UUID().uuidString

    /// Writes the files; `body` calls its argument with the bytes, some at a time.
    init(
        as contentType: String,
        in makeFile: () throws -> OpenFile,
        _ body: (_ append: @escaping ([UInt8]) throws -> Void) throws -> Void
    ) throws {
        self.contentType = contentType
        (plain, compressed) = (try makeFile(), try makeFile())
        let writer = Writer(plain, compressed)
        try body { try writer.append($0) }
        try writer.flush(isLast: true)
    }

    func response(takesGzip: Bool) throws -> WebResponse {
        let file = takesGzip ? compressed : plain
        let entityTag = takesGzip ? tag + "-gzip" : tag
        let content = WebFile(taking: try file.duplicate(), size: try file.size(), entityTag: entityTag)
        var response = WebResponse(content, as: contentType)
        response.encoding = takesGzip ? "gzip" : nil
        return response
    }

    /// Writes both files, not too few bytes at a time.
    private final class Writer {
        private static let flushLength = 64 * 1024
        private let plain: OpenFile
        private let compressed: OpenFile
        private let gzip = Gzip()
        private var pending: [UInt8] = []
        private var plainLength: UInt64 = 0
        private var compressedLength: UInt64 = 0

        init(_ plain: OpenFile, _ compressed: OpenFile) { (self.plain, self.compressed) = (plain, compressed) }

        func append(_ bytes: [UInt8]) throws {
            pending += bytes
            if pending.count >= Self.flushLength { try flush(isLast: false) }
        }

        func flush(isLast: Bool) throws {
            guard let smaller = gzip.compress(pending, isLast: isLast) else { throw SystemError(number: ENOMEM) }
            try plain.write(pending, at: plainLength)
            try compressed.write(smaller, at: compressedLength)
            plainLength += UInt64(pending.count)
            compressedLength += UInt64(smaller.count)
            pending.removeAll(keepingCapacity: true)
        }
    }
}
