public import ArgumentParser
public import RegionStore

extension WaypointCategory: ExpressibleByArgument {}

/// The command `hikeshare waypoint add`.
struct WaypointAddCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a waypoint to a region.",
        discussion: """
            Examples:
              hikeshare waypoint add "Coma Pedrosa" 42.5918,1.4436 "Pic de Coma Pedrosa" --category viewpoint
              hikeshare waypoint add Tatra 49.1795,20.0880 Spring --category waterSource --note "Dry in August"
            """
    )

    @Argument(help: "Name of the region, or the start of its id.", completion: .region)
    var region: String

    @Argument(help: ArgumentHelp("Position in degrees; south and west are negative.", valueName: "lat,lon"))
    var position: Position

    @Argument(help: "Name of the waypoint.")
    var name: String

    @Option(name: .long, help: "Kind of place.")
    var category: WaypointCategory = .custom

    @Option(name: .long, help: ArgumentHelp("A longer text about the place.", valueName: "text"))
    var note = ""

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let console = global.makeConsole()
        let store = try global.openStore(.writing)
        let region = try store.region(matching: region)
        let added = try store.addWaypoint(
            named: name,
            at: position.coordinate,
            category: category,
            note: note,
            to: region.id
        )
        console.emit(AddedWaypointReport(added: added))
        guard !added.isInsideMap else { return }
        let warning = CommandError(
            .usage,
            "The waypoint is outside the map of “\(region.name)”.",
            remedy: "Check the position: the latitude comes first. To remove the waypoint, use 'hikeshare remove'."
        )
        console.warn(ProblemReport(warning, severity: .warning))
    }
}
