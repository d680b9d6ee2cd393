import ArgumentParser

/// The root of all commands.
struct HikeShare: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hikeshare",
        abstract: "Share hiking maps with people nearby, without internet.",
        discussion: """
            On the laptop that has the map:
              hikeshare import coma-pedrosa.mbtiles
              hikeshare send "Coma Pedrosa"

            On the other laptop, on the same network or cable:
              hikeshare receive

            Exit codes: 0 done, 1 failed, 2 bad file or region, 3 nothing found, 4 connection lost, 5 refused, \
            6 protocol error, 7 storage error, 8 no discovery, 64 wrong usage, 130 interrupted.
            """,
        version: Software.version,
        subcommands: [
            ImportCommand.self, ListCommand.self, ShowCommand.self, MapCommand.self, OpenCommand.self, SendCommand.self,
            ReceiveCommand.self,
            BrowseCommand.self, ExportCommand.self, RenameCommand.self, WaypointCommand.self, RemoveCommand.self,
            DiscardCommand.self, PeersCommand.self, DoctorCommand.self,
        ]
    )
}
