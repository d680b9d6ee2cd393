import FoundationEssentials
import PeerCore
import RegionStore

/// Everything about one region.
struct RegionDetailReport: Report {
    var region: RegionSummary
    var hikes: [SavedRoute]
    var plannedRoutes: [PlannedRoute]
    var waypoints: [Waypoint]
    var photos: [Photo] = []
    var history: [TransferHistoryEntry]
    /// The drawing of the area; empty if there is none.
    var sketch: DisplayText = ""

    /// The area with the outlines of the hikes and planned routes.
    var area: AreaSketch {
        var selection = OutlineSelection()
        selection.add(hikes)
        selection.add(plannedRoutes)
        return AreaSketch(area: region.boundingBox, outlines: selection.outlines())
    }

    var payloads: [any Encodable & Sendable] {
        let photos = Dictionary(photos.map { ($0.waypointID, $0) }) { first, _ in first }
        return [RegionPayload(region)]
            + hikes.map(HikePayload.init)
            + plannedRoutes.map(PlannedRoutePayload.init)
            + waypoints.map { WaypointPayload($0, photo: photos[$0.id]) }
            + history.map(HistoryPayload.init)
    }

    var text: DisplayText {
        [facts, sketch, hikeSection, plannedRouteSection, waypointSection, historySection]
            .filter { !$0.isEmpty }
            .joined(separator: "\n\n")
    }

    private var facts: DisplayText {
        var rows: [[DisplayText]] = [
            ["Id", "\(region.id.uuidString)"],
            ["Area", "\(Wording.extent(region.boundingBox)), \(Wording.bounds(region.boundingBox))"],
            ["Zooms", "\(Wording.zooms(region.zoomLevels))"],
            ["Tiles", tiles],
            ["Map", "\(Wording.size(region.mapSize))"],
            ["Digest", "\(region.mapDigest.hex)"],
        ]
        if let size = region.routingSize { rows.append(["Routing", "\(Wording.size(size))"]) }
        if region.photoCount > 0 {
            rows.append([
                "Photos",
                "\(Wording.count(region.photoCount, "photo")) of waypoints, \(Wording.size(region.photoSize))",
            ])
        }
        if let attribution = region.attribution { rows.append(["Attribution", "\(attribution)"]) }
        if let date = region.mapDate { rows.append(["Map date", "\(Wording.mapDay(date))"]) }
        rows.append(["Added", "\(Wording.time(region.addedAt))"])
        return "\(region.name)\n" + indented(rows)
    }

    private var tiles: DisplayText {
        let format = region.format.map { ", \($0.rawValue)" } ?? ""
        let missing = region.plannedTileCount > region.tileCount ? " of \(region.plannedTileCount) planned" : ""
        return "\(region.tileCount)\(missing)\(format)"
    }

    private var hikeSection: DisplayText {
        section("Recorded hikes", numbered(hikes), trailing: [0]) { number, hike in
            [
                "\(number)",
                DisplayText(escaping: hike.name),
                "\(Wording.distance(hike.totalDistance))",
                "\(climb(hike.elevationGain, hike.elevationLoss))",
                "\(Wording.duration(seconds: hike.walkingTime + hike.restingTime))",
                "\(Wording.time(hike.startTime))",
            ]
        }
    }

    private var plannedRouteSection: DisplayText {
        section("Planned routes", numbered(plannedRoutes, after: hikes.count), trailing: [0]) { number, route in
            [
                "\(number)",
                DisplayText(escaping: route.name),
                "\(Wording.distance(route.totalDistance))",
                "\(climb(route.elevationGain, route.elevationLoss))",
                "about \(Wording.duration(seconds: route.estimatedDuration))",
                "\(route.mode.rawValue)",
            ]
        }
    }

    private var waypointSection: DisplayText {
        section("Waypoints", numbered(waypoints), trailing: [0]) { number, waypoint in
            [
                "\(number)",
                DisplayText(escaping: waypoint.label),
                "\(waypoint.category.displayName)",
                "\(Wording.position(waypoint.coordinate))",
            ]
        }
    }

    /// The items with the numbers by which commands find them: those of hikes and planned routes go on from one another.
    private func numbered<Item>(_ items: [Item], after count: Int = 0) -> [(number: Int, item: Item)] {
        items.enumerated().map { (count + $0.offset + 1, $0.element) }
    }

    private var historySection: DisplayText {
        section("Transfers", history) { entry in
            let direction = entry.direction == .sent ? "sent to" : "received from"
            let name = entry.partner.displayName
            let partner = [name.isEmpty ? nil : name, entry.partner.id.map { "(\($0.short))" }]
                .compactMap { $0 }
                .joined(separator: " ")
            return [
                "\(Wording.time(entry.endedAt))",
                "\(direction) \(partner.isEmpty ? "an unknown machine" : partner)",
                "\(Wording.size(entry.byteCount))",
                entry.outcome == .completed ? "completed" : "not completed",
            ]
        }
    }

    private func climb(_ gain: Double, _ loss: Double) -> String {
        "\(Wording.height(gain)) up, \(Wording.height(loss)) down"
    }

    private func section<Item>(
        _ title: DisplayText,
        _ items: [Item],
        trailing: Set<Int> = [],
        row: (Item) -> [DisplayText]
    ) -> DisplayText {
        guard !items.isEmpty else { return "" }
        return "\(title)\n" + indented(items.map(row), trailing: trailing)
    }

    private func indented(_ rows: [[DisplayText]], trailing: Set<Int> = []) -> DisplayText {
        Table.render(
            rows.map { [""] + $0 },
            trailing: Set(trailing.map { $0 + 1 }),
            maximumWidth: Self.maximumNameWidth
        )
    }

    /// The width up to which a name moves the columns behind it.
    ///
    /// Longer names are not cut, because commands need them whole.
    private static let maximumNameWidth = 40
}
