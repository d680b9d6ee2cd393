import ArgumentParser
import RegionStore
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
            BrowseCommand.self, ExportCommand.self, RenameCommand.self, WaypointCommand.self, RemoveCommand.self,
            DiscardCommand.self, PeersCommand.self, DoctorCommand.self,
        ]
    )
}

/// What `hikeshare` alone says: what a person has, and what to type.
struct FirstWords: Report {
    /// The number of regions that are named.
    private static let shownCount = 4

    var regions: [RegionSummary]

    var payloads: [JSONObject] { regions.map(\.json) }

    var text: DisplayText {
        let names = regions.prefix(Self.shownCount).map { "\($0.name) (\(Wording.size($0.fileSize)))" as DisplayText }
        let others: DisplayText =
            regions.count > Self.shownCount ? ", and \(regions.count - Self.shownCount) more" : ""
        let rows: [[DisplayText]] = [
            ["hikeshare map", "look at your maps"],
            ["hikeshare send \(regions.count == 1 ? regions[0].typed : "NAME")", "give one to people nearby"],
            ["hikeshare receive", "get one from someone nearby"],
            ["hikeshare import FILE...", "add maps, tracks and photos"],
            ["hikeshare doctor", "find out why laptops do not find each other"],
        ]
        let table = Table.render((regions.isEmpty ? Array(rows.dropFirst(2)) : rows).map { [""] + $0 })
        let lead: DisplayText =
            regions.isEmpty ? "You have no maps yet." : "You have: \(names.joined(separator: ", "))\(others)"
        return """
            \(HikeShare.configuration.abstract)

            \(lead)

            \(table)

            All commands: hikeshare help
            """
    }

    /// Shows them, and the receptions that can go on.
    static func show(_ global: GlobalOptions) throws {
        let console = global.makeConsole()
        // A store that is named must be there; the default one is created later.
        let store = global.store == nil ? try? global.storeToList() : try global.storeToList()
        console.emit(FirstWords(regions: try store?.regions() ?? []))
        if let store { try ListCommand.tellWhatIsIncomplete(in: store, console) }
    }
}
