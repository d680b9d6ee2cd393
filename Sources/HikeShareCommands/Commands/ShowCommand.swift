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

    @Argument(help: "Name of the region, or the start of its id.")
    var region: String

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let store = try global.openStore()
        let region = try store.region(matching: region)
        global.makeConsole().emit(
            RegionDetailReport(
                region: region,
                hikes: try store.hikes(of: region.id),
                plannedRoutes: try store.plannedRoutes(of: region.id),
                waypoints: try store.waypoints(of: region.id),
                photos: try store.photos(of: region.id),
                history: try store.history(limit: 1000).filter { $0.regionID == region.id }
            )
        )
    }
}
