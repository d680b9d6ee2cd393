import ArgumentParser
import FoundationEssentials
import RegionStore

/// The command `hikeshare remove`.
struct RemoveCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a region and everything that belongs to it.",
        discussion: """
            Recorded hikes, planned routes and waypoints are removed, too; --export writes them to a GPX file first.

            Examples:
              hikeshare remove "Coma Pedrosa"
              hikeshare remove "Coma Pedrosa" --export coma-pedrosa.gpx --yes
              hikeshare remove 3f9a12cd --with-routes --yes
            """
    )

    @Argument(help: "Full name of the region, or the start of its id.")
    var region: String

    @Option(
        name: .long,
        help: ArgumentHelp(
            "First write hikes, planned routes and waypoints to this GPX file, which must not exist.",
            valueName: "file"
        )
    )
    var export: String?

    @Flag(name: .long, help: "Remove hikes, planned routes and waypoints without saving them.")
    var withRoutes = false

    @Flag(
        name: .long,
        help: "Do not ask for confirmation. Requires --export or --with-routes if there is anything to save."
    )
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
