public import ArgumentParser
public import RegionStore
import Sentences
import SharingReports

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

extension WaypointCategory: ExpressibleByArgument {
    /// Reads a category as the program prints it, or as people call it.
    public init?(argument: String) { self.init(words: argument) }
}

struct WaypointAddCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a waypoint to a region.",
        discussion: """
            Examples:
              hikeshare waypoint add "Coma Pedrosa" 42.5918,1.4436 "Pic de Coma Pedrosa" --category viewpoint
              hikeshare waypoint add Tatra 49.1795,20.0880 Spring --category water --note "Dry in August"
            """
    )

    @Argument(help: .region, completion: .region)
    var firstWord: String

    @Argument(help: ArgumentHelp("Position in degrees; south and west are negative.", valueName: "lat,lon"))
    var secondWord: String

    @Argument(help: ArgumentHelp("Name of the waypoint.", valueName: "name"))
    var otherWords: [String]

    @Option(help: "Kind of place.")
    var category: WaypointCategory = .custom

    @Option(help: ArgumentHelp("A longer text about the place.", valueName: "text"))
    var note = ""

    @OptionGroup var global: GlobalOptions

    /// The words of the region's name, the position, and the words of the waypoint's name; nil if one of them is missing.
    ///
    /// Names need no quotation marks, because the position is between them. It may have several words.
    var parts: (region: String, position: Coordinate, name: String)? {
        let words = [firstWord, secondWord] + otherWords
        for start in words.indices.dropFirst() {
            for end in (start + 1..<max(start + 1, words.count)).reversed() where end - start <= Self.longestPosition {
                guard let position = Coordinate(text: words[start..<end].joined(separator: " ")) else { continue }
                return (words[..<start].joined(separator: " "), position, words[end...].joined(separator: " "))
            }
        }
        return nil
    }

    /// The most words of a position: `N 42° 34' 42" E 1° 26' 54"`.
    private static let longestPosition = 8

    func validate() throws {
        guard parts == nil else { return }
        throw ValidationError(
            "Give the region, a position such as 42.5918,1.4436 (latitude first), and the name of the waypoint."
        )
    }

    func run() async throws {
        guard let parts else { return }
        let console = global.makeConsole()
        let store = try global.openStore(.writing)
        let region = try store.region(named: parts.region)
        let added = try store.addWaypoint(
            named: parts.name,
            at: parts.position,
            category: category,
            note: note,
            to: region.id
        )
        console.emit(.added(added))
        guard !added.isInsideMap else { return }
        let warning = CommandError(
            .outsideArea,
            "The waypoint is outside the map of “\(region.name)”.",
            remedy: "Check the position: the latitude comes first. To remove the waypoint, use 'hikeshare remove'."
        )
        console.warn(ProblemReport(warning, severity: .warning))
    }
}
