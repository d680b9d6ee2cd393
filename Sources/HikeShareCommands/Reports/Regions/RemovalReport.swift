import FoundationEssentials
import RegionStore

/// A region that was removed.
struct RemovalReport: Report {
    var region: RegionSummary
    var counts: RemovalCounts
    /// The file to which its hikes, planned routes and waypoints were written; nil if there is none.
    var file: String?

    var payloads: [any Encodable & Sendable] {
        [
            Payload(
                regionID: region.id.uuidString,
                regionName: region.name,
                hikes: counts.hikes,
                plannedRoutes: counts.plannedRoutes,
                waypoints: counts.waypoints,
                exportedTo: file,
                leftOut: counts.leftOut.isEmpty ? nil : counts.leftOut
            )
        ]
    }

    var text: DisplayText {
        let removed: DisplayText = "Removed \(region.name): \(region.contents)"
        guard let file else { return removed }
        return (["Wrote \(file)"] + ExportReport.notes(counts.leftOut) + [removed]).joined(separator: "\n")
    }

    private struct Payload: Encodable {
        var type = "removed"
        var regionID: String
        var regionName: String
        var hikes: Int
        var plannedRoutes: Int
        var waypoints: Int
        var exportedTo: String?
        var leftOut: [String]?
    }
}
