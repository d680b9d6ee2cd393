import Foundation
import Glibc
import PeerStorage
import PeerTestSupport
import Testing

@testable import WebServer

/// Content that a site takes as it comes.
@Suite(.timeLimit(.minutes(10))) struct ContentTests {
    private static func with(
        site: RecordingSite,
        _ change: (inout WebServer.Configuration) -> Void = { _ in },
        _ body: @escaping @concurrent @Sendable (_ port: Int) async throws -> Void
    ) async throws {
        func changed(_ configuration: inout WebServer.Configuration) {
            (configuration.maximumUploads, configuration.maximumUploadsPerClient) = (64, 64)
            change(&configuration)
        }
        try await TestServer.with(site: site, changed, body)
    }

    private static func head(_ port: Int, _ fields: String, _ target: String = "/") -> String {
        TestServer.request(port, "POST", target, more: fields)
    }

    private static let chunked = "Transfer-Encoding: chunked\r\n"

    @Test func contentReachesTheSiteInItsOrder() async throws {
        var generator = SeededGenerator(seed: 5)
        let bytes = generator.bytes(3_000_000)
        let received = Locked<[UInt8]>([])
        let site = RecordingSite(write: { bytes in received.withLock { $0 += bytes } })
        try await Self.with(site: site) { port in
            let connection = try RawConnection(toPort: port)
            connection.write(Array(Self.head(port, "Content-Length: \(bytes.count)\r\n").utf8) + bytes)
            #expect(String(decoding: connection.readToEnd(), as: UTF8.self).hasSuffix("hello"))
            let isSame = received.value == bytes
            #expect(isSame)
            let request = try #require(site.noted.value.requests.first)
            #expect(request.contentLength == bytes.count && request.taken != nil && request.content == nil)
        }
    }

    /// Pieces of every length, also single bytes.
    @Test func contentWithoutALengthReachesTheSite() async throws {
        var generator = SeededGenerator(seed: 6)
        let bytes = generator.bytes(300_000)
        let received = Locked<[UInt8]>([])
        let site = RecordingSite(
            WebContentLimits(length: 300_000, allowsUnknownLength: true),
            write: { bytes in received.withLock { $0 += bytes } }
        )
        try await Self.with(site: site) { port in
            var sent = Array(Self.head(port, Self.chunked).utf8)
            var (position, length) = (0, 1)
            while position < bytes.count {
                let piece = bytes[position..<min(bytes.count, position + length)]
                sent += Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Array("\r\n".utf8)
                (position, length) = (position + piece.count, length < 2_000 ? length + 1 : 70_000)
            }
            let connection = try RawConnection(toPort: port)
            connection.write(sent + Array("0\r\n\r\n".utf8))
            #expect(String(decoding: connection.readToEnd(), as: UTF8.self).hasSuffix("hello"))
            let isSame = received.value == bytes
            #expect(isSame && site.noted.value.requests.first?.contentLength == bytes.count)
            // One byte more is too long.
            let other = try RawConnection(toPort: port)
            other.write(sent + Array("1\r\n1\r\n0\r\n\r\n".utf8))
            #expect(String(decoding: other.readToEnd(), as: UTF8.self).hasPrefix("HTTP/1.1 413 "))
            #expect(site.noted.value.requests.count == 1)
        }
    }

    @Test(
        arguments: [
            "5\r\nhel", "5\r\nhello\r\n", "xyz\r\nhello\r\n0\r\n\r\n", "-5\r\nhello\r\n0\r\n\r\n",
            "5\r\nhello world\r\n0\r\n\r\n", "FFFFFFFFFFFFFFFFFF\r\nhello\r\n0\r\n\r\n",
        ]
    )
    func contentThatEndsTooEarlyOrLiesIsNotAnswered(content: String) async throws {
        let site = RecordingSite(WebContentLimits(length: 1 << 40, allowsUnknownLength: true))
        try await Self.with(site: site) { port in
            let connection = try RawConnection(toPort: port)
            connection.write(Array((Self.head(port, Self.chunked) + content).utf8))
            connection.finishWriting()
            #expect(!String(decoding: connection.readToEnd(), as: UTF8.self).contains("hello"))
            await site.waitForReleases(1)
            #expect(site.noted.value.requests.isEmpty)
            #expect(try TestServer.exchange(port, TestServer.request(port)).hasSuffix("hello"))
        }
    }

    /// 5 GB are announced, and a few bytes come.
    @Test func lengthsMayBeGreatAndAreLimited() async throws {
        let site = RecordingSite(WebContentLimits(length: 6_000_000_000))
        try await Self.with(site: site) { port in
            let connection = try RawConnection(toPort: port)
            connection.write(Array((Self.head(port, "Content-Length: 6000000000\r\n") + "hello").utf8))
            connection.finishWriting()
            connection.readToEnd()
            await site.waitForReleases(1)
            #expect(site.noted.value.requests.isEmpty)
            for fields in [
                "Content-Length: 6000000001\r\n", "Content-Length: 18446744073709551616\r\n", "Content-Length: -1\r\n",
                Self.chunked, Self.chunked + "Content-Length: 5\r\n", "Transfer-Encoding: gzip, chunked\r\n",
            ] {
                let answer = try TestServer.exchange(port, Self.head(port, fields))
                #expect(answer.hasPrefix("HTTP/1.1 413 ") || answer.hasPrefix("HTTP/1.1 400 "), "\(answer)")
            }
            #expect(site.noted.value.released == 1)
        }
    }

    @Test func bothLengthsAtOnceAreRefused() async throws {
        let site = RecordingSite(WebContentLimits(length: 100, allowsUnknownLength: true))
        try await Self.with(site: site) { port in
            let fields = Self.chunked + "Content-Length: 5\r\n"
            let answer = try TestServer.exchange(port, Self.head(port, fields) + "5\r\nhello\r\n0\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(answer)")
            #expect(site.noted.value.requests.isEmpty)
        }
    }

    @Test func aSiteRefusesBeforeTheContent() async throws {
        let site = RecordingSite()
        try await Self.with(site: site) { port in
            let answer = try TestServer.exchange(port, Self.head(port, "Content-Length: 5\r\n", "/no"))
            #expect(answer.hasPrefix("HTTP/1.1 409 ") && answer.hasSuffix("Not now.\n"), "\(answer)")
        }
    }

    /// The rest of the content is dropped, so that the client reads the answer.
    @Test(arguments: [(ENOSPC, 507), (EDQUOT, 507), (EIO, 500), (0, 403)] as [(CInt, Int)])
    func aSiteRefusesInTheMiddle(error: CInt, status: Int) async throws {
        let site = RecordingSite(write: { _ in
            if error == 0 { throw WebRefusal(WebResponse(.forbidden, "Stop.")) }
            throw SystemError(number: error)
        })
        try await Self.with(site: site) { port in
            let connection = try RawConnection(toPort: port)
            connection.write(Array(Self.head(port, "Content-Length: 50000000\r\n").utf8))
            var count = 0
            while count < 760, connection.write([UInt8](repeating: 0, count: 65_536)) { count += 1 }
            connection.finishWriting()
            #expect(String(decoding: connection.readToEnd(), as: UTF8.self).hasPrefix("HTTP/1.1 \(status) "))
            #expect(site.noted.value.released == 1 && site.noted.value.requests.isEmpty)
        }
    }

    /// Content that ends within what is collected is refused by the site, too.
    @Test func aSiteRefusesTheLastPiece() async throws {
        let site = RecordingSite(write: { _ in throw SystemError(number: ENOSPC) })
        try await Self.with(site: site) { port in
            let answer = try TestServer.exchange(port, Self.head(port, "Content-Length: 5\r\n") + "hello")
            #expect(answer.hasPrefix("HTTP/1.1 507 "), "\(answer)")
            #expect(site.noted.value.requests.isEmpty)
        }
    }

    /// A client is stopped while the site does not take its bytes.
    @Test(arguments: [false, true]) func aSlowSiteSlowsTheClient(isSecure: Bool) async throws {
        let (sent, most) = (Locked(UInt64(0)), Locked(UInt64(0)))
        let length: UInt64 = 256 << 20
        let taken = Locked(UInt64(0))
        let site = RecordingSite(write: { bytes in
            // A site that works until the client has not sent anything for a while.
            if taken.value == 0 {
                var (unchanged, last) = (0, sent.value)
                while unchanged < 50, sent.value < length {
                    usleep(2000)
                    unchanged = sent.value == last && last > 0 ? unchanged + 1 : 0
                    last = sent.value
                }
                most.set(sent.value)
            }
            taken.withLock { $0 += UInt64(bytes.count) }
        })
        let identity = try Identities.new()
        try await TemporaryDirectory.with { directory in
            let path = directory.path("zeros")
            try Data().write(to: URL(fileURLWithPath: path))
            try #require(truncate(path, Int(length)) == 0)
            try await Self.with(site: site) {
                if isSecure { $0.security = WebServerSecurity(identity, asksForCertificate: true) }
            } _: { port in
                let server = try #require(WebAddress(host: "127.0.0.1", port: port, isSecure: isSecure))
                let file = try OpenFile(path, O_RDONLY)
                var options = WebClient.Options()
                (options.idleTime, options.answerTime, options.progress) = (.patience, .patience, { sent.set($0) })
                let content = WebClient.Content.file(file, 0..<length, type: "application/octet-stream")
                let answer = try await WebClient.post(to: server, "/", content: content, options: options)
                #expect(answer.status == 200)
                #expect(taken.value == length && sent.value == length)
                // What the sockets of both sides hold, and some pieces.
                #expect(most.value < 64 << 20, "\(most.value)")
            }
        }
    }

    @Test(arguments: [0, 1]) func aClientThatSendsTooSlowlyIsClosed(bytes: Int) async throws {
        let limits = WebContentLimits(length: 1 << 40, stallTime: .milliseconds(300))
        let site = RecordingSite(limits)
        try await Self.with(site: site) { port in
            let connection = try RawConnection(toPort: port)
            connection.write(Array((Self.head(port, "Content-Length: 1000000000\r\n") + "some").utf8))
            // Writing fails once the server has closed.
            while bytes > 0, connection.write([97]) { await Task.yield() }
            connection.readToEnd()
            await site.waitForReleases(1)
            #expect(site.noted.value.requests.isEmpty)
        }
    }

    @Test func aShortRequestNeedsNoPlaceAmongUploads() async throws {
        let site = RecordingSite()
        try await Self.with(site: site) {
            ($0.maximumUploads, $0.maximumUploadsPerClient) = (1, 1)
        } _: { port in
            let held = try RawConnection(toPort: port)
            held.write(Array((Self.head(port, "Content-Length: 10\r\n") + "12345").utf8))
            await site.waitForContents(1)
            var answer = try TestServer.exchange(port, Self.head(port, "Content-Length: 1\r\n") + "1")
            #expect(answer.hasPrefix("HTTP/1.1 503 "), "\(answer)")
            answer = try TestServer.exchange(port, Self.head(port, "Content-Length: 1\r\n", "/short") + "1")
            #expect(answer.hasSuffix("hello"), "\(answer)")
            held.write(Array("67890".utf8))
            #expect(String(decoding: held.readToEnd(), as: UTF8.self).hasSuffix("hello"))
        }
    }

    @Test func thirtyClientsSendAtOnce() async throws {
        let site = RecordingSite()
        let identity = try Identities.new()
        try await Self.with(site: site) {
            $0.security = WebServerSecurity(identity, asksForCertificate: true)
        } _: {
            port in
            let server = try #require(WebAddress(host: "127.0.0.1", port: port, isSecure: true))
            let own = try Identities.new()
            var options = WebClient.Options(identity: own)
            (options.handshakeTime, options.idleTime, options.answerTime) = (.patience, .patience, .patience)
            let bytes = [UInt8](repeating: 7, count: 1_000_000)
            try await withThrowingTaskGroup { group in
                for _ in 0..<30 {
                    group.addTask { [options] in
                        try await WebClient.post(to: server, "/", content: .bytes(bytes, type: nil), options: options)
                            .status
                    }
                }
                for try await status in group { #expect(status == 200) }
            }
            #expect(site.noted.value.length == 30_000_000)
            #expect(site.noted.value.requests.allSatisfy { $0.certificate == own.certificateBytes })
        }
    }
}
