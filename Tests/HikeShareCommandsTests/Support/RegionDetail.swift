@testable import HikeShareCommands
@testable import RegionStore

/// Everything that `show` writes about a region.
struct RegionDetail {
    var region: RegionSummary
    var hikes: [SavedRoute] = []
    var plannedRoutes: [PlannedRoute] = []
    var waypoints: [Waypoint] = []
    var history: [TransferHistoryEntry] = []
    var sketch: DisplayText = ""

    /// The reports in their order.
    func reports(isAligned: Bool = true) throws -> [any Report] {
        var reports: [any Report] = [RegionDetailReport(region: region, sketch: sketch)]
        let items: [ItemKind: [BriefItem]] = [
            .hike: hikes.map { .hike($0) }, .plannedRoute: plannedRoutes.map { .plannedRoute($0) },
            .waypoint: waypoints.map { .waypoint($0) },
        ]
        try RegionItemsReport.forEachPiece(
            count: { items[$0]?.count ?? 0 },
            read: { kind, range in range.map { (position: $0, item: items[kind]?[$0] ?? .unreadable(kind, name: "")) }
            },
            photos: [:],
            isAligned: isAligned,
            body: { reports.append($0) }
        )
        return reports + [RegionHistoryReport(history: history)]
    }

    func rendered(as format: OutputFormat, in style: OutputStyle = .plain) throws -> String {
        try reports(isAligned: format == .text).map { $0.rendered(as: format, in: style) }.joined()
    }
}
