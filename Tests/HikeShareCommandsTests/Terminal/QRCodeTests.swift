import Foundation
import PeerTestSupport
import RegionSharing
import SharingReports
import Testing

@testable import HikeShareCommands

@Suite struct QRCodeTests {
    /// The link of the usual case: one IPv4 address, one IPv6 link-local address, the default port.
    static let link = "HIKESHARE://000G40R40M30E20918V7Q4PF1C1QVZC9JR7EGCPNDW0C1A010W11RAR3ZZZ4TQKFEQS3"

    @Test(arguments: [link, "x", "hikeshare://10.0.0.1:1/" + String(repeating: "a", count: 800)])
    func isReadByAnotherDecoder(text: String) async throws {
        let code = try #require(QRCode(text))
        let image = try Self.image(fromTerminal: QRCodeSheet(code).text.stringWithStyles)
        try await TemporaryDirectory.with { directory in
            let path = directory.path("code.pbm")
            try image.write(toFile: path, atomically: false, encoding: .utf8)
            let (status, output, errors) = try await ChildProcess.with("zbarimg", ["--raw", "-q", path]) {
                await $0.complete()
            }
            #expect(status == .exited(0), "\(errors)")
            #expect(output == [text])
        }
    }

    @Test func hasLightAroundIt() throws {
        let code = try #require(QRCode(Self.link))
        #expect(code.isDark(0, 0) && code.isDark(code.side - 1, 0) && code.isDark(0, code.side - 1))
        for position in -1...code.side {
            #expect(!code.isDark(position, -1) && !code.isDark(-1, position))
            #expect(!code.isDark(position, code.side) && !code.isDark(code.side, position))
        }
        let rows = try Self.rows(ofTerminal: QRCodeSheet(code).text.stringWithStyles)
        #expect(rows.count == code.size.rows)
        #expect(rows.allSatisfy { $0.count == code.size.columns })
        #expect(rows.prefix(QRCode.quietZone / 2).allSatisfy { $0.allSatisfy { $0 == " " } })
        #expect(rows.allSatisfy { $0.prefix(QRCode.quietZone).allSatisfy { $0 == " " } })
    }

    @Test func fitsIntoAnUsualTerminal() throws {
        let code = try #require(QRCode(Self.link))
        #expect(code.side == 33)
        // With a line below it, and the cursor in the last row.
        #expect(code.size.columns <= 80 && code.size.rows + 2 <= 24)
    }

    @Test func theLongestLinkOfASenderFitsToo() throws {
        let longest = String(repeating: "A", count: ShareLinkAddresses.usefulLength)
        #expect(try #require(QRCode(longest)).side == 33)
        #expect(try #require(QRCode(longest + "A")).side > 33)
    }

    /// Pipes, and people who want no colours, get none.
    @Test func colorsAreThoseOfTheConsole() throws {
        let sheet = QRCodeSheet(try #require(QRCode(Self.link)))
        for hasColor in [false, true] {
            let written = Locked("")
            var screen = Screen(canAsk: false, isLive: false, output: { text, _ in written.withLock { $0 += text } })
            screen.messages.hasColor = hasColor
            Console(format: .text, screen: screen).note(sheet)
            #expect(written.withLock { $0.contains("\u{1B}") } == hasColor)
            #expect(written.withLock { $0.contains("█") })
        }
    }

    @Test func refusesWhatIsTooLong() {
        #expect(QRCode(String(repeating: "x", count: 3000)) == nil)
    }

    /// The characters of every line, without the colours, which must be black on white.
    private static func rows(ofTerminal text: String) throws -> [[Character]] {
        try text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let (start, end) = ("\u{1B}[38;5;16;48;5;231m", "\u{1B}[0m")
            try #require(line.hasPrefix(start) && line.hasSuffix(end))
            return Array(line.dropFirst(start.count).dropLast(end.count))
        }
    }

    /// A picture of what a terminal shows, with modules of four by four points.
    private static func image(fromTerminal text: String) throws -> String {
        image(ofRows: try rows(ofTerminal: text))
    }

    /// A picture of the characters of a terminal.
    static func image(ofRows rows: [[Character]]) -> String {
        var lines: [[Bool]] = []
        for row in rows {
            lines.append(row.map { "█▀".contains($0) })
            lines.append(row.map { "█▄".contains($0) })
        }
        let scale = 4
        let points = lines.flatMap { line in
            let wide = line.flatMap { Array(repeating: $0 ? "1" : "0", count: scale) }.joined(separator: " ")
            return Array(repeating: wide, count: scale)
        }
        return "P1\n\((lines.first?.count ?? 0) * scale) \(points.count)\n" + points.joined(separator: "\n") + "\n"
    }
}
