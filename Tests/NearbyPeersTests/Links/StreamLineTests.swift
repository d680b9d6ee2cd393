import Foundation
import PeerTesting
import Testing

@testable import NearbyPeers

/// Lines that arrive on a stream.
@Suite(.timeLimit(.minutes(5))) struct StreamLineTests {
    @Test(arguments: 1...9) func linesDoNotDependOnThePieces(length: Int) throws {
        let bytes = Array("one\r\ntwo\n\nümlaut\n\r\nlast".utf8)
        var (cutter, lines) = (PeerStreamLines.LineCutter(maximumLength: 100), [String]())
        for start in stride(from: 0, to: bytes.count, by: length) {
            cutter.add(Data(bytes[start..<min(start + length, bytes.count)]))
            while let line = try cutter.next() { lines.append(line) }
        }
        if let line = try cutter.rest() { lines.append(line) }
        #expect(lines == ["one", "two", "", "ümlaut", "", "last"])
        #expect(try cutter.rest() == nil)
    }

    @Test func aLineMayHaveTheMostBytesAndNoMore() throws {
        var cutter = PeerStreamLines.LineCutter(maximumLength: 4)
        cutter.add(Data("abcd\r\nabcd".utf8))
        #expect(try cutter.next() == "abcd")
        #expect(try cutter.next() == nil)
        #expect(try cutter.rest() == "abcd")
    }

    @Test(arguments: ["abcde", "abcde\n", "abcde\r\n", "abcd\r\r\n"]) func oneByteMoreIsTooMany(text: String) throws {
        var cutter = PeerStreamLines.LineCutter(maximumLength: 4)
        cutter.add(Data(text.utf8))
        #expect(throws: PeerError.self) {
            _ = try cutter.next()
            _ = try cutter.rest()
        }
    }

    @Test func anyLengthMayBeAllowed() throws {
        var cutter = PeerStreamLines.LineCutter(maximumLength: .max)
        cutter.add(Data("a\nb\r".utf8))
        #expect(try cutter.next() == "a")
        #expect(try cutter.next() == nil)
        // No line feed follows, so the carriage return belongs to the text.
        #expect(try cutter.rest() == "b\r")
    }

    @Test func linesArriveOverALink() async throws {
        let world = World(.memory)
        try await world.linked { anna, ben in
            let streams = try anna.streams()
            let stream = try await ben.openStream(named: "log", to: anna.local.id)
            try await stream.write(Data("first\nsecond".utf8))
            stream.finish()
            var iterator = streams.makeAsyncIterator()
            let opened = try #require(await iterator.next())
            var lines: [String] = []
            for try await line in opened.lines() { lines.append(line) }
            #expect(lines == ["first", "second"])
        }
    }

    private struct Position: Codable, Equatable {
        var latitude: Double
        var note = ""
        var time = Date(timeIntervalSince1970: 1_800_000_000)
    }

    /// Opens a stream, writes to it with `write`, and reads it with `read`.
    private func streamed(
        _ write: @Sendable (PeerStream) async throws -> Void,
        _ read: @Sendable (PeerStream) async throws -> Void
    ) async throws {
        let world = World(.memory)
        try await world.linked { anna, ben in
            let streams = try anna.streams()
            let stream = try await ben.openStream(named: "walk", to: anna.local.id)
            try await write(stream)
            stream.finish()
            var iterator = streams.makeAsyncIterator()
            try await read(try #require(await iterator.next()))
        }
    }

    @Test func valuesArriveAsTheyWereWritten() async throws {
        let positions = [Position(latitude: 42.5), Position(latitude: -0.25, note: "two\nlines /\u{2028}")]
        try await streamed { stream in
            for position in positions { try await stream.write(value: position) }
        } _: { stream in
            var received: [Position] = []
            for try await position in stream.values(of: Position.self) { received.append(position) }
            #expect(received == positions)
        }
    }

    @Test func aLineThatIsNoSuchValueFailsAlone() async throws {
        try await streamed { stream in
            try await stream.write(Data("1\n\n{\"a\":\r\n\"two\"\n[3]\n4".utf8))
        } _: { stream in
            var (iterator, received) = (stream.values(of: Int.self).makeAsyncIterator(), [Int?]())
            while true {
                do throws(PeerError) {
                    guard let value = try await iterator.next() else { break }
                    received.append(value)
                } catch {
                    #expect(error.code == .protocolViolation)
                    received.append(nil)
                }
            }
            #expect(received == [1, nil, nil, nil, 4])
        }
    }

    @Test func aValueLongerThanAllowedFails() async throws {
        try await streamed { stream in
            try await stream.write(value: String(repeating: "a", count: 20))
        } _: { stream in
            var iterator = stream.values(of: String.self, atMost: 20).makeAsyncIterator()
            let error = await #expect(throws: PeerError.self) { try await iterator.next() }
            #expect(error?.code == .protocolViolation)
            let afterwards = try await iterator.next()
            #expect(afterwards == nil)
        }
    }

    @Test func whatHasNoFormInJSONIsRefused() async throws {
        try await streamed { stream in
            let error = await #expect(throws: PeerError.self) {
                try await stream.write(value: Position(latitude: .infinity))
            }
            #expect(error?.code == .invalidArgument)
            #expect(error?.message.contains("The value for “walk” cannot be written as JSON.") == true)
        } _: { stream in
            for try await position in stream.values(of: Position.self) { Issue.record("\(position)") }
        }
    }
}
