import Glibc
import PeerTestSupport
import Sentences
import SharingReports
import Testing

@testable import HikeShareCommands

/// Where text has colours and limited width.
@Suite struct ColorTests {
    @Test(
        arguments: [
            (.auto, true, ["TERM": "xterm"], true), (.auto, false, ["TERM": "xterm"], false),
            (.auto, true, ["TERM": "dumb"], false), (.auto, true, [:], false),
            (.auto, true, ["TERM": "xterm", "NO_COLOR": "1"], false),
            (.auto, true, ["TERM": "xterm", "NO_COLOR": ""], true),
            (.always, false, ["NO_COLOR": "1"], true), (.never, true, ["TERM": "xterm"], false),
        ] as [(ColorChoice, Bool, [String: String], Bool)]
    )
    func colorsAreForTerminals(choice: ColorChoice, isTerminal: Bool, environment: [String: String], hasColor: Bool) {
        #expect(choice.hasColor(isTerminal: isTerminal, environment: environment) == hasColor)
    }

    @Test func styledTextEndsItsStyle() {
        let text: DisplayText = "\("hikeshare:", .alarm) no \("x", .strong)"
        #expect(text.string == "hikeshare: no x")
        #expect(text.stringWithStyles == "\u{1B}[1;31mhikeshare:\u{1B}[0m no \u{1B}[1mx\u{1B}[0m")
        let cut = text.truncated(to: 5)
        #expect(cut.stringWithStyles == "\u{1B}[1;31mhike\u{1B}[0m…")
        let twice = text + "\n" + text
        #expect(twice.stringWithStyles == text.stringWithStyles + "\n" + text.stringWithStyles)
    }

    @Test func aNameCannotSetAStyle() {
        let name = "\u{1B}[31mEvil"
        let text: DisplayText = "\(name, .strong)"
        #expect(text.stringWithStyles == "\u{1B}[1m\\u{1b}[31mEvil\u{1B}[0m")
    }

    @Test func theDigitsAreBoldInATerminal() {
        let terminal = TerminalModel(columns: 80)
        terminal.console(hasColor: true).setQuestion(Self.question)
        #expect(terminal.styles == ["1", "0"])
        let plain = TerminalModel(columns: 80)
        plain.console().setQuestion(Self.question)
        #expect(plain.styles.isEmpty)
        #expect(plain.text == terminal.text)
    }

    private static let question: DisplayText = "\("0 1 2   3 4 5", .strong)\n\nReceive it? [y/N] "

    @Test func pipesGetTheTextAsItIs() {
        let written = Locked<[Int32: String]>([:])
        let console = Console(
            format: .text,
            screen: Screen(
                canAsk: false,
                isLive: false,
                output: { text, descriptor in written.withLock { $0[descriptor, default: ""] += text } }
            )
        )
        let long = String(repeating: "word ", count: 50)
        console.note("\("Strong", .strong) \(long)")
        console.emit(.advertised(long))
        #expect(written.withLock { $0[STDERR_FILENO] } == "Strong \(long)\n")
        #expect(written.withLock { $0[STDOUT_FILENO] } == "Announced as \(long)\n")
    }

    @Test func jsonHasNoStylesAndIsNotBroken() {
        let written = Locked("")
        let device = Screen.Device(isTerminal: true, hasColor: true)
        let console = Console(
            format: .json,
            screen: Screen(
                canAsk: false,
                isLive: true,
                results: device,
                messages: device,
                measure: { _ in (40, 24) },
                output: { text, _ in written.withLock { $0 += text } }
            )
        )
        let long = String(repeating: "word ", count: 50)
        console.emit(.advertised(long))
        console.warn(ProblemReport(CommandError(.storage, Sentence(verbatim: long)), severity: .warning))
        let lines = written.withLock { $0 }.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.allSatisfy { (try? fields($0)) != nil && !$0.contains("\u{1B}") })
    }
}
