import FoundationEssentials
import RegionStore

/// The waypoint that a person selects, and its region.
struct WaypointChoice {
    var region: RegionSummary
    var waypoint: ItemDescription

    /// Finds a waypoint by its name, ignoring case, by its number, or by the beginning of its id, in one region or in all.
    ///
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/notFound`` if none matches,
    ///   ``RegionStoreError/Code/ambiguous`` if several do; the message lists them.
    init(_ text: String, in regionID: UUID?, of store: RegionStore) throws {
        do {
            (region, waypoint) = try store.waypoint(matching: text, of: regionID)
        } catch var error as RegionStoreError {
            error.remedy =
                error.code == .ambiguous && regionID == nil
                ? "Name the region with --region, and use the number instead of the name."
                : ProgramRemedy.forItem(error, of: try regionID.map { try store.region($0) })
            throw error
        }
    }
}
