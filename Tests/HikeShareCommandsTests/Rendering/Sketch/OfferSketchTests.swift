import SharingReports
import SharingTestSupport
import Testing

@testable import HikeShareCommands
@testable import PeerCore
@testable import RegionSharing
@testable import RegionStore

/// The sketch of an offer in windows of different sizes.
@Suite struct OfferSketchTests {
    private static func offer(isLong: Bool) throws -> OfferFacts {
        var report = try Screens.offer()
        guard isLong else { return report }
        report.local = try Screens.region()
        report.local?.boundingBox = try Sample.elsewhere()
        report.region.name = String(repeating: "Nordkette ", count: 20)
        report.routes = RouteSelection(named: ["Goetheweg", "Höttinger Alm"])
        report.wanted.remove(.photos)
        return report
    }

    private static func show(
        _ report: OfferFacts,
        columns: Int,
        rows: Int,
        characters: SketchCharacters = .braille
    ) -> [Substring] {
        let terminal = TerminalModel(columns: columns, height: rows)
        let console = terminal.console(characters: characters)
        console.tell(console.introduction(of: report))
        console.setQuestion(report.question)
        return terminal.text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// If the offer has room in the window without the sketch, it has room with it.
    @Test(arguments: [40, 60, 80, 120], [10, 16, 20, 24, 50])
    func theSketchNeverMovesTheOfferOutOfTheWindow(columns: Int, rows: Int) throws {
        for isLong in [false, true] {
            var report = try Self.offer(isLong: isLong)
            let withSketch = Self.show(report, columns: columns, rows: rows)
            report.region.outlines = []
            let without = Self.show(report, columns: columns, rows: rows)
            #expect(withSketch.count <= max(rows, without.count))
            #expect(withSketch.count - without.count <= 11)
        }
    }

    @Test func aWindowOfTheUsualSizeHasRoomForASketch() throws {
        let lines = Self.show(try Self.offer(isLong: false), columns: 80, rows: 24)
        #expect(lines.count <= 24)
        #expect(lines.contains { $0.hasPrefix("  ┌") })
    }

    @Test func oneRowLessThanASketchNeedsLeavesItOut() throws {
        var report = try Self.offer(isLong: false)
        report.region.outlines = []
        let height = Self.show(report, columns: 80, rows: 24).count
        report = try Self.offer(isLong: false)
        #expect(Self.show(report, columns: 80, rows: height + 7).contains { $0.contains("┌") })
        #expect(!Self.show(report, columns: 80, rows: height + 6).contains { $0.contains("┌") })
        #expect(!Self.show(report, columns: 39, rows: 100).contains { $0.contains("┌") })
    }

    @Test func onlyTheSelectedPartsAreDrawn() throws {
        var report = try Self.offer(isLong: false)
        report.wanted = [.mbtiles, .plannedroutes]
        let lines = Self.show(report, columns: 80, rows: 24)
        #expect(lines.contains("  ·· planned routes"))
        report.wanted = [.mbtiles, .waypoints]
        #expect(!Self.show(report, columns: 80, rows: 24).contains { $0.contains("┌") })
    }

    @Test func withoutATerminalThereIsNoSketch() throws {
        let report = try Self.offer(isLong: false)
        let console = Console(format: .text, screen: Screen(canAsk: false, isLive: false))
        #expect(console.introduction(of: report) == report.text)
        let sketch = AreaSketch(place: MapPlace(area: try Sample.box(), coverage: nil), outlines: try Sample.outlines())
        #expect(console.text { sketch }.isEmpty)
        #expect(!TerminalModel(columns: 80).console().text { sketch }.isEmpty)
    }

    @Test func otherTerminalsGetASCII() throws {
        let lines = Self.show(try Self.offer(isLong: false), columns: 80, rows: 24, characters: .ascii)
        let sketch = lines.filter { $0.hasPrefix("  |") || $0.hasPrefix("  +") }
        #expect(sketch.count > 6)
        #expect(sketch.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
    }
}
