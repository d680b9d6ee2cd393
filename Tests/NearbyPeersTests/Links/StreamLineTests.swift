import Foundation
import PeerTesting
import Testing

@testable import NearbyPeers

/// Lines that arrive on a stream.
@Suite(.timeLimit(.minutes(5))) struct StreamLineTests {
    @Test(arguments: 1...9) func linesDoNotDependOnThePieces(length: Int) throws {
        let bytes = Array("one\r\ntwo\n\nümlaut\n\r\nlast".utf8)
        var (cutter, lines) = (LineCutter(maximumLength: 100), [String]())
        for start in stride(from: 0, to: bytes.count, by: length) {
            cutter.add(Data(bytes[start..<min(start + length, bytes.count)]))
            while let line = try cutter.next() { lines.append(line) }
        }
        if let line = try cutter.rest() { lines.append(line) }
        #expect(lines == ["one", "two", "", "ümlaut", "", "last"])
        #expect(try cutter.rest() == nil)
    }

    @Test func aLineMayHaveTheMostBytesAndNoMore() throws {
        var cutter = LineCutter(maximumLength: 4)
        cutter.add(Data("abcd\r\nabcd".utf8))
        #expect(try cutter.next() == "abcd")
        #expect(try cutter.next() == nil)
        #expect(try cutter.rest() == "abcd")
    }

    @Test(arguments: ["abcde", "abcde\n", "abcde\r\n", "abcd\r\r\n"]) func oneByteMoreIsTooMany(text: String) throws {
        var cutter = LineCutter(maximumLength: 4)
        cutter.add(Data(text.utf8))
        #expect(throws: PeerError.self) {
            _ = try cutter.next()
            _ = try cutter.rest()
        }
    }

    @Test func anyLengthMayBeAllowed() throws {
        var cutter = LineCutter(maximumLength: .max)
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
}
