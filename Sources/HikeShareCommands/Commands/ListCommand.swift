import ArgumentParser
import RegionStore

/// The command `hikeshare list`.
struct ListCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show the regions of the store."
    )

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let console = global.makeConsole()
        let regions = try global.openStore().regions()
        console.emit(RegionListReport(regions: regions))
        if regions.isEmpty { console.note("No regions yet. Import a map:  hikeshare import FILE.mbtiles") }
    }
}
