import SharingReports

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
    var isVerbose = false

    /// The reports in their order.
    func reports(as format: OutputFormat = .text) throws -> [any Report] {
        var reports: [any Report] = [PlainReport.details(of: region, sketch: sketch, isVerbose: isVerbose)]
        let items: [ItemKind: [BriefItem]] = [
            .hike: hikes.map { .hike($0) }, .plannedRoute: plannedRoutes.map { .plannedRoute($0) },
            .waypoint: waypoints.map { .waypoint($0) },
        ]
        try RegionItemsReport.forEachBatch(
            count: { items[$0]?.count ?? 0 },
            read: { kind, range in range.map { (position: $0, item: items[kind]?[$0] ?? .unreadable(kind, name: "")) }
            },
            photos: [:],
            isVerbose: isVerbose,
            body: { reports.append($0) }
        )
        return reports + (isVerbose || format == .json ? [PlainReport.history(history)] : [])
    }

    func rendered(as format: OutputFormat, in style: OutputStyle = .plain) throws -> String {
        try reports(as: format).map { $0.rendered(as: format, in: style) }.joined()
    }
}
