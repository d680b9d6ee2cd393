import ArgumentParser

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
