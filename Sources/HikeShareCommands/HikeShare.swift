import ArgumentParser
import SharingReports

/// The root of all commands.
struct HikeShare: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hikeshare",
        abstract: "Share hiking maps with people nearby, without internet.",
        version: Software.version,
        subcommands: [
            ImportCommand.self, ListCommand.self, ShowCommand.self, MapCommand.self, OpenCommand.self, SendCommand.self,
            ReceiveCommand.self,
            BrowseCommand.self, PlanCommand.self, ExportCommand.self, RenameCommand.self, WaypointCommand.self,
            RemoveCommand.self,
            DiscardCommand.self, PeersCommand.self, DoctorCommand.self,
        ]
    )
}
