import Glibc
import SharingReports
import Testing

@testable import HikeShareCommands

@Suite(.timeLimit(.minutes(10))) struct TerminalTests {
    @Test(
        arguments: [
            ("y", false, true), ("Y", false, true), (" yes ", false, true), ("n", true, false), ("", false, false),
            ("", true, true), ("  ", true, true), ("yeah", false, false), ("yy", true, false), (nil, true, false),
        ] as [(String?, Bool, Bool)]
    )
    func takesOnlyAClearYes(line: String?, byDefault: Bool, isYes: Bool) {
        #expect(Answer.isYes(line, byDefault: byDefault) == isYes)
    }

    @Test func readsLines() async throws {
        let pipe = try Pipe()
        pipe.write("first\nsecond\nrest")
        #expect(try await TerminalLine.read(from: pipe.reader) == "first")
        #expect(try await TerminalLine.read(from: pipe.reader) == "second")
        pipe.closeWriter()
        #expect(try await TerminalLine.read(from: pipe.reader) == "rest")
        #expect(try await TerminalLine.read(from: pipe.reader) == nil)
    }

    @Test func boundsWhatIsRead() async throws {
        let pipe = try Pipe()
        pipe.write(String(repeating: "x", count: 10_000) + "\n")
        #expect(try await TerminalLine.read(from: pipe.reader)?.utf8.count == 4096)
    }

    @Test func stopsReadingWhenCancelled() async throws {
        let pipe = try Pipe()
        await #expect(throws: CancellationError.self) {
            try await withThrowingTaskGroup(of: String?.self) { group in
                group.addTask { try await TerminalLine.read(from: pipe.reader) }
                group.cancelAll()
                _ = try await group.next()
            }
        }
        // Nothing was taken away.
        pipe.write("later\n")
        #expect(try await TerminalLine.read(from: pipe.reader) == "later")
    }
}
