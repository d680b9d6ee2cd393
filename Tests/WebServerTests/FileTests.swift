import Foundation
import Glibc
import NIOCore
import NIOHTTP1
import PeerTestSupport
import Testing

@testable import WebServer

/// Files as answers, and parts of them.
@Suite(.timeLimit(.minutes(10))) struct FileTests {
    @Test(
        arguments: [
            ("bytes=0-0", ByteRange.range(0..<1)), ("bytes=0-9", .range(0..<10)), ("bytes=3-", .range(3..<10)),
            ("bytes=-3", .range(7..<10)), ("bytes=-30", .range(0..<10)),
            ("bytes=9-18446744073709551615", .range(9..<10)),
            ("Bytes= 2 - 3 ", .range(2..<4)),
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

    /// Serves a file of zeros or of `bytes`, and calls `body` with the port and what is told of the answers.
    private static func serving(
        size: Int = 1_000_000,
        bytes: [UInt8] = [],
        _ body: @escaping @concurrent @Sendable (_ port: Int, _ events: Events) async throws -> Void
    ) async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("f")
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            try #require(truncate(path, size) == 0)
            let (events, told) = AsyncStream.makeStream(of: WebFile.Event.self)
            try await TestServer.with { _ in
            } handler: { _ in
                let descriptor = open(path, O_RDONLY | O_CLOEXEC)
                return WebResponse(
                    WebFile(taking: descriptor, name: "f", size: UInt64(size), entityTag: "1") { told.yield($0) },
                    as: "x/y"
                )
            } _: { port in
                try await body(port, Events(stream: events))
            }
        }
    }

    /// What is told of answers.
    private struct Events: Sendable {
        var stream: AsyncStream<WebFile.Event>

        /// Waits for the end of the next answer, and returns what was told of it.
        func untilEnd() async -> [WebFile.Event] {
            var all: [WebFile.Event] = []
            for await event in stream {
                all.append(event)
                if case .ended = event { break }
            }
            return all
        }
    }

    @Test func aFileIsSentWholeAndInParts() async throws {
        var generator = SeededGenerator(seed: 1)
        let bytes = generator.bytes(1_000_000)
        try await Self.serving(bytes: bytes) { port, events in
            let whole = try TestServer.bytes(port, TestServer.request(port))
            // Not the bytes themselves: a failure would print them all.
            let isWhole = whole.content == bytes
            #expect(isWhole && whole.head.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(await events.untilEnd().suffix(2) == [.sent(1_000_000), .ended(isComplete: true)])
            let part = try TestServer.bytes(port, TestServer.request(port, more: "Range: bytes=300000-600000\r\n"))
            let isPart = part.content == Array(bytes[300_000...600_000])
            #expect(isPart)
            #expect(part.head.contains("\r\nContent-Range: bytes 300000-600000/1000000\r\n"))
            #expect(await events.untilEnd().suffix(2) == [.sent(600_001), .ended(isComplete: true)])
        }
    }

    /// Programs that ask for the end of the connection, and read slowly, are not cut off.
    @Test(arguments: ["HTTP/1.1", "HTTP/1.0"]) func theLastAnswerOfAConnectionIsWhole(version: String) async throws {
        let size = 64 << 20
        try await Self.serving(size: size) { port, events in
            let connection = try RawConnection(toPort: port)
            connection.write(Array("GET / \(version)\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n".utf8))
            var head = connection.read(atMost: 4096)
            let end = try #require(head.indices.first { head[$0...].starts(with: Array("\r\n\r\n".utf8)) })
            var count = head.count - end - 4
            head = []
            while case let bytes = connection.read(atMost: 65_536), !bytes.isEmpty { count += bytes.count }
            #expect(count == size)
            #expect(await events.untilEnd().last == .ended(isComplete: true))
        }
    }

    @Test func aClientMayCloseItsSideBeforeTheAnswer() async throws {
        try await Self.serving(size: 8 << 20) { port, _ in
            let connection = try RawConnection(toPort: port)
            connection.write(Array("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n".utf8))
            connection.finishWriting()
            #expect(connection.readToEnd().count > 8 << 20)
        }
    }

    @Test func onlyTheTagItselfNamesAVersion() {
        func isNamed(_ field: String) -> Bool {
            let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
            let file = WebFile(taking: null, name: "f", size: 10, entityTag: "1")
            return file.isNamed(in: [field])
        }
        #expect(isNamed("\"1\"") && isNamed("*") && isNamed("\"0\", W/\"1\" "))
        #expect(!isNamed("\"1\"x") && !isNamed("\"12\"") && !isNamed("1"))
    }

    @Test func aPartOfAFileIsAContentOfItsOwn() async throws {
        var generator = SeededGenerator(seed: 2)
        let bytes = generator.bytes(300_000)
        try await TemporaryDirectory.with { directory in
            let path = directory.path("f")
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            try await TestServer.with { _ in
            } handler: { _ in
                WebResponse(
                    WebFile(taking: open(path, O_RDONLY | O_CLOEXEC), start: 1000, size: 2000, entityTag: "1"),
                    as: "x/y"
                )
            } _: { port in
                let whole = try TestServer.bytes(port, TestServer.request(port))
                #expect(whole.content == Array(bytes[1000..<3000]))
                #expect(!whole.head.contains("Content-Disposition") && whole.head.contains("Cache-Control: no-store"))
                let part = try TestServer.bytes(port, TestServer.request(port, more: "Range: bytes=-10\r\n"))
                #expect(part.content == Array(bytes[2990..<3000]))
            }
        }
    }

    /// A client that goes away at once, and one that goes away after more than the buffers of both sockets hold.
    @Test(arguments: [1, 50_000_000]) func aDownloadThatIsGivenUpIsTold(after count: Int) async throws {
        // Far more than those buffers: what is in them counts as sent.
        let size = 1 << 30
        try await Self.serving(size: size) { port, events in
            let connection = try RawConnection(toPort: port)
            connection.write(Array(TestServer.request(port).utf8))
            var read = 0
            while read < count, case let bytes = connection.read(atMost: min(count, 65_536)), !bytes.isEmpty {
                read += bytes.count
            }
            connection.end()
            let told = await events.untilEnd()
            #expect(told.last == .ended(isComplete: false))
            #expect(!told.contains(.sent(UInt64(size))))
        }
    }

    /// NIO drops bytes without an error if the connection was closed in the meantime.
    ///
    /// An answer to `HEAD` is no download.
    @Test(arguments: [(HTTPMethod.GET, [WebFile.Event.ended(isComplete: false)]), (.HEAD, [])])
    func aDownloadWhoseBytesGetLostIsTold(method: HTTPMethod, expected: [WebFile.Event]) async throws {
        let (events, told) = AsyncStream.makeStream(of: WebFile.Event.self)
        do {
            // Takes everything and sends nothing.
            let (outbound, connection) = NIOAsyncChannelOutboundWriter<AnswerWriter.Step>.makeTestingWriter()
            let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
            let file = WebFile(taking: null, name: "f", size: 10, entityTag: "1") { told.yield($0) }
            let head = HTTPRequestHead(version: .http1_1, method: method, uri: "/")
            try await AnswerWriter(configuration: WebServer.Configuration(), memory: Budget(0), outbound: outbound)
                .write(WebResponse(file, as: "x/y"), to: head, isLast: false)
            withExtendedLifetime(connection) {}
        }
        told.finish()
        #expect(await events.reduce(into: []) { $0.append($1) } == expected)
    }
}
