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

    @Argument(
        help: ArgumentHelp("Name of the region, or the start of its id.", valueName: "region"),
        completion: .region
    )
    var words: [String]

    /// The name or id; a name needs no quotation marks.
    var region: String { words.joined(separator: " ") }

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let store = try global.openStore(.reading)
        let region = try store.region(named: region)
        let console = global.makeConsole()
        var report = RegionDetailReport(
            region: region,
            hikes: try store.hikes(of: region.id),
            plannedRoutes: try store.plannedRoutes(of: region.id),
            waypoints: try store.waypoints(of: region.id),
            photos: try store.photos(of: region.id),
            history: try store.history(limit: 1000).filter { $0.regionID == region.id }
        )
        report.sketch = console.text(of: report.area)
        console.emit(report)
    }
}
