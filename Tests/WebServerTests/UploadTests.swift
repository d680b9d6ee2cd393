import Foundation
import PeerStorage
import PeerTestSupport
import Testing
import WebServer

/// Content that clients send.
@Suite(.timeLimit(.minutes(10))) struct UploadTests {
    /// Takes content for `/up` only, and answers with its length.
    private struct Site: WebSite {
        func respond(to request: WebRequest) -> WebResponse {
            guard let content = request.content else { return TestServer.greeting }
            let size = (try? content.size()) ?? 0
            let origin = request.isFromOwnPage ? "own page" : request.isFromOtherPage ? "other page" : request.client
            return WebResponse(Array("\(size) from \(origin)".utf8), as: request.contentType ?? WebResponse.plainText)
        }

        func refusal(ofContentFor request: WebRequest) -> WebResponse? {
            request.path.components == ["up"] ? nil : .notFound
        }

        func contentFile() throws -> OpenFile {
            try Folder(FileManager.default.temporaryDirectory.path).temporaryFile()
        }
    }

    private static func with(_ body: @escaping @concurrent @Sendable (_ port: Int) async throws -> Void) async throws {
        try await TestServer.with(
            {
                $0.maximumContentLength = 1_000_000
                $0.maximumUploads = 1
            },
            site: Site(),
            body
        )
    }

    private static func post(_ port: Int, _ target: String, _ length: Int, more: String = "") -> String {
        TestServer.request(port, "POST", target, more: more + "Content-Length: \(length)\r\n")
    }

    @Test func contentReachesTheSite() async throws {
        try await Self.with { port in
            let answer = try TestServer.exchange(
                port,
                Self.post(port, "/up", 900_000) + String(repeating: "a", count: 900_000)
            )
            #expect(answer.hasSuffix("\r\n\r\n900000 from 127.0.0.1"), "\(answer)")
        }
    }

    @Test func emptyContentReachesTheSiteToo() async throws {
        try await Self.with { port in
            let answer = try TestServer.exchange(port, Self.post(port, "/up", 0))
            #expect(answer.hasSuffix("\r\n\r\n0 from 127.0.0.1"), "\(answer)")
        }
    }

    @Test(
        arguments: [
            ("Origin: http://HOST\r\n", true), ("Origin: http://HOST\r\nSec-Fetch-Site: same-origin\r\n", true),
            ("", false), ("Sec-Fetch-Site: same-origin\r\n", false), ("Origin: null\r\n", false),
            ("Origin: https://HOST\r\n", false), ("Origin: http://localhost\r\n", false),
            ("Origin: http://HOST\r\nSec-Fetch-Site: same-site\r\n", false),
            ("Origin: http://HOST\r\nOrigin: http://evil.example\r\n", false),
        ]
    )
    func theBrowserSaysWhoseScriptSendsContent(fields: String, isOwn: Bool) async throws {
        // Programs that are no browsers say nothing.
        let isOther = !isOwn && !fields.isEmpty
        try await Self.with { port in
            let fields = fields.replacing("HOST", with: "127.0.0.1:\(port)") + "Content-Type: Application/JSON\r\n"
            let answer = try TestServer.exchange(port, Self.post(port, "/up", 0, more: fields))
            let whose = isOwn ? "own page" : isOther ? "other page" : "127.0.0.1"
            #expect(answer.hasSuffix("0 from \(whose)"), "\(answer)")
            #expect(answer.contains("Content-Type: application/json\r\n"))
        }
    }

    @Test func contentWithoutALengthIsRefusedWithWords() async throws {
        try await Self.with { port in
            let fields = "Transfer-Encoding: chunked\r\n"
            let request = TestServer.request(port, "POST", "/up", more: fields) + "5\r\nhello\r\n0\r\n\r\n"
            let answer = try TestServer.exchange(port, request)
            #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains("must be known"), "\(answer)")
        }
    }

    /// Closing a connection on which something arrives makes the client's system drop the answer.
    @Test func aRefusalIsReadByAClientThatIsStillSending() async throws {
        try await Self.with { port in
            let connection = try RawConnection(toPort: port)
            connection.write(Array(Self.post(port, "/up", 50_000_000).utf8))
            var count = 0
            while count < 320, connection.write([UInt8](repeating: 0, count: 65_536)) { count += 1 }
            #expect(count == 320)
            connection.finishWriting()
            #expect(String(decoding: connection.readToEnd(), as: UTF8.self).hasPrefix("HTTP/1.1 413 "))
        }
    }

    @Test func contentIsRefusedBeforeItIsRead() async throws {
        try await Self.with { port in
            // None of these clients sends its content.
            var refused = [
                (Self.post(port, "/other", 10), 404), (Self.post(port, "/up", 1_000_001), 413),
                ("POST /up HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 5\r\n\r\n", 421),
                (TestServer.request(port, "GET", "/up", more: "Content-Length: 5\r\n"), 405),
            ]
            for length in ["-1", "x", "99999999999999999999", "5\r\nContent-Length: 6"] {
                refused.append((TestServer.request(port, "POST", "/up", more: "Content-Length: \(length)\r\n"), 400))
            }
            for (request, status) in refused {
                let answer = try TestServer.exchange(port, request)
                #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(request): \(answer)")
            }
        }
    }

    @Test func oneUploadAtATime() async throws {
        try await Self.with { port in
            // A connection whose head was read has the place. If another one was faster, it is refused, so there may be several.
            var slow: [RawConnection] = []
            var answer = ""
            repeat {
                let connection = try RawConnection(toPort: port)
                connection.write(Array((Self.post(port, "/up", 10) + "12345").utf8))
                slow.append(connection)
                answer = try TestServer.exchange(port, Self.post(port, "/up", 1) + "1")
            } while !answer.hasPrefix("HTTP/1.1 503 ")
            #expect(answer.contains("\r\nRetry-After: "))
            for connection in slow { connection.write(Array("67890".utf8)) }
            let answers = slow.map { String(decoding: $0.readToEnd(), as: UTF8.self) }
            #expect(answers.contains { $0.hasSuffix("10 from 127.0.0.1") }, "\(answers)")
            let next = try TestServer.exchange(port, Self.post(port, "/up", 1) + "1")
            #expect(next.hasSuffix("1 from 127.0.0.1"))
        }
    }
}
