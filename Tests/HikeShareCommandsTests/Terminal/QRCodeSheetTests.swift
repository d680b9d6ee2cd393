import Foundation
import PeerCore
import PeerTestSupport
import RegionSharing
import SharingReports
import Testing

@testable import HikeShareCommands

@Suite struct QRCodeSheetTests {
    private static let captions = ["1. Join the Wi-Fi", "2. The share link, for hikeshare"]

    /// The codes of a sender that has made a network: of the network, and of the longest link.
    private static func texts() throws -> [String] {
        let wiFi = try #require(Screens.wiFi)
        return [MadeNetwork.wifiText(wiFi), String(repeating: "A", count: ShareLinkAddresses.usefulLength)]
    }

    private static func sheet() throws -> QRCodeSheet {
        let codes = try texts().map { try #require(QRCode($0)) }
        return try #require(QRCodeSheet(zip(captions, codes).map { QRCodeSheet.Item(caption: $0, code: $1) }))
    }

    @Test func theNetworkIsNamedAsPhonesExpect() throws {
        #expect(try Self.texts()[0] == "WIFI:T:WPA;S:hikeshare-7K3M;P:mk4t-9rwb-x7hq;;")
    }

    @Test func twoCodesFitAnUsualTerminal() throws {
        let sheet = try Self.sheet()
        // The cursor is in the row below.
        #expect(sheet.size.columns <= 80 && sheet.size.rows + 1 <= 24, "\(sheet.size)")
        var presentation = QRCodePresentation()
        #expect(presentation.show(sheet, in: (80, 24)) == .draw(sheet))
    }

    @Test func everyLineIsAsWideAsItSays() throws {
        let sheet = try Self.sheet()
        let lines = sheet.text.string.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == sheet.size.rows)
        for line in lines { #expect(Self.plain(line).count == sheet.size.columns) }
        let caption = Self.plain(try #require(lines.first))
        for words in Self.captions { #expect(caption.contains(words)) }
    }

    @Test func bothCodesAreReadByAnotherDecoder() async throws {
        let sheet = try Self.sheet()
        let rows = sheet.text.string.split(separator: "\n").dropFirst().map(Self.plain)
        let image = QRCodeTests.image(ofRows: rows.map(Array.init))
        try await TemporaryDirectory.with { directory in
            let path = directory.path("codes.pbm")
            try image.write(toFile: path, atomically: false, encoding: .utf8)
            let (status, output, errors) = try await ChildProcess.with("zbarimg", ["--raw", "-q", path]) {
                await $0.complete()
            }
            #expect(status == .exited(0), "\(errors)")
            #expect(Set(output) == Set(try Self.texts()))
        }
    }

    @Test func thereIsNoSheetWithoutCodes() {
        #expect(QRCodeSheet([]) == nil)
    }

    /// A line without its colours.
    private static func plain(_ line: some StringProtocol) -> String {
        String(line).replacing(#/\x1B\[[0-9;]*m/#, with: "")
    }
}
