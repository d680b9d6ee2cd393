import ArgumentParser
import FoundationEssentials
import RegionStore

/// The command `hikeshare remove`.
struct RemoveCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a region with everything that belongs to it.",
        discussion: """
            Its recorded hikes, planned routes and waypoints go with it; they can be written to a GPX file first.

            Examples:
              hikeshare remove "Coma Pedrosa"
              hikeshare remove "Coma Pedrosa" --export coma-pedrosa.gpx --yes
              hikeshare remove 3f9a12cd --with-routes --yes
            """
    )

    @Argument(help: "The region: its whole name or the start of its id.")
    var region: String

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write its hikes, planned routes and waypoints to this GPX file first, which must not exist.",
            valueName: "file"
        )
    )
    var export: String?

    @Flag(name: .long, help: "Let its hikes, planned routes and waypoints go without writing them anywhere.")
    var withRoutes = false

    @Flag(name: .long, help: "Ask nothing: say yes. Needs --export or --with-routes if it has any of them.")
    var yes = false

    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard export == nil || !withRoutes else { throw ValidationError("Give --export or --with-routes, not both.") }
    }

    func run() async throws {
        let console = global.makeConsole()
        let store = try global.openStore()
        let removal = Removal(region: try store.region(matching: region, isExact: true), console: console)
        let fate = export.map(Removal.Fate.export) ?? (withRoutes ? .go : nil)
        let file = try await yes ? removal.fileWithoutAsking(fate) : removal.confirmedFile(fate)
        let counts = try store.remove(removal.region.id, asSeen: removal.region, exportingItemsTo: file)
        console.emit(RemovalReport(region: removal.region, counts: counts, file: file))
    }
}
