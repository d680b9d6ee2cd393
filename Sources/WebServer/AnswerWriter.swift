import Glibc
internal import NIOCore
internal import NIOHTTP1

/// A part of an answer.
enum AnswerPiece: Sendable {
    case head(HTTPResponseHead)
    /// Bytes, and their share of the memory for large answers; nil for a small answer.
    case bytes(ByteBuffer, Budget.Share?)
    /// Bytes of a file, and whether they are the last ones of the answer.
    case piece(Range<UInt64>, of: WebFile, isLast: Bool)
    case end
    /// Closes the connection after all earlier parts.
    case close
}

/// Writes the answers of one connection.
struct AnswerWriter {
    /// The size of the pieces in which answers are written.
    ///
    /// The client must take each piece in time, so a piece must not be too long for a slow Wi-Fi.
    private static let pieceLength: UInt64 = 256 * 1024
    /// The length from which an answer counts against the memory for large answers.
    private static let smallLength = 64 * 1024
    // A shorter answer takes one or two packets in any case.
    /// The length from which an answer is compressed.
    private static let minimumCompressedLength = 1024

    var configuration: WebServer.Configuration
    /// The bytes of large answers that may be in memory.
    var memory: Budget
    var outbound: NIOAsyncChannelOutboundWriter<AnswerPiece>

    /// Writes an answer.
    ///
    /// - Parameters:
    ///   - response: The answer.
    ///   - head: The request.
    ///   - isLast: Whether the connection is closed after it.
    /// - Throws: An error if the connection is lost.
    func write(_ response: WebResponse, to head: HTTPRequestHead, isLast: Bool) async throws {
        if let file = response.file {
            try await write(file, response, to: head, isLast: isLast)
        } else {
            try await writeBody(of: response, to: head, isLast: isLast)
        }
        if isLast { try await outbound.write(.close) }
    }

    /// Writes an answer whose content is in memory.
    private func writeBody(of response: WebResponse, to head: HTTPRequestHead, isLast: Bool) async throws {
        var response = response
        var fields: HTTPHeaders = [:]
        if response.isCompressible {
            fields.add(name: "Vary", value: "Accept-Encoding")
            if response.body.count >= Self.minimumCompressedLength, Gzip.isAccepted(head.headers["accept-encoding"]),
                let compressed = Gzip.compress(response.body)
            {
                response.body = compressed
                fields.add(name: "Content-Encoding", value: "gzip")
            }
        }
        if let encoding = response.encoding { fields.add(name: "Content-Encoding", value: encoding) }
        // A client that does not read keeps its answer in memory, so the sum of all answers is limited.
        var share: Budget.Share?
        if response.body.count > Self.smallLength {
            share = memory.share(response.body.count)
            guard share != nil else {
                let busy = WebResponse(.unavailable, "The laptop is busy. Try again in some seconds.")
                return try await writeBody(of: busy, to: head, isLast: isLast)
            }
        }
        fields.add(name: "Content-Length", value: "\(response.body.count)")
        // Content of the store must not stay in the browser.
        fields.add(name: "Cache-Control", value: "no-store")
        try await begin(response, fields, isLast: isLast)
        if head.method != .HEAD { try await write(response.body, share) }
        try await outbound.write(.end)
    }

    /// Writes a file, or the part that the client asks for.
    private func write(
        _ file: WebFile,
        _ response: WebResponse,
        to head: HTTPRequestHead,
        isLast: Bool
    ) async throws {
        var response = response
        var fields: HTTPHeaders = [
            "ETag": file.quotedTag,
            "Accept-Ranges": "bytes",
            // A browser may keep a download, so that it can resume it. Everything else of the store must not stay in
            // the browser.
            "Cache-Control": file.name == nil ? "no-store" : "private, no-cache",
        ]
        if response.isCompressible { fields.add(name: "Vary", value: "Accept-Encoding") }
        var range: Range<UInt64> = 0..<file.size
        if file.isNamed(in: head.headers["if-none-match"]) {
            response.status = .notModified
            range = 0..<0
        } else {
            switch ByteRange(head.headers["range"], onlyIf: head.headers["if-range"], of: file) {
            case .whole: break
            case .part(let part):
                response.status = .partialContent
                fields.add(name: "Content-Range", value: "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(file.size)")
                range = part
            case .unsatisfiable:
                response.status = .rangeNotSatisfiable
                fields.add(name: "Content-Range", value: "bytes */\(file.size)")
                range = 0..<0
            }
            fields.add(name: "Content-Length", value: "\(range.upperBound - range.lowerBound)")
            if let encoding = file.encoding { fields.add(name: "Content-Encoding", value: encoding) }
            if let name = file.name { fields.add(name: "Content-Disposition", value: Self.disposition(name)) }
        }
        try await begin(response, fields, isLast: isLast)
        if head.method != .HEAD, !range.isEmpty { try await write(range, of: file) }
        try await outbound.write(.end)
    }

    /// Lets a browser save a file under a name (RFC 6266), which may have any characters.
    static func disposition(_ name: String) -> String {
        let ascii = String(name.unicodeScalars.map { Self.isPlain($0) ? Character($0) : "-" })
        let encoded = name.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            return Self.isPlain(scalar)
                ? String(scalar) : "%" + String(0x100 + Int(byte), radix: 16, uppercase: true).dropFirst()
        }
        return "attachment; filename=\"\(ascii)\"; filename*=UTF-8''\(encoded.joined())"
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII
            && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "-_.".unicodeScalars.contains(scalar))
    }

    private func begin(_ response: WebResponse, _ fields: HTTPHeaders, isLast: Bool) async throws {
        let status = HTTPResponseStatus(statusCode: response.status.rawValue)
        var headers: HTTPHeaders = [
            "Content-Type": response.contentType,
            "Date": WebDate.now,
            "Content-Security-Policy": response.contentSecurityPolicy ?? configuration.contentSecurityPolicy,
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Resource-Policy": "same-origin",
        ]
        // Pages for other machines are not encrypted, and there browsers ignore this field and log a warning.
        if configuration.isForOwnUser { headers.add(name: "Cross-Origin-Opener-Policy", value: "same-origin") }
        headers.add(contentsOf: fields)
        if let location = response.location { headers.add(name: "Location", value: location) }
        if response.status == .methodNotAllowed { headers.add(name: "Allow", value: "GET, HEAD") }
        if response.status == .unavailable { headers.add(name: "Retry-After", value: "5") }
        if isLast { headers.add(name: "Connection", value: "close") }
        try await outbound.write(
            .head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))
        )
    }

    /// Writes bytes in pieces with memory of their own, so that the last piece does not keep the whole answer alive.
    private func write(_ bytes: [UInt8], _ share: Budget.Share?) async throws {
        for start in stride(from: 0, to: bytes.count, by: Self.smallLength) {
            let piece = bytes[start..<min(bytes.count, start + Self.smallLength)]
            // All pieces may wait for a late event loop, so each piece holds the share until it has been sent.
            try await outbound.write(.bytes(ByteBuffer(bytes: piece), share))
        }
    }

    /// Writes bytes of a file, which the kernel copies from the file to the network (sendfile(2)).
    private func write(_ range: Range<UInt64>, of file: WebFile) async throws {
        file.begin()
        var position = range.lowerBound
        while position < range.upperBound {
            let limit = UInt64(max(1, file.pace?.pieceLimit ?? .max))
            let end = min(range.upperBound, position + min(limit, Self.pieceLength))
            // A client that asks for many small parts is not served before others.
            let left = file.size - min(file.size, position - range.lowerBound)
            await file.pace?.wait(Int(end - position), left: left)
            let piece = file.start + position..<file.start + end
            try await outbound.write(.piece(piece, of: file, isLast: end == range.upperBound))
            position = end
        }
    }
}

/// Times as fields have them (RFC 9110, section 5.6.7).
enum WebDate {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// This moment, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    static var now: String { text(time(nil)) }

    static func text(_ seconds: time_t) -> String {
        var seconds = seconds
        var parts = tm()
        guard gmtime_r(&seconds, &parts) != nil, days.indices.contains(Int(parts.tm_wday)),
            months.indices.contains(Int(parts.tm_mon))
        else { return "Thu, 01 Jan 1970 00:00:00 GMT" }
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return
            "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(parts.tm_year + 1900) "
            + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
    }
}
