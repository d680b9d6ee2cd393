import FoundationEssentials
import PeerCore
import RegionStore

/// The question whether an imported map is a newer version of a region's map.
struct MapUpdate {
    var map: PreparedMap
    /// The name of the map's file.
    var file: String
    var console: Console

    /// Returns the region to update; nil to import the map as a region of its own.
    ///
    /// Without a terminal, no region is updated, and a note says how to.
    func region() async throws -> RegionSummary? {
        guard let older = try map.olderVersion() else { return nil }
        let name = DisplayText(quoting: older.name)
        guard console.canAsk else {
            console.note(
                "\(name) covers the same area as \(file) and stays as it is. To replace its map, use --update."
            )
            return nil
        }
        let items: DisplayText = older.hasItems ? " Hikes, routes and waypoints stay." : ""
        let question: DisplayText =
            if let ages = Self.ages(of: map, comparedWith: older) {
                "\(file) is \(ages) of \(name). Replace it anyway?\(items)"
            } else {
                "Is \(file) a newer version of \(name), \(older.mapDateWords)?\(items)"
            }
        return try await console.confirm(question) ? older : nil
    }

    /// Returns the dates of a map that is older than that of a region, in words; nil if it is not older, or if it is not known.
    static func ages(of map: PreparedMap, comparedWith region: RegionSummary) -> String? {
        guard let date = map.date, let mapDate = region.mapDate, date < mapDate else { return nil }
        return "older (\(Wording.mapDay(date))) than the map (\(Wording.mapDay(mapDate)))"
    }
}
