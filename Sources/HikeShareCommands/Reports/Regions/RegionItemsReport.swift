import FoundationEssentials
import PeerCore
import RegionStore

/// Some of the items of a region, of one kind.
///
/// A region may have 100,000 items, so they are shown in pieces.
struct RegionItemsReport: Report {
    /// The number of items of a piece.
    static let pieceLength = 64

    var kind: ItemKind
    /// The items with their numbers, by which commands find them.
    var items: [(number: Int, item: BriefItem)]
    /// The widths of all items of this kind.
    var measure: TextTable.Measure
    /// The photos of the waypoints.
    var photos: [UUID: Photo] = [:]
    /// Whether this piece is the first.
    var isFirst = true
    /// Whether this piece has all items of the kind, so that it needs no measure.
    var isOnly = false

    var payloads: [any Encodable & Sendable] {
        items.map { number, item in
            switch item {
            case .hike(let hike): HikePayload(hike)
            case .plannedRoute(let route): PlannedRoutePayload(route)
            case .waypoint(let waypoint): WaypointPayload(waypoint, photo: photos[waypoint.id])
            case .unreadable(let kind, let name):
                UnreadableItemPayload(kind: kind, number: number, name: name)
            }
        }
    }

    var text: DisplayText {
        guard !items.isEmpty else { return "" }
        let rows = items.map { Self.row($0.number, $0.item) }
        let table =
            isOnly
            ? TextTable(rows, trailing: [1], maximumWidth: DetailTable.maximumNameWidth)
            : TextTable(rows, trailing: [1], pieceOf: measure)
        return isFirst ? "\n\(title)\n" + Table.render(table) : Table.render(table)
    }

    private var title: DisplayText {
        switch kind {
        case .hike: "Recorded hikes"
        case .plannedRoute: "Planned routes"
        case .waypoint: "Waypoints"
        }
    }

    /// Returns the cells of an item.
    static func row(_ number: Int, _ item: BriefItem) -> [DisplayText] {
        let cells: [DisplayText] =
            switch item {
            case .hike(let hike):
                [
                    DisplayText(escaping: hike.name),
                    "\(Wording.distance(hike.totalDistance))",
                    "\(climb(hike.elevationGain, hike.elevationLoss))",
                    "\(Wording.duration(seconds: hike.walkingTime + hike.restingTime))",
                    "\(Wording.time(hike.startTime))",
                ]
            case .plannedRoute(let route):
                [
                    DisplayText(escaping: route.name),
                    "\(Wording.distance(route.totalDistance))",
                    "\(climb(route.elevationGain, route.elevationLoss))",
                    "about \(Wording.duration(seconds: route.estimatedDuration))",
                    "\(route.mode.rawValue)",
                ]
            case .waypoint(let waypoint):
                [
                    DisplayText(escaping: waypoint.label),
                    "\(waypoint.category.displayName)",
                    "\(Wording.position(waypoint.coordinate))",
                ]
            case .unreadable(_, let name):
                [DisplayText(escaping: name), "cannot be read"]
            }
        return TextTable.withoutEmptyEnd(["", "\(number)"] + cells)
    }

    private static func climb(_ gain: Double, _ loss: Double) -> String {
        "\(Wording.height(gain)) up, \(Wording.height(loss)) down"
    }
}

/// An item in JSON that cannot be read.
struct UnreadableItemPayload: Encodable {
    var type = "unreadableItem"
    var kind: ItemKind
    var number: Int
    var name: String
}

extension RegionItemsReport {
    /// Makes the reports of all items of a region, one after the other.
    ///
    /// - Parameters:
    ///   - count: Returns the number of items of a kind.
    ///   - read: Reads some items of a kind, given by their positions.
    ///   - photos: The photos of the waypoints.
    ///   - isAligned: Whether columns are lined up, for which all items are read twice.
    ///   - body: Takes the reports.
    /// - Throws: The error of `read` or `body`.
    static func forEachPiece(
        count: (ItemKind) -> Int,
        read: (ItemKind, Range<Int>) throws -> [(position: Int, item: BriefItem)],
        photos: [UUID: Photo],
        isAligned: Bool,
        body: (RegionItemsReport) throws -> Void
    ) throws {
        for kind in ItemKind.allCases {
            let total = count(kind)
            // Planned routes are counted on from the hikes.
            let before = kind == .plannedRoute ? count(.hike) : 0
            func forEachPiece(_ body: ([(number: Int, item: BriefItem)]) throws -> Void) throws {
                for start in stride(from: 0, to: total, by: pieceLength) {
                    let items = try read(kind, start..<min(start + pieceLength, total))
                    try body(items.map { (before + $0.position + 1, $0.item) })
                }
            }
            var report = RegionItemsReport(
                kind: kind,
                items: [],
                measure: TextTable.Measure(maximumWidth: DetailTable.maximumNameWidth),
                photos: photos
            )
            report.isOnly = total <= pieceLength
            if isAligned, !report.isOnly {
                try forEachPiece { for (number, item) in $0 { report.measure.add(row(number, item)) } }
            }
            try forEachPiece { items in
                report.items = items
                try body(report)
                report.isFirst = false
            }
        }
    }
}

/// A recorded hike in JSON, without its points.
struct HikePayload: Encodable {
    var type = "hike"
    var id: String
    var name: String
    var startTime: Date
    var endTime: Date
    var distance: Double
    var elevationGain: Double
    var elevationLoss: Double
    var walkingTime: Double
    var restingTime: Double
    var comment: String

    init(_ hike: SavedRoute) {
        id = hike.id.uuidString
        name = hike.name
        startTime = hike.startTime
        endTime = hike.endTime
        distance = hike.totalDistance
        elevationGain = hike.elevationGain
        elevationLoss = hike.elevationLoss
        walkingTime = hike.walkingTime
        restingTime = hike.restingTime
        comment = hike.comment
    }
}

/// A planned route in JSON, without its points.
struct PlannedRoutePayload: Encodable {
    var type = "plannedRoute"
    var id: String
    var name: String
    var mode: String
    var distance: Double
    var elevationGain: Double
    var elevationLoss: Double
    var estimatedDuration: Double
    var createdAt: Date

    init(_ route: PlannedRoute) {
        id = route.id.uuidString
        name = route.name
        mode = route.mode.rawValue
        distance = route.totalDistance
        elevationGain = route.elevationGain
        elevationLoss = route.elevationLoss
        estimatedDuration = route.estimatedDuration
        createdAt = route.createdAt
    }
}

/// A waypoint in JSON.
struct WaypointPayload: Encodable {
    var type = "waypoint"
    var id: String
    var label: String
    var category: String
    var latitude: Double
    var longitude: Double
    var elevation: Double?
    var note: String
    /// The size of its photo, if the store has one.
    var photoSize: Int?

    init(_ waypoint: Waypoint, photo: Photo?) {
        id = waypoint.id.uuidString
        label = waypoint.label
        category = waypoint.category.rawValue
        latitude = waypoint.coordinate.latitude
        longitude = waypoint.coordinate.longitude
        elevation = waypoint.elevation
        note = waypoint.note
        photoSize = photo?.size
    }
}

/// A past transfer in JSON.
struct HistoryPayload: Encodable {
    var type = "transfer"
    var direction: String
    var peerID: String?
    var peerName: String
    var outcome: String
    var startedAt: Date
    var endedAt: Date
    var bytes: UInt64

    init(_ entry: TransferHistoryEntry) {
        direction = entry.direction.rawValue
        peerID = entry.partner.id?.hex
        peerName = entry.partner.displayName
        outcome = entry.outcome.rawValue
        startedAt = entry.startedAt
        endedAt = entry.endedAt
        bytes = entry.byteCount
    }
}
