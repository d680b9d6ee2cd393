import SharingReports
import Testing

@testable import HikeShareCommands

@Suite struct TextLayoutTests {
    private func lines(_ text: DisplayText, _ width: Int) -> [String] {
        TextLayout(width: width).lines(of: text).map(\.string)
    }

    @Test(
        arguments: [
            ("", 20, [""]),
            ("one two three", 20, ["one two three"]),
            ("one two three four five", 20, ["one two three four", "five"]),
            ("aaaaaaaaaa bbbbbbbbb c", 20, ["aaaaaaaaaa bbbbbbbbb", "c"]),
            ("one\n\ntwo", 20, ["one", "", "two"]),
            // A word that is too wide stays whole.
            ("see hikeshare://10.0.0.1:1/aaaaaaaaaa now", 20, ["see", "hikeshare://10.0.0.1:1/aaaaaaaaaa", "now"]),
            ("  - one two three four five", 20, ["  - one two three", "    four five"]),
            ("  one two three four five six", 20, ["  one two three four", "  five six"]),
            (
                "To see it:  one two three four five", 24,
                ["To see it:  one two", "            three four", "            five"]
            ),
            // The space for the answer.
            ("Do you want to take it? [y/N] ", 20, ["Do you want to take", "it? [y/N] "]),
            // Between characters of East Asia, no space is needed.
            ("富士山富士山富士山富士山", 20, ["富士山富士山富士山富", "士山"]),
            ("富 士山富士山富士山富士山", 20, ["富 士山富士山富士山", "富士山"]),
            ("e\u{301}e\u{301}e\u{301} one two three fou", 20, ["e\u{301}e\u{301}e\u{301} one two three", "fou"]),
        ] as [(String, Int, [String])]
    )
    func breaksAtWords(text: String, width: Int, lines: [String]) {
        // Line feeds of the cases are those of the program.
        let parts = text.split(separator: "\n", omittingEmptySubsequences: false).map {
            DisplayText(escaping: String($0))
        }
        #expect(self.lines(parts.joined(separator: "\n"), width) == lines)
    }

    @Test func codesAreNeverBroken() {
        let code = "\("█▀▀ ▄▄ █▄", .code)\("▄█ ▀▀ ▀██", .code)" as DisplayText
        #expect(lines(code, 20) == [code.string])
        #expect(lines(code + " one two", 20).count == 2)
    }

    @Test func commandsStayOnOneLine() {
        let text: DisplayText = "or, by address:  \("hikeshare receive --connect 10.77.0.1:4711", .command)"
        #expect(lines(text, 80) == [text.string])
        #expect(lines(text, 50) == ["or, by address:", "  hikeshare receive --connect 10.77.0.1:4711"])
        #expect(lines(text, 40) == ["or, by address:", "hikeshare receive --connect 10.77.0.1:4711"])
    }

    @Test func stylesGoAlong() {
        let text: DisplayText = "one two three four \("five six seven", .strong) eight"
        let styled = TextLayout(width: 24).lines(of: text).map(\.stringWithStyles)
        #expect(styled == ["one two three four \u{1B}[1mfive\u{1B}[0m", "\u{1B}[1msix seven\u{1B}[0m eight"])
    }

    @Test(arguments: 24...100) func noLineIsTooWide(width: Int) {
        let text: DisplayText = """
            The connection to “Brave Marmot” (3f9a-12cd-07be-55a1) was lost. Leave this running: it resumes.
              - The share link that 'send' shows may still work:  hikeshare receive --link
            """
        let all = lines(text, width)
        #expect(all.allSatisfy { DisplayText(escaping: $0).width <= width }, "\(all)")
        let words = all.joined(separator: " ").split(separator: " ")
        #expect(words == text.string.split { $0 == " " || $0 == "\n" })
    }

    // MARK: Tables

    private let table = TextTable.render(
        [
            ["NAME", "ID", "SIZE", "HAS"],
            ["Coma Pedrosa", "52C93677", "2.7 MB", "map, routing, 1 hike, 1 planned, 46 waypoints"],
            ["Alps", "AAAAAAAA", "66.0 MB", "map"],
        ],
        trailing: [2]
    )

    @Test func aTableThatFitsIsLeftAlone() {
        #expect(lines(table, 80) == table.string.split(separator: "\n").map(String.init))
    }

    @Test func theLastColumnIsBrokenInPlace() {
        #expect(
            lines(table, 62) == [
                "NAME          ID           SIZE  HAS",
                "Coma Pedrosa  52C93677   2.7 MB  map, routing, 1 hike, 1",
                "                                 planned, 46 waypoints",
                "Alps          AAAAAAAA  66.0 MB  map",
            ]
        )
    }

    @Test func aNarrowTableBecomesOneParagraphForEachRow() {
        #expect(
            lines("Regions\n" + table + "\nEnd", 40) == [
                "Regions",
                "NAME",
                "  ID  SIZE  HAS",
                "Coma Pedrosa",
                "  52C93677  2.7 MB",
                "  map, routing, 1 hike, 1 planned, 46",
                "  waypoints",
                "Alps",
                "  AAAAAAAA  66.0 MB  map",
                "End",
            ]
        )
    }

    @Test func anIndentedTableStaysIndented() {
        let table = TextTable.render([["", "Area", "9.2 × 6.8 km, 42.5560° to 42.6175° N"], ["", "Total", "2.8 MB"]])
        #expect(
            lines(table, 36) == [
                "  Area   9.2 × 6.8 km, 42.5560° to",
                "         42.6175° N",
                "  Total  2.8 MB",
            ]
        )
        #expect(
            lines(TextTable.render([["", "Estany", "4.9 km", "600 m up, 20 m down", "2025-06-15"]]), 30) == [
                "  Estany", "    4.9 km", "    600 m up, 20 m down", "    2025-06-15",
            ]
        )
    }
}
