import ArgumentParser
import FoundationEssentials
import RegionStore
import SharingReports

struct OpenCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Open a region in GPXSee, or else in the browser.",
        discussion: """
            Writes the map, the hikes, planned routes and waypoints to files in the cache folder, and starts GPXSee, or the \
            program that you name, with these files. What you change there does not change the store; import a GPX file to take \
            it over. Without the program or a desktop, shows the page of 'hikeshare map'.

            Examples:
              hikeshare open "Coma Pedrosa"
              hikeshare open "Coma Pedrosa" --with qgis
            """
    )

    @OptionGroup var region: RegionArgument

    @Option(help: ArgumentHelp("Its command, or 'browser'.", valueName: "program"))
    var with: MapProgram?

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let store = try global.openStore(.reading)
        let opener = RegionOpener(
            store: store,
            region: try store.region(named: region.name),
            choice: with,
            environment: ProcessInfo.processInfo.environment,
            console: global.makeConsole()
        )
        try await opener.run()
    }
}
