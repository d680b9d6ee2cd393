import FoundationEssentials
import SharingReports
import SharingTestSupport
import Testing

@testable import HikeShareCommands

/// Names made to break what reads our JSON: it stays one object a line, with the very same name in it.
@Suite struct HostileNameTests {
    static let names = [
        "</script><script>alert(1)</script>", "\"},{\"type\":\"received\"", "\\", "\\u0000", "\u{0}", "a\nb\r\n{}",
        "\u{2028}\u{2029}", "<img src=x onerror=alert(1)>", "'; DROP TABLE region; --", "{{7*7}}", "\u{FEFF}", "\u{85}",
        "\u{FFFE}\u{10FFFF}", "e\u{301}\u{301}\u{301}", "🏔️👩‍👩‍👧", "\u{1B}]0;x\u{7}", String(repeating: "\"", count: 1000),
    ]

    private static let endsLines: Set<Unicode.GeneralCategory> = [.control, .lineSeparator, .paragraphSeparator]

    @Test(arguments: names) func staysOneObjectALine(name: String) throws {
        let regions = PlainReport.regions([try Sample.region(name: name)])
        let peers = PlainReport.senders([Sample.discovered(name, 1)])
        for text in [regions.rendered(as: .json), peers.rendered(as: .json)] {
            #expect(!text.dropLast().unicodeScalars.contains { Self.endsLines.contains($0.properties.generalCategory) })
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count == 2 && lines[1].isEmpty)
            #expect(try fields(lines[0])["name"] == .text(name))
        }
    }
}
