import FoundationEssentials
import RegionStore

/// What went with a region.
struct RemovalReport: Report {
    var region: RegionSummary
    var counts: RemovalCounts

    var payloads: [any Encodable & Sendable] {
        [
            Payload(
                regionID: region.id.uuidString,
                regionName: region.name,
                hikes: counts.hikes,
                plannedRoutes: counts.plannedRoutes,
                waypoints: counts.waypoints
            )
        ]
    }

    var text: DisplayText { "Removed \(region.name): \(region.contents)" }

    private struct Payload: Encodable {
        var type = "removed"
        var regionID: String
        var regionName: String
        var hikes: Int
        var plannedRoutes: Int
        var waypoints: Int
    }
}
