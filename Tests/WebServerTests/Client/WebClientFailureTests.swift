import Foundation
import Glibc
import PeerStorage
import PeerTestSupport
import Testing

@testable import WebServer

/// The client with servers that do what they like.
@Suite(.timeLimit(.minutes(10))) struct WebClientFailureTests {
    /// Sends content to a server that does with the connection whatever a test wants.
    private static func post(
        _ content: WebClient.Content = .bytes([1], type: nil),
        options: WebClient.Options = patient,
        to serve: @escaping @Sendable (RawConnection) -> Void
    ) async throws -> WebClient.Answer {
        try await RawServer.with(serve: serve) { server in
            let address = try #require(WebAddress(host: "127.0.0.1", port: server.port, isSecure: false))
            return try await WebClient.post(to: address, "/", content: content, options: options)
        }
    }

    private static var patient: WebClient.Options { patient { _ in } }

    /// The options of a client that waits for long, but for what `change` sets.
    private static func patient(_ change: (inout WebClient.Options) -> Void) -> WebClient.Options {
        var options = WebClient.Options()
        (options.connectTime, options.handshakeTime) = (.patience, .patience)
        (options.idleTime, options.answerTime) = (.patience, .patience)
        change(&options)
        return options
    }

    /// Reads until the end of the head.
    @discardableResult
    private static func readHead(_ connection: RawConnection) -> String {
        var text = ""
        while !text.contains("\r\n\r\n"), case let bytes = connection.read(), !bytes.isEmpty {
            text += String(decoding: bytes, as: UTF8.self)
        }
        return text
    }

    private static func answer(_ text: String) -> @Sendable (RawConnection) -> Void {
        { connection in
            readHead(connection)
            connection.write(Array(text.utf8))
            connection.finishWriting()
            connection.readToEnd()
        }
    }

    @Test(
        arguments: [
            ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "hello"),
            ("HTTP/1.1 200 OK\r\n\r\nhello", "hello"), ("HTTP/1.0 200 OK\r\n\r\n", ""),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", "hello"),
            ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", "ok"),
        ]
    )
    func answersOfEveryFormAreRead(text: String, content: String) async throws {
        let answer = try await Self.post(to: Self.answer(text))
        #expect(answer == WebClient.Answer(status: 200, content: Array(content.utf8)))
    }

    @Test(
        arguments: [
            ("", .closed), ("HTTP/1.1 200", .closed), ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell", .closed),
            ("hello world\r\n\r\n", .invalidAnswer), ("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", .invalidAnswer),
            ("HTTP/1.1 200 OK\r\nX: \(String(repeating: "a", count: 20_000))\r\n\r\n", .invalidAnswer),
            ("HTTP/1.1 200 OK\r\n\(String(repeating: "X: y\r\n", count: 5_000))\r\n", .invalidAnswer),
            ("HTTP/1.1 200 OK\r\n\r\n\(String(repeating: "a", count: 65_537))", .invalidAnswer),
        ] as [(String, WebClient.Failure)]
    )
    func whatIsNoAnswerIsAFailure(text: String, failure: WebClient.Failure) async throws {
        await #expect(throws: failure) { try await Self.post(to: Self.answer(text)) }
    }

    @Test func theRequestHasNoMoreThanItNeeds() async throws {
        let head = Locked("")
        let answer = try await Self.post(.bytes(Array("hi".utf8), type: "x/y")) { connection in
            head.set(Self.readHead(connection))
            connection.write(Array("HTTP/1.1 204 No Content\r\n\r\n".utf8))
            connection.readToEnd()
        }
        #expect(answer.status == 204)
        let lines = head.value.components(separatedBy: "\r\n")
        #expect(
            lines.first == "POST / HTTP/1.1" && lines.contains("Content-Length: 2")
                && lines.contains("Connection: close")
        )
        #expect(lines.contains("Content-Type: x/y") && lines.contains { $0.hasPrefix("Host: 127.0.0.1:") })
        #expect(head.value.split(separator: "\r\n\r\n").first?.components(separatedBy: "\r\n").count == 5)
    }

    @Test func nobodyListens() async throws {
        let address = try #require(
            WebAddress(host: "127.0.0.1", port: try RawServer.unusedPort(), isSecure: true)
        )
        await #expect(throws: WebClient.Failure.unreachable) {
            try await WebClient.post(to: address, "/", content: .bytes([1], type: nil), options: Self.patient)
        }
        let zone = try #require(WebAddress(host: "fe80::1%nothere", port: 80, isSecure: false))
        await #expect(throws: WebClient.Failure.unreachable) {
            try await WebClient.post(to: zone, "/", content: .bytes([1], type: nil), options: Self.patient)
        }
    }

    private static func staySilent(_ connection: RawConnection) { connection.readToEnd() }

    @Test func anAnswerHasItsTime() async throws {
        let options = Self.patient { $0.answerTime = .milliseconds(100) }
        await #expect(throws: WebClient.Failure.silent) { try await Self.post(options: options, to: Self.staySilent) }
    }

    @Test func singleBytesDoNotProlongTheTimeOfAnAnswer() async throws {
        let options = Self.patient { $0.idleTime = .milliseconds(300) }
        await #expect(throws: WebClient.Failure.silent) {
            try await Self.post(options: options) { connection in
                Self.readHead(connection)
                connection.write(Array("HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n".utf8))
                while connection.write([97]) { usleep(50_000) }
            }
        }
    }

    @Test func aHandshakeHasItsTime() async throws {
        let options = Self.patient { $0.handshakeTime = .milliseconds(100) }
        try await RawServer.with(serve: Self.staySilent) { server in
            let address = try #require(WebAddress(host: "127.0.0.1", port: server.port, isSecure: true))
            await #expect(throws: WebClient.Failure.silent) {
                try await WebClient.post(to: address, "/", content: .bytes([1], type: nil), options: options)
            }
        }
    }

    /// Calls `body` with much content.
    private static func withMuchContent(_ body: (WebClient.Content) async throws -> Void) async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("zeros")
            try Data().write(to: URL(fileURLWithPath: path))
            try #require(truncate(path, 1 << 30) == 0)
            try await body(.file(try OpenFile(path, O_RDONLY), 0..<(1 << 30), type: "x/y"))
        }
    }

    @Test func aServerThatTakesNothingIsSilent() async throws {
        try await Self.withMuchContent { content in
            let options = Self.patient { $0.idleTime = .milliseconds(300) }
            let done = DispatchSemaphore(value: 0)
            await #expect(throws: WebClient.Failure.silent) {
                try await Self.post(content, options: options) { connection in
                    Self.readHead(connection)
                    done.wait()
                }
            }
            done.signal()
        }
    }

    /// The server goes on reading, reads nothing more, or closes at once.
    @Test(arguments: ["reads", "waits", "closes"]) func anAnswerInTheMiddleEndsTheRequest(then: String) async throws {
        try await Self.withMuchContent { content in
            let sent = Locked<UInt64>(0)
            let options = Self.patient { $0.progress = { sent.set($0) } }
            let answered = DispatchSemaphore(value: 0)
            let answer = try await Self.post(content, options: options) { connection in
                Self.readHead(connection)
                for _ in 0..<16 { _ = connection.read() }
                connection.write(Array("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno".utf8))
                if then == "reads" { connection.readToEnd() }
                if then == "waits" { answered.wait() }
            }
            answered.signal()
            #expect(answer == WebClient.Answer(status: 403, content: Array("no".utf8)))
            #expect(sent.value < 1 << 30)
        }
    }

    /// A turn may be long, and the answer does not wait for it.
    @Test func anAnswerEndsTheWaitForATurn() async throws {
        struct Pace: WebFile.Pace {
            let stepLimit = 100

            func wait(_ bytes: Int, left: UInt64) async { try? await Task.sleep(for: .patience * 10) }
            func leave() {}
        }
        try await Self.withMuchContent { content in
            let options = Self.patient { $0.pace = Pace() }
            let answer = try await Self.post(content, options: options, to: Self.answer("HTTP/1.1 403 No\r\n\r\n"))
            #expect(answer.status == 403)
        }
    }
}
