import Foundation
import PeerTestSupport
import Testing

@testable import WebServer

/// The server on loopback, as a client sees it that may send any bytes.
@Suite(.timeLimit(.minutes(10))) struct WebServerTests {
    @Test func answersWithTheContentAndItsFields() async throws {
        try await TestServer.with {
            $0.contentSecurityPolicy = "default-src 'self'"
        } handler: { path in
            WebResponse(Array(path.components.joined(separator: "+").utf8), as: "text/x")
        } _: { port in
            let answer = try TestServer.exchange(port, TestServer.request(port, "GET", "/a/b"))
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(answer.hasSuffix("\r\n\r\na+b"))
            for field in [
                "Content-Type: text/x", "Content-Length: 3", "X-Content-Type-Options: nosniff", "X-Frame-Options: DENY",
                "Referrer-Policy: no-referrer", "Content-Security-Policy: default-src 'self'",
                "Cache-Control: no-store",
                "Cross-Origin-Resource-Policy: same-origin", "Cross-Origin-Opener-Policy: same-origin",
            ] {
                #expect(answer.contains("\r\n\(field)\r\n"), "\(field)")
            }
            #expect(!answer.lowercased().contains("access-control"))
        }
    }

    @Test func anAnswerHasAPolicyAndAnEncodingOfItsOwn() async throws {
        try await TestServer.with { _ in
        } handler: { path in
            guard path.components == ["tile"] else { return .noContent }
            var response = WebResponse([1, 2, 3], as: "application/x")
            (response.encoding, response.contentSecurityPolicy) = ("gzip", "default-src 'self'")
            return response
        } _: { port in
            let answer = try TestServer.exchange(port, TestServer.request(port, "GET", "/tile"))
            #expect(answer.contains("\r\nContent-Encoding: gzip\r\n"))
            #expect(answer.contains("\r\nContent-Security-Policy: default-src 'self'\r\n"))
            // A client that waits for a body of such an answer would wait for ever.
            let none = try TestServer.exchange(port, TestServer.request(port, "GET", "/gap"))
            #expect(none.hasPrefix("HTTP/1.1 204 No Content\r\n") && none.hasSuffix("\r\n\r\n"))
            #expect(!none.lowercased().contains("content-length") && none.contains("default-src 'none'"))
        }
    }

    /// Some clients say that they send nothing.
    @Test func readingWithALengthOfZeroIsReading() async throws {
        try await TestServer.with { port in
            let answer = try TestServer.exchange(port, TestServer.request(port, more: "Content-Length: 0\r\n"))
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.hasSuffix("hello"), "\(answer)")
        }
    }

    @Test(arguments: [("Accept-Encoding: gzip\r\n", "yes"), ("Accept-Encoding: br\r\n", "no"), ("", "no")])
    func sitesKnowWhetherAClientReadsGzip(field: String, answer: String) async throws {
        struct Site: WebSite {
            func respond(to request: WebRequest) -> WebResponse {
                WebResponse(Array((request.takesGzip ? "yes" : "no").utf8), as: WebResponse.plainText)
            }
        }
        let body = { @concurrent @Sendable (port: Int) async throws in
            let received = try TestServer.exchange(port, TestServer.request(port, more: field))
            #expect(received.hasSuffix("\r\n\r\n" + answer), "\(received)")
        }
        try await TestServer.with({ _ in }, site: Site(), body)
    }

    @Test func otherMachinesGetNoFieldThatTheirBrowsersComplainOf() async throws {
        try await TestServer.with {
            $0.isForOwnUser = false
        } _: { port in
            let answer = try TestServer.exchange(port, TestServer.request(port))
            #expect(answer.hasSuffix("hello") && !answer.contains("Cross-Origin-Opener-Policy"))
        }
    }

    @Test func answersHaveTheirTime() async throws {
        #expect(WebDate.text(784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(WebDate.text(1_709_164_800) == "Thu, 29 Feb 2024 00:00:00 GMT")
        try await TestServer.with { port in
            let answer = try TestServer.exchange(port, TestServer.request(port))
            #expect(answer.firstMatch(of: /\r\nDate: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r\n/) != nil)
        }
    }

    @Test func textIsCompressedForClientsThatReadIt() async throws {
        let text = String(repeating: "A long way to the hut. ", count: 5_000)
        try await TestServer.with { _ in
        } handler: { path in
            WebResponse(Array(text.utf8), as: path.components == ["image"] ? "image/png" : "application/json")
        } _: { port in
            let plain = try TestServer.bytes(port, TestServer.request(port))
            #expect(plain.content == Array(text.utf8) && plain.head.contains("\r\nVary: Accept-Encoding\r\n"))
            let compressed = try TestServer.bytes(port, TestServer.request(port, more: "Accept-Encoding: br, gzip\r\n"))
            #expect(compressed.head.contains("\r\nContent-Encoding: gzip\r\n") && compressed.content.count < 2_000)
            #expect(try await Gunzip.bytes(of: compressed.content) == Array(text.utf8))
            let image = try TestServer.bytes(
                port,
                TestServer.request(port, "GET", "/image", more: "Accept-Encoding: gzip\r\n")
            )
            #expect(image.content == Array(text.utf8))
        }
    }

    @Test(
        arguments: [
            ("gzip", true), ("br;q=1.0, GZIP;q=0.5", true), ("*", true), ("gzip;q=0", false), ("gzip; q=0.0", false),
            ("deflate", false), ("", false),
        ]
    )
    func clientsSayWhetherTheyReadGzip(field: String, isAccepted: Bool) {
        #expect(Gzip.isAccepted([field]) == isAccepted)
    }

    @Test func piecesBecomeOneStream() async throws {
        var generator = SeededGenerator(seed: 3)
        let gzip = Gzip()
        var (all, compressed): ([UInt8], [UInt8]) = ([], [])
        for index in 0..<40 {
            let piece = generator.bytes(index * 1_000) + [UInt8](repeating: 7, count: 50_000)
            all += piece
            compressed += try #require(gzip.compress(piece, isLast: false))
        }
        compressed += try #require(gzip.compress([], isLast: true))
        let isSame = try await Gunzip.bytes(of: compressed) == all
        #expect(isSame)
    }

    /// Clients that do not take their answers must not fill the memory.
    @Test(.timeLimit(.minutes(10))) func largeAnswersInMemoryAreLimited() async throws {
        let long = WebResponse([UInt8](repeating: 0, count: 16 << 20), as: "x/y")
        try await TestServer.with {
            $0.maximumMemory = 20 << 20
        } handler: { path in
            path.components == ["long"] ? long : TestServer.greeting
        } _: { port in
            let lazy = try RawConnection(toPort: port, receiveBuffer: 65_536)
            lazy.write(Array(TestServer.request(port, "GET", "/long").utf8))
            _ = lazy.read(atMost: 1)
            #expect(try TestServer.exchange(port, TestServer.request(port, "GET", "/long")).hasPrefix("HTTP/1.1 503 "))
            #expect(try TestServer.exchange(port, TestServer.request(port)).hasSuffix("hello"))
            #expect(lazy.readToEnd().count > 16 << 20)
            // The last one has ended, so there is room again, at the latest a moment after the client has it all.
            while try TestServer.bytes(port, TestServer.request(port, "GET", "/long")).content.count != 16 << 20 {}
        }
    }

    @Test func answersHeadWithoutContent() async throws {
        try await TestServer.with { port in
            let answer = try TestServer.exchange(port, TestServer.request(port, "HEAD"))
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.hasSuffix("\r\n\r\n"))
            #expect(answer.contains("Content-Length: 5\r\n"))
        }
    }

    @Test func answersSeveralRequestsOfAConnectionInTheirOrder() async throws {
        try await TestServer.with { _ in
        } handler: { path in
            WebResponse(Array(path.components.joined().utf8), as: "text/x")
        } _: { port in
            let first = "GET /first HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n"
            let answer = try TestServer.exchange(port, first + TestServer.request(port, "GET", "/second"))
            let parts = answer.components(separatedBy: "HTTP/1.1 200 OK")
            #expect(parts.count == 3)
            #expect(parts[1].hasSuffix("first") && parts[2].hasSuffix("second"))
        }
    }

    @Test(arguments: ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT"])
    func onlyReads(method: String) async throws {
        try await TestServer.with { port in
            let answer = try TestServer.exchange(port, TestServer.request(port, method))
            #expect(answer.hasPrefix("HTTP/1.1 405 ") || answer.hasPrefix("HTTP/1.1 400 "), "\(answer)")
            #expect(!answer.contains("hello"))
        }
    }

    @Test(
        arguments: [
            "Host: localhost:PORT", "Host: 127.0.0.1", "Host: 127.0.0.1:1", "Host: evil.example:PORT",
            "Host: evil.example", "Host: 127.0.0.1:PORT.", "Host: 127.0.0.1:0PORT", "Host: 127.1:PORT", "Host:", "X: y",
            "Host: 127.0.0.1:PORT\r\nHost: evil.example", "Host: 127.0.0.1:PORT\r\nHost: 127.0.0.1:PORT",
            "Host: [::1]:PORT", "Host: user@127.0.0.1:PORT",
        ]
    )
    func servesNoOtherHost(fields: String) async throws {
        try await TestServer.with { port in
            let fields = fields.replacingOccurrences(of: "PORT", with: "\(port)")
            let answer = try TestServer.exchange(port, "GET / HTTP/1.1\r\n\(fields)\r\nConnection: close\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 421 ") || answer.hasPrefix("HTTP/1.1 400 "), "\(answer)")
            #expect(!answer.contains("hello"))
        }
    }

    @Test func browsersLeaveOutTheUsualPort() {
        #expect(
            WebConnection.hosts("192.0.2.1", 80)
                == ["192.0.2.1", "192.0.2.1:80", "[::ffff:192.0.2.1]", "[::ffff:192.0.2.1]:80"]
        )
        #expect(WebConnection.hosts("192.0.2.1", 8080) == ["192.0.2.1:8080", "[::ffff:192.0.2.1]:8080"])
    }

    @Test(arguments: ["/../secret", "/a/%2e%2e/b", "//a", "http://127.0.0.1/", "/a?b=c", "/%00"])
    func servesNoOtherPath(target: String) async throws {
        try await TestServer.with { port in
            let answer = try TestServer.exchange(port, TestServer.request(port, "GET", target))
            #expect(answer.hasPrefix("HTTP/1.1 404 ") || answer.hasPrefix("HTTP/1.1 400 "), "\(answer)")
            #expect(!answer.contains("hello"))
        }
    }

    @Test(arguments: ["Content-Length: 5\r\n\r\nhello", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"])
    func takesNoContent(content: String) async throws {
        try await TestServer.with { port in
            let request = "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(content)"
            let answer = try TestServer.exchange(port, request)
            #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 413 "), "\(answer)")
        }
    }

    /// What a client sends after a refusal, or does not send any more, gets no second answer.
    @Test(arguments: [
        ("Content-Length: 100\r\n\r\n", ""), ("Transfer-Encoding: chunked\r\n\r\n", "no length\r\n"),
    ])
    func aRefusedRequestMayBreakOff(content: String, rest: String) async throws {
        try await TestServer.with { port in
            let connection = try RawConnection(toPort: port)
            connection.write(Array("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(content)".utf8))
            let answer = String(decoding: connection.readToEnd(), as: UTF8.self)
            #expect(answer.hasPrefix("HTTP/1.1 413 "), "\(answer)")
            #expect(answer.components(separatedBy: "HTTP/1.1").count == 2, "\(answer)")
            connection.write(Array(rest.utf8))
            connection.finishWriting()
            #expect(try TestServer.exchange(port, TestServer.request(port)).hasSuffix("hello"))
        }
    }

    @Test func boundsHeaders() async throws {
        try await TestServer.with { port in
            let long = "X: " + String(repeating: "a", count: 20_000) + "\r\n"
            let many = String(repeating: "X: y\r\n", count: 100)
            for more in [long, many] {
                let answer = try TestServer.exchange(port, TestServer.request(port, more: more))
                #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(answer)")
            }
            let endless = try RawConnection(toPort: port)
            endless.write(Array("GET / HTTP/1.1\r\nX: ".utf8))
            // The server closes long before it would have read all of it.
            var count = 0
            while count < 2_000, endless.write([UInt8](repeating: 97, count: 65_536)) { count += 1 }
            #expect(count < 2_000)
            #expect(try TestServer.exchange(port, TestServer.request(port)).hasSuffix("hello"))
        }
    }

    @Test(arguments: ["", "\u{0}\u{1}\u{2}\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/3.0\r\n\r\n", "\u{16}\u{3}\u{1}hello"])
    func survivesWhatIsNoRequest(bytes: String) async throws {
        try await TestServer.with { port in
            let connection = try RawConnection(toPort: port)
            connection.write(Array(bytes.utf8))
            connection.finishWriting()
            #expect(!String(decoding: connection.readToEnd(), as: UTF8.self).contains("hello"))
            #expect(try TestServer.exchange(port, TestServer.request(port)).hasSuffix("hello"))
        }
    }
}
