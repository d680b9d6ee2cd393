internal import NIOCore
internal import NIOHTTP1
import NIOPosix
internal import Sentences

/// Writes the answers of one connection.
struct AnswerWriter {
    /// What is written of an answer at once.
    enum Step: Sendable {
        case head(HTTPResponseHead)
        /// Bytes, and their share of the memory for large answers; nil for a small answer.
        case bytes(ByteBuffer, Budget.Share?)
        /// Bytes of a file, which have been read if the kernel cannot copy them, and whether they are the last ones of the answer.
        case file(WebFile, Range<UInt64>, ByteBuffer?, isLast: Bool)
        case end
        /// From now on, only the silence of the client is limited, until its request is complete.
        case takes(stallTime: Duration)
        /// Closes the connection after all earlier steps.
        case close
    }

    /// The length of what is written of a file at once, which a client on a slow Wi-Fi must be able to take in time.
    private static let stepLength: UInt64 = 256 * 1024
    /// The length from which an answer counts against the memory for large answers.
    private static let smallLength = 64 * 1024
    /// The length from which an answer is compressed; a shorter one takes one or two packets in any case.
    private static let minimumCompressedLength = 1024
    var configuration: WebServer.Configuration
    /// The bytes of large answers that may be in memory.
    var memory: Budget
    var outbound: NIOAsyncChannelOutboundWriter<Step>

    /// Writes an answer.
    func write(_ response: WebResponse, to head: HTTPRequestHead, isLast: Bool) async throws {
        let response = response.said(in: WebLanguage.of(head.headers))
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
        if response.isCompressible, response.body.count >= Self.minimumCompressedLength,
            Gzip.isAccepted(head.headers["accept-encoding"]), let compressed = Gzip.compress(response.body)
        {
            (response.body, response.encoding) = (compressed, "gzip")
        }
        // A client that does not read keeps its answer in memory, so the sum of all answers is limited.
        var share: Budget.Share?
        if response.body.count > Self.smallLength {
            share = memory.share(response.body.count)
            guard share != nil else {
                let busy = WebResponse(.unavailable, "The laptop is busy. Try again in some seconds.")
                let said = busy.said(in: WebLanguage.of(head.headers))
                return try await writeBody(of: said, to: head, isLast: isLast)
            }
        }
        // Content of the store must not stay in the browser.
        let fields: HTTPHeaders = ["Content-Length": "\(response.body.count)", "Cache-Control": "no-store"]
        try await begin(response, fields, isLast: isLast)
        if head.method != .HEAD { try await write(response.body, share) }
        try await outbound.write(.end)
    }

    /// Writes a file, or the range that the client asks for.
    private func write(_ file: WebFile, _ response: WebResponse, to head: HTTPRequestHead, isLast: Bool) async throws {
        var response = response
        var fields: HTTPHeaders = [
            "ETag": file.quotedTag,
            "Accept-Ranges": "bytes",
            // A browser may keep a download, so that it can resume it. Everything else of the store must not stay in
            // the browser.
            "Cache-Control": file.name == nil ? "no-store" : "private, no-cache",
        ]
        var range: Range<UInt64> = 0..<file.size
        if file.isNamed(in: head.headers["if-none-match"]) {
            (response.status, response.encoding) = (.notModified, nil)
            range = 0..<0
        } else {
            switch ByteRange(head.headers["range"], onlyIf: head.headers["if-range"], of: file) {
            case .whole: break
            case .range(let some):
                response.status = .partialContent
                fields.add(name: "Content-Range", value: "bytes \(some.lowerBound)-\(some.upperBound - 1)/\(file.size)")
                range = some
            case .unsatisfiable:
                response.status = .rangeNotSatisfiable
                fields.add(name: "Content-Range", value: "bytes */\(file.size)")
                range = 0..<0
            }
            fields.add(name: "Content-Length", value: "\(range.upperBound - range.lowerBound)")
            if let name = file.name { fields.add(name: "Content-Disposition", value: Self.disposition(name)) }
        }
        try await begin(response, fields, isLast: isLast)
        if head.method != .HEAD, !range.isEmpty { try await write(range, of: file) }
        try await outbound.write(.end)
    }

    /// Lets a browser save a file under a name (RFC 6266), which may have any characters.
    static func disposition(_ name: String) -> String {
        let encoded = name.utf8.map { byte in
            WebPath.isPlain(byte)
                ? String(Unicode.Scalar(byte))
                : "%" + String(0x100 + Int(byte), radix: 16, uppercase: true).dropFirst()
        }
        return "attachment; filename=\"\(WebPath.component(name))\"; filename*=UTF-8''\(encoded.joined())"
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
        let varying =
            (response.isCompressible ? ["Accept-Encoding"] : [])
            + (response.language == nil ? [] : ["Accept-Language", "Cookie"])
        if !varying.isEmpty { headers.add(name: "Vary", value: varying.joined(separator: ", ")) }
        if let language = response.language { headers.add(name: "Content-Language", value: language.tag) }
        if let language = response.chosenLanguage {
            headers.add(name: "Set-Cookie", value: WebLanguage.setting(language))
        }
        if let encoding = response.encoding { headers.add(name: "Content-Encoding", value: encoding) }
        if let location = response.location { headers.add(name: "Location", value: location) }
        if response.status == .methodNotAllowed { headers.add(name: "Allow", value: "GET, HEAD") }
        if response.status == .unavailable { headers.add(name: "Retry-After", value: "5") }
        if isLast { headers.add(name: "Connection", value: "close") }
        try await outbound.write(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers)))
    }

    /// Writes bytes in steps with memory of their own, so that the last step does not keep the whole answer alive.
    private func write(_ bytes: [UInt8], _ share: Budget.Share?) async throws {
        for start in stride(from: 0, to: bytes.count, by: Self.smallLength) {
            let some = bytes[start..<min(bytes.count, start + Self.smallLength)]
            // All steps may wait for a late event loop, so each one holds the share until it has been sent.
            try await outbound.write(.bytes(ByteBuffer(bytes: some), share))
        }
    }

    /// Writes bytes of a file, which the kernel copies from the file to the network (sendfile(2)) if it need not encrypt them.
    private func write(_ range: Range<UInt64>, of file: WebFile) async throws {
        file.begin()
        var position = range.lowerBound
        while position < range.upperBound {
            let limit = UInt64(max(1, file.pace?.stepLimit ?? .max))
            let end = min(range.upperBound, position + min(limit, Self.stepLength))
            // A client that asks for many small ranges is not served before others.
            let left = file.size - min(file.size, position - range.lowerBound)
            await file.pace?.wait(Int(end - position), left: left)
            let bytes = file.start + position..<file.start + end
            let isEncrypted = configuration.security != nil
            let read = isEncrypted ? try await NIOThreadPool.singleton.runIfActive { try file.read(bytes) } : nil
            try await outbound.write(.file(file, bytes, read, isLast: end == range.upperBound))
            position = end
        }
    }
}
