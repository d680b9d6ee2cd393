import ArgumentParser
import FoundationEssentials
import RegionStore

/// The command `hikeshare map`.
struct MapCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "map",
        abstract: "Show regions as maps in the browser, without internet.",
        discussion: """
            Shows the map with its hikes, planned routes, elevation profiles, waypoints and photos. Only browsers of this \
            machine and of your user can open the page. It is there until you press Ctrl-C. Without a region, it \
            lists yours.

            Examples:
              hikeshare map
              hikeshare map "Coma Pedrosa"
            """
    )

    @Argument(help: .region, completion: .region)
    var words: [String] = []

    /// The name or id, which needs no quotation marks; empty for the list of regions.
    var region: String { words.joined(separator: " ") }

    @Flag(name: .long, help: "Only print the address.")
    var noBrowser = false

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let store = try global.openStore(.reading)
        let all = try store.regions()
        let server = MapServer(
            store: store,
            region: words.isEmpty && all.count > 1 ? nil : try store.region(named: region),
            opensBrowser: !noBrowser,
            environment: ProcessInfo.processInfo.environment,
            console: global.makeConsole()
        )
        try await server.run()
    }
}
