import SharingReports
import Testing

@testable import HikeShareCommands

@Suite struct DisplayTextTests {
    @Test func escapesWhatIsPutIn() {
        let name = "\u{1B}[2J"
        let text: DisplayText = "From \(name), \(3) times\n"
        #expect(text.string == "From \\u{1b}[2J, 3 times\n")
    }

    @Test func escapesOnlyOnce() {
        let inner: DisplayText = "\("\n")"
        let outer: DisplayText = "\(inner)|\(inner)"
        #expect(outer.string == "\\u{a}|\\u{a}")
    }

    @Test(arguments: [("abc", 3), ("", 0), ("日本", 4), ("é", 1), ("e\u{301}", 1), ("🏔️", 2), ("👩‍👩‍👧", 2)])
    func measuresColumns(text: String, width: Int) {
        #expect(DisplayText(escaping: text).width == width)
    }

    @Test(
        arguments: [
            ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("abcdef", 1, "…"), ("abcdef", 0, ""),
            ("日本語", 5, "日本…"), ("日本語", 4, "日…"),
        ]
    )
    func cutsToAWidth(text: String, width: Int, cut: String) {
        let result = DisplayText(escaping: text).truncated(to: width)
        #expect(result.string == cut)
        #expect(result.width <= width)
    }

    @Test func padsToAWidth() {
        #expect(DisplayText(escaping: "日").padded(to: 4).string == "日  ")
        #expect(DisplayText(escaping: "7").padded(to: 3, leading: true).string == "  7")
        #expect(DisplayText(escaping: "long").padded(to: 2).string == "long")
    }

    @Test func linesUpColumns() {
        let table = TextTable.render([["NAME", "SIZE", "HAS"], ["日本", "1", "x"], ["a", "100", ""]], trailing: [1])
        #expect(table.string == "NAME  SIZE  HAS\n日本     1  x\na      100")
    }
}
