import FoundationEssentials
import RegionStore

/// The waypoint that a person selects, and its region.
struct WaypointChoice {
    var region: RegionSummary
    var waypoint: Waypoint

    /// Finds a waypoint by its name, ignoring case, or by the beginning of its id, in one region or in all.
    ///
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/notFound`` if none matches,
    ///   ``RegionStoreError/Code/ambiguous`` if several do; the message lists them.
    init(_ text: String, in regionID: UUID?, of store: RegionStore) throws {
        let regions = try regionID.map { [try store.region($0)] } ?? store.regions()
        let all = try regions.flatMap { region in
            try store.waypoints(of: region.id).map { (region: region, waypoint: $0) }
        }
        let byName = all.filter { $0.waypoint.label.lowercased() == text.lowercased() }
        let start = text.uppercased()
        let byID = start.utf8.count >= 4 ? all.filter { $0.waypoint.id.uuidString.hasPrefix(start) } : []
        let candidates = byName.isEmpty ? byID : byName
        guard let only = candidates.first else {
            throw RegionStoreError(
                .notFound,
                "There is no waypoint “\(text)”" + (regionID == nil ? " in this store." : " in “\(regions[0].name)”."),
                remedy: "'hikeshare show REGION --format json' lists the waypoints with their ids."
            )
        }
        guard candidates.count == 1 else {
            let list = candidates.prefix(20).map { "\($0.waypoint.id.uuidString) in \($0.region.name)" }
            throw RegionStoreError(
                .ambiguous,
                "“\(text)” matches several waypoints: \(list.joined(separator: ", ")).",
                remedy: "Name the region with --region, or use the start of the id."
            )
        }
        region = only.region
        waypoint = only.waypoint
    }
}
