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
        #expect(WebConnection.hosts("192.0.2.1", 80) == ["192.0.2.1", "192.0.2.1:80"])
        #expect(WebConnection.hosts("192.0.2.1", 8080) == ["192.0.2.1:8080"])
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
