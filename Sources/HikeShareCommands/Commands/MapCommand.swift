import ArgumentParser
import FoundationEssentials
import RegionStore
import SharingReports

struct MapCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "map",
        abstract: "Show regions as maps in the browser, without internet.",
        discussion: """
            Shows the map with its hikes, planned routes, elevation profiles, waypoints and photos. Only browsers of this \
            machine and of your user can open the page. It is there until you press Ctrl-C. Without a region, it \
            lists yours.

            On the list, you can also add files, receive a map from a machine nearby, and send yours: the page asks what \
            'import', 'receive' and 'send' ask in a terminal. With --window, give files and folders instead of a region: the page asks whether to \
            add them to your maps. A second start gives them to the window that is open.

            Examples:
              hikeshare map
              hikeshare map "Coma Pedrosa"
              hikeshare map --window alps.mbtiles huts.gpx
            """
    )

    @Argument(
        help: ArgumentHelp("Name of the region, or a part of it; with --window, files.", valueName: "region"),
        completion: .region
    )
    var words: [String] = []

    /// The name or id, which needs no quotation marks; empty for the list of regions.
    ///
    /// With the window, the words are files.
    var region: String { words.joined(separator: " ") }

    @Flag(help: "Only print the address.")
    var noBrowser = false

    @Flag(
        help:
            "Show the list of your maps, and end some minutes after the last page was closed. With files, ask there to add them."
    )
    var window = false

    @OptionGroup var localSend: LocalSendOptions

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let console = global.makeConsole()
        let opened = try OpenedFiles(
            window ? words : [],
            arguments: InputFile.arguments,
            in: FileManager.default.currentDirectoryPath
        )
        let store = try openStore(console)
        let showsList = try window || (words.isEmpty && store.regions().count != 1)
        let server = MapServer(
            store: store,
            region: showsList ? nil : try store.region(named: region),
            opensBrowser: !noBrowser,
            endsWithPages: window,
            findsPhones: showsList && !localSend.noLocalSend,
            opened: opened,
            environment: ProcessInfo.processInfo.environment,
            console: console
        )
        try await server.run()
    }

    /// Opens the store; the window also begins without one, because a map can be received there.
    private func openStore(_ console: Console) throws -> RegionStore {
        do {
            return try global.openStore(.reading)
        } catch  where (window || (words.isEmpty && error is CommandError)) && ExitStatus(ending: error) == .notFound {
            return try global.makeStore(console)
        }
    }
}
