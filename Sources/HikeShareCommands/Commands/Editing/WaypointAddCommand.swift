public import ArgumentParser
public import RegionStore

/// The command `hikeshare waypoint`, which groups those about waypoints.
struct WaypointCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waypoint",
        abstract: "Add waypoints to a region.",
        discussion: """
            To rename or remove a waypoint, use 'hikeshare rename' or 'hikeshare remove' with --waypoint.
            """,
        subcommands: [WaypointAddCommand.self]
    )
}

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

    @Argument(help: .region, completion: .region)
    var firstWord: String

    @Argument(help: ArgumentHelp("Position in degrees; south and west are negative.", valueName: "lat,lon"))
    var secondWord: String

    @Argument(help: ArgumentHelp("Name of the waypoint.", valueName: "name"))
    var otherWords: [String]

    @Option(name: .long, help: "Kind of place.")
    var category: WaypointCategory = .custom

    @Option(name: .long, help: ArgumentHelp("A longer text about the place.", valueName: "text"))
    var note = ""

    @OptionGroup var global: GlobalOptions

    /// The words of the region's name, the position, and the words of the waypoint's name; nil if one of them is missing.
    ///
    /// Names need no quotation marks, because the position is between them.
    var parts: (region: String, position: Position, name: String)? {
        let words = [firstWord, secondWord] + otherWords
        for (index, word) in words.enumerated().dropFirst().dropLast() {
            guard let position = Position(argument: word) else { continue }
            let (region, name) = (words[..<index], words[(index + 1)...])
            return (region.joined(separator: " "), position, name.joined(separator: " "))
        }
        return nil
    }

    func validate() throws {
        guard parts == nil else { return }
        throw ValidationError(
            "Give the region, a position such as 42.5918,1.4436 (latitude first, no space), and the name of the waypoint."
        )
    }

    func run() async throws {
        guard let parts else { return }
        let console = global.makeConsole()
        let store = try global.openStore(.writing)
        let region = try store.region(named: parts.region)
        let added = try store.addWaypoint(
            named: parts.name,
            at: parts.position.coordinate,
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

/// A position on the command line: the latitude and the longitude in degrees, with a comma between them.
struct Position: ExpressibleByArgument, Hashable, Sendable {
    /// The position.
    let coordinate: Coordinate

    init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map { part in
            Double(String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()))
        }
        guard parts.count == 2, let latitude = parts[0], let longitude = parts[1],
            let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        else { return nil }
        self.coordinate = coordinate
    }
}
