import Foundation
import Glibc
import PeerTestSupport
import Synchronization
import Testing

@testable import WebServer

/// Files as answers, and parts of them.
@Suite(.timeLimit(.minutes(2))) struct FileTests {
    @Test(
        arguments: [
            ("bytes=0-0", ByteRange.part(0..<1)), ("bytes=0-9", .part(0..<10)), ("bytes=3-", .part(3..<10)),
            ("bytes=-3", .part(7..<10)), ("bytes=-30", .part(0..<10)), ("bytes=9-18446744073709551615", .part(9..<10)),
            ("Bytes= 2 - 3 ", .part(2..<4)),
            ("bytes=10-", .unsatisfiable), ("bytes=-0", .unsatisfiable), ("bytes=10-12", .unsatisfiable),
            ("bytes=", .whole), ("bytes=-", .whole), ("bytes=5-2", .whole), ("bytes=1-2,4-5", .whole),
            ("lines=1-2", .whole),
            ("bytes=99999999999999999999-", .whole), ("bytes=+1-2", .whole), ("bytes=1-2-3", .whole),
            ("bytes=a-b", .whole),
        ] as [(String, ByteRange)]
    )
    func partsAreRead(text: String, range: ByteRange) {
        #expect(ByteRange.read(text, size: 10) == range)
    }

    @Test func anEmptyFileHasNoParts() {
        #expect(ByteRange.read("bytes=0-", size: 0) == .unsatisfiable)
        #expect(ByteRange.read("bytes=-1", size: 0) == .unsatisfiable)
    }

    @Test func namesAreWrittenForEveryBrowser() {
        #expect(AnswerWriter.disposition("a.gpx") == "attachment; filename=\"a.gpx\"; filename*=UTF-8''a.gpx")
        #expect(
            AnswerWriter.disposition("Säntis \"1\"\r\nX: y")
                == "attachment; filename=\"S-ntis--1---X--y\"; filename*=UTF-8''S%C3%A4ntis%20%221%22%0D%0AX%3A%20y"
        )
    }

    /// What was told of an answer.
    private final class Events: Sendable {
        let all = Mutex<[WebFile.Event]>([])
    }

    /// Serves a file of 1,000,000 bytes, calls `body` with the port, and returns what was told of the answers.
    private static func serving(
        _ body: @escaping @concurrent @Sendable (_ port: Int, _ bytes: [UInt8]) async throws -> Void
    ) async throws -> [WebFile.Event] {
        try await TemporaryDirectory.with { directory in
            var generator = SeededGenerator(seed: 1)
            let bytes = generator.bytes(1_000_000)
            let path = directory.path("f")
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            let events = Events()
            try await TestServer.with { _ in
            } handler: { _ in
                let descriptor = open(path, O_RDONLY | O_CLOEXEC)
                return WebResponse(
                    WebFile(taking: descriptor, name: "f", contentType: "x/y", size: 1_000_000, entityTag: "1") {
                        event in
                        events.all.withLock { $0.append(event) }
                    }
                )
            } _: { port in
                try await body(port, bytes)
            }
            return events.all.withLock { $0 }
        }
    }

    @Test func aFileIsSentWholeAndInParts() async throws {
        let events = try await Self.serving { port, bytes in
            let whole = try TestServer.bytes(port, TestServer.request(port))
            // Not the bytes themselves: a failure would print them all.
            let isWhole = whole.content == bytes
            #expect(isWhole && whole.head.hasPrefix("HTTP/1.1 200 OK\r\n"))
            let part = try TestServer.bytes(port, TestServer.request(port, more: "Range: bytes=300000-600000\r\n"))
            let isPart = part.content == Array(bytes[300_000...600_000])
            #expect(isPart)
            #expect(part.head.contains("\r\nContent-Range: bytes 300000-600000/1000000\r\n"))
        }
        #expect(events.count(where: { $0 == .ended(isComplete: true) }) == 2)
        #expect(events.contains(.sent(1_000_000)) && events.contains(.sent(600_001)))
    }

    @Test func aDownloadThatIsGivenUpIsTold() async throws {
        let events = try await Self.serving { port, _ in
            for _ in 0..<3 {
                let connection = try RawConnection(toPort: port)
                let many = String(repeating: "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n", count: 50)
                connection.write(Array(many.utf8))
                _ = connection.read(atMost: 1)
                connection.end()
            }
            // When these are answered, the others have been.
            _ = try TestServer.bytes(port, TestServer.request(port))
        }
        #expect(events.contains(.ended(isComplete: true)))
    }
}
