import FoundationEssentials
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
                "\(name) (\(older.shortID)) covers the same area as \(file) and stays as it is. To replace its map, use --update."
            )
            return nil
        }
        let items: DisplayText = older.hasItems ? " Hikes, routes and waypoints stay." : ""
        let question: DisplayText =
            "Is \(file) a newer version of \(name) (\(older.shortID)), \(older.mapDateWords)?\(items)"
        return try await console.confirm(question) ? older : nil
    }
}
