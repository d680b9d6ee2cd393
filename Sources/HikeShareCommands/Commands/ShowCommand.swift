import ArgumentParser
import FoundationEssentials
import RegionStore

/// The command `hikeshare show`.
struct ShowCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the details of a region.",
        discussion: """
            Examples:
              hikeshare show "Coma Pedrosa"
              hikeshare show 3f9a12cd
            """
    )

    @OptionGroup var region: RegionArgument

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let store = try global.openStore(.reading)
        let region = try store.region(named: region.name)
        let console = global.makeConsole()
        let photos = try store.photos(of: region.id)
        let items = try store.briefItems(of: region.id)
        var report = RegionDetailReport(region: region)
        report.sketch = try console.text {
            AreaSketch(area: region.boundingBox, outlines: try store.outlines(of: region.id))
        }
        console.emit(report)
        try RegionItemsReport.forEachPiece(
            count: { items.count($0) },
            read: { try items.items($0, $1) },
            photos: Dictionary(photos.map { ($0.waypointID, $0) }) { first, _ in first },
            isAligned: console.format == .text,
            body: { console.emit($0) }
        )
        console.emit(RegionHistoryReport(history: try store.history(limit: 1000).filter { $0.regionID == region.id }))
    }
}
