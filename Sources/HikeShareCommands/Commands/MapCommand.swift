import ArgumentParser
import FoundationEssentials
import RegionStore
import SharingReports

/// The command `hikeshare map`.
struct MapCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "map",
        abstract: "Show regions as maps in the browser, without internet.",
        discussion: """
            Shows the map with its hikes, planned routes, elevation profiles, waypoints and photos. Only browsers of this \
            machine and of your user can open the page. It is there until you press Ctrl-C. Without a region, it \
            lists yours.

            On the list, you can also receive a map from a machine nearby, and send yours: the page asks what 'receive' \
            and 'send' ask in a terminal.

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

    @Flag(name: .long, help: "Show the list of your maps, and end some minutes after the last page was closed.")
    var window = false

    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard !window || words.isEmpty else {
            throw ValidationError("--window shows all maps: remove it, or the name of the region.")
        }
    }

    func run() async throws {
        let console = global.makeConsole()
        let store = try openStore(console)
        let showsList = try words.isEmpty && (window || store.regions().count != 1)
        let server = MapServer(
            store: store,
            region: showsList ? nil : try store.region(named: region),
            opensBrowser: !noBrowser,
            endsWithPages: window,
            environment: ProcessInfo.processInfo.environment,
            console: console
        )
        try await server.run()
    }

    /// Opens the store; the window also begins without one, because a map can be received there.
    private func openStore(_ console: Console) throws -> RegionStore {
        do {
            return try global.openStore(.reading)
        } catch  where words.isEmpty && ExitStatus(ending: error) == .notFound && (window || error is CommandError) {
            return try global.makeStore(console)
        }
    }
}
