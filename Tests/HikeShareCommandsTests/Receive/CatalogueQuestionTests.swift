import Foundation
import PeerTestSupport
import SharingReports
import SharingTestSupport
import Testing

@testable import HikeShareCommands
@testable import PeerCore
@testable import RegionSharing
@testable import RegionStore

/// What a person types at a list of regions, and sees of it.
@Suite struct CatalogueQuestionTests {
    @Test(
        arguments: [
            ("", [0, 1]), ("  ", [0, 1]), ("1 3", [0, 2]), ("3,1", [2, 0]), ("2-4", [1, 2, 3]), ("4 4", [3]),
            ("all", [0, 1, 2, 3]), ("y", [0, 1, 2, 3]), ("Pirineus", [2]), ("coma pedrosa", [0]),
        ] as [(String, [Int])]
    )
    func linesAreRead(line: String, numbers: [Int]) throws {
        let items = try Sample.catalogue()
        let usual = CatalogueWish.usual.ids(of: items)
        #expect(
            CatalogueAnswerLine(line, to: items, usual: usual) == .ids(numbers.map { items[$0].region.id })
        )
    }

    @Test(arguments: ["0", "5", "1 9", "3-1", "1-", "-", "1-2-3", "99999999999999999999", "a b", "x"])
    func otherLinesAreNoAnswer(line: String) throws {
        let answer = CatalogueAnswerLine(line, to: try Sample.catalogue(), usual: [])
        guard case .unclear = answer else {
            Issue.record("\(line) is taken for an answer")
            return
        }
    }

    @Test(arguments: ["n", "no", "none", ""]) func nothingIsPicked(line: String) throws {
        let answer = CatalogueAnswerLine(line, to: try Sample.catalogue(), usual: [])
        #expect(answer == CatalogueAnswerLine.none)
    }

    @Test func aListOfAStrangerIsHarmless() throws {
        var items = try Sample.catalogue()
        items[0].region.name = "A\u{1B}[31m\u{202E}” is yours. \u{9B}"
        let report = CatalogueFacts(peer: Sample.remotePeer(), items: items, unreadableCount: 2)
        #expect(!report.text.string.contains("\u{1B}") && !report.text.string.contains("\u{202E}"))
        #expect(report.text.string.contains("2 regions of the list cannot be read."))
        let line = try #require(report.payloads.first?.line)
        #expect(!line.contains("\u{1B}") && line.contains(#""unreadable":2"#))
        #expect(line.contains(#""here":"newer""#))
    }

    /// What was named is not asked for again: with digits, a person only says whether they are the same.
    @Test(
        arguments: [
            ("7\n1 3\n", false, [0, 2]), ("none\n", false, nil), ("\n", false, [0, 1]), ("y\n", true, [0, 1, 2, 3]),
            ("\n", true, nil), ("n\n", true, nil),
        ] as [(String, Bool, [Int]?)]
    )
    func anUnclearAnswerIsAskedForAgain(typed: String, hasDigits: Bool, numbers: [Int]?) async throws {
        let items = try Sample.catalogue()
        let terminal = try Pipe()
        terminal.write(typed)
        let console = Console(
            format: .text,
            isQuiet: true,
            screen: Screen(canAsk: true, isLive: false),
            input: terminal.reader
        )
        let digits = hasDigits ? PairingDigits(digits: "012345") : nil
        var catalogue = CatalogueFacts(peer: Sample.remotePeer(), items: items, digits: digits)
        catalogue.usual = CatalogueWish.usual.ids(of: items)
        let ids = try await TerminalPerson(console).ask(CatalogueQuestion(catalogue: catalogue))
        #expect(ids == numbers.map { $0.map { items[$0].region.id } })
    }

    @Test func aPersonLearnsWhatAnswersThereAre() async throws {
        let (items, shown) = (try Sample.catalogue(), Locked(""))
        let terminal = try Pipe()
        terminal.write("andora\nnone\n")
        let console = Console(
            format: .text,
            isQuiet: true,
            screen: Screen(canAsk: true, isLive: false, output: { text, _ in shown.withLock { $0 += text } }),
            input: terminal.reader
        )
        let catalogue = CatalogueFacts(peer: Sample.remotePeer(), items: items, digits: nil)
        #expect(try await TerminalPerson(console).ask(CatalogueQuestion(catalogue: catalogue)) == nil)
        let words = shown.value.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("“andora” is none of them: type numbers (1 to 4), all, none, or a name."), "\(words)")
    }
}
