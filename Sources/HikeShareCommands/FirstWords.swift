import ArgumentParser
import RegionStore
import SharingReports

/// What `hikeshare` alone says: what a person has, and what to type.
enum FirstWords {
    /// The number of regions that are named.
    private static let shownCount = 4

    static func report(_ regions: [RegionSummary]) -> PlainReport {
        let names = regions.prefix(shownCount).map { "\($0.name) (\(Wording.size($0.fileSize)))" as DisplayText }
        let others: DisplayText = regions.count > shownCount ? ", and \(regions.count - shownCount) more" : ""
        let rows: [[DisplayText]] = [
            ["", "hikeshare map", "look at your maps"],
            ["", "hikeshare send \(regions.count == 1 ? regions[0].typed : "NAME")", "give one to people nearby"],
            ["", "hikeshare receive", "get one from someone nearby"],
            ["", "hikeshare import FILE...", "add maps, tracks and photos"],
            ["", "hikeshare doctor", "find out why laptops do not find each other"],
        ]
        let lead: DisplayText =
            regions.isEmpty ? "You have no maps yet." : "You have: \(names.joined(separator: ", "))\(others)"
        return PlainReport(
            lines: regions.map(\.json),
            """
            \(HikeShare.configuration.abstract)

            \(lead)

            \(TextTable.render(regions.isEmpty ? Array(rows.dropFirst(2)) : rows))

            All commands: hikeshare help
            """
        )
    }

    /// Shows them, and the incomplete receptions, which can be resumed.
    static func show(_ global: GlobalOptions) throws {
        let console = global.makeConsole()
        // A store that is named must be there; the default one is created later.
        let store = global.store == nil ? try? global.storeToList() : try global.storeToList()
        console.emit(report(try store?.regions() ?? []))
        if let store { try ListCommand.tellWhatIsIncomplete(in: store, console) }
    }
}
