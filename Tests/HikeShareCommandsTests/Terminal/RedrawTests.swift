import SharingReports
import Testing

@testable import HikeShareCommands

/// Questions and progress at the bottom of a terminal, while other messages come.
@Suite(.timeLimit(.minutes(10))) struct RedrawTests {
    private static let widths = [40, 60, 80]
    private static let question: DisplayText = """

            0 1 2   3 4 5

        Does the other screen show the same digits? Send it to “Copper Crow” (d54c-3d6b-e136-1e20)? [y/N]\u{20}
        """

    /// The text of a screen on one line, so that words can be found wherever lines end.
    private func words(_ terminal: TerminalModel) -> String {
        terminal.text.split { $0.isWhitespace }.joined(separator: " ")
    }

    private func count(_ part: String, in text: String) -> Int {
        text.ranges(of: part).count
    }

    @Test(arguments: widths) func aLongQuestionLeavesNoCopies(columns: Int) {
        let terminal = TerminalModel(columns: columns)
        let console = terminal.console()
        console.tell("“Copper Crow” (d54c-3d6b-e136-1e20) at 10.77.0.2:36904 asks for “Coma Pedrosa”; encrypted")
        console.setQuestion(Self.question)
        for number in 1...3 {
            console.note("Another machine nearby has this name; this one is now announced as Wild Falcon \(number)")
        }
        let words = words(terminal)
        for part in ["Does the other screen", "Copper Crow” (d54c-3d6b-e136-1e20)? [y/N]", "0 1 2 3 4 5", "asks for"] {
            #expect(count(part, in: words) == 1, "\(part):\n\(terminal.text)")
        }
        for number in 1...3 { #expect(count("Wild Falcon \(number)", in: words) == 1) }
        #expect(words.hasSuffix("[y/N]"))
        #expect(terminal.unknownSequences.isEmpty)

        console.setQuestion(nil)
        #expect(!self.words(terminal).contains("Does the other screen"))
        #expect(self.words(terminal).hasSuffix("Wild Falcon 3"))
    }

    @Test(arguments: widths) func waitingIsNotDoubled(columns: Int) {
        let terminal = TerminalModel(columns: columns)
        let console = terminal.console()
        let waiting: DisplayText = "Waiting for “Northern Nutcracker” (d54c-3d6b-e136-1e20) to accept…"
        console.show("Connecting…")
        console.show(waiting)
        console.note("The screen of “Northern Nutcracker” must show the same digits:\n\n    0 1 2   3 4 5\n")
        console.note("x")
        #expect(count("Waiting for", in: words(terminal)) == 1, "\(terminal.text)")
        #expect(!terminal.text.contains("Connecting"))
        console.show(nil)
        #expect(!terminal.text.contains("Waiting"))
        #expect(!terminal.text.contains("accept"))
        #expect(terminal.text.hasSuffix("\nx"))
    }

    @Test(arguments: widths) func aWordThatIsWiderThanTheWindowIsErasedWhole(columns: Int) {
        let terminal = TerminalModel(columns: columns)
        let console = terminal.console()
        console.show("Importing /\(String(repeating: "x", count: 200))  12 % of 66 MB")
        console.show("Importing /\(String(repeating: "x", count: 200))  13 % of 66 MB")
        console.note("done")
        #expect(count("Importing", in: terminal.text) == 1)
        console.show(nil)
        #expect(terminal.text == "done")
    }

    @Test(arguments: widths) func wideCharactersTakeTwoColumns(columns: Int) {
        let terminal = TerminalModel(columns: columns)
        let console = terminal.console()
        let name = DisplayText(quoting: String(repeating: "富士山", count: 6))
        console.setQuestion(
            "Does the other screen show the same digits? Send it to \(name) (d54c-3d6b-e136-1e20)? [y/N] "
        )
        console.note("one")
        console.note("two")
        let words = words(terminal)
        #expect(count("Does the other", in: words) == 1 && count("[y/N]", in: words) == 1, "\(terminal.text)")
    }

    @Test(arguments: widths) func anAnsweredQuestionStays(columns: Int) async throws {
        let terminal = TerminalModel(columns: columns)
        let pipe = try Pipe()
        let console = terminal.console(input: pipe.reader)
        // What the terminal shows when the person types.
        terminal.write("")
        async let answer = console.ask(introduction: "Introduction", Self.question, rings: true)
        while !terminal.text.contains("[y/N]") { await Task.yield() }
        console.note("meanwhile")
        terminal.write("y\n")
        pipe.write("y\n")
        #expect(try await answer == "y")
        console.note("afterwards")
        let words = words(terminal)
        #expect(count("Does the other screen", in: words) == 1, "\(terminal.text)")
        #expect(words.hasPrefix("Introduction meanwhile 0 1 2"))
        #expect(words.hasSuffix("[y/N] y afterwards"))
        #expect(terminal.bellCount == 1)
    }

    @Test func onlyQuestionsThatSomeoneMayMissRing() async throws {
        let pipe = try Pipe()
        pipe.closeWriter()
        let quiet = TerminalModel(columns: 80)
        #expect(try await quiet.console(input: pipe.reader).ask("Paste the share link: ") == nil)
        #expect(quiet.bellCount == 0)
        let dumb = TerminalModel(columns: 80)
        #expect(try await dumb.console(isLive: false, input: pipe.reader).ask("Receive it?", rings: true) == nil)
        #expect(dumb.bellCount == 0)
    }

    @Test func aTerminalThatCannotEraseRepeatsTheQuestionBelow() {
        let terminal = TerminalModel(columns: 80)
        let console = terminal.console(isLive: false)
        console.setQuestion("Receive it? [y/N] ")
        console.note("news")
        #expect(terminal.text == "Receive it? [y/N]\nnews\nReceive it? [y/N]")
        #expect(terminal.unknownSequences.isEmpty && terminal.styles.isEmpty)
    }
}
