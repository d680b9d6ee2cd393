package import FoundationEssentials
import PeerCore
package import RegionStore

/// Some of the items of a region, of one kind.
///
/// A region may have 100,000 items, so they are shown in batches.
package struct RegionItemsReport: Report {
    /// The number of items of a batch.
    package static let batchLength = 64

    package var kind: ItemKind
    /// The items with their numbers, by which commands find them.
    package var items: [(number: Int, item: BriefItem)]
    /// The width of the numbers of all items of this kind.
    package var numberWidth = 1
    /// The photos of the waypoints.
    package var photos: [UUID: Photo] = [:]
    /// Whether the positions of waypoints are shown.
    package var isVerbose = false
    /// The title above the last item of the batch before; empty for the first batch.
    package var lastTitle: DisplayText = ""

    package var payloads: [JSONObject] {
        items.map { number, item in
            switch item {
            case .hike(let hike): hike.json(number)
            case .plannedRoute(let route): route.json(number)
            case .waypoint(let waypoint): waypoint.json(number, photo: photos[waypoint.id])
            case .unreadable(let kind, let name):
                ["type": "unreadableItem", "kind": kind, "number": number, "name": name]
            }
        }
    }

    package var text: DisplayText {
        var (title, parts, rows) = (lastTitle, [DisplayText](), [[DisplayText]]())
        for (number, item) in items {
            if self.title(of: item) != title {
                if !rows.isEmpty { parts.append(TextTable.render(rows, trailing: [1])) }
                (title, rows) = (self.title(of: item), [])
                parts.append("\n\(title)")
            }
            rows += self.rows(number, item)
        }
        return (parts + [TextTable.render(rows, trailing: [1])]).filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private func title(of item: BriefItem) -> DisplayText {
        switch (kind, item) {
        case (.hike, _): "Recorded hikes"
        case (.plannedRoute, _): "Planned routes"
        case (.waypoint, .waypoint(let waypoint)): "\(waypoint.category.pluralName)"
        case (.waypoint, _): "\(WaypointCategory.custom.pluralName)"
        }
    }

    /// Returns the rows of an item: its number, and what there is to know of it.
    ///
    /// The columns before the last have the same width in all batches, so that all rows are in line.
    private func rows(_ number: Int, _ item: BriefItem) -> [[DisplayText]] {
        let head: [DisplayText] = ["", DisplayText(escaping: "\(number)").padded(to: numberWidth, leading: true)]
        switch item {
        case .hike(let hike):
            let time = Wording.duration(seconds: hike.walkingTime + hike.restingTime)
            let facts: DisplayText =
                "\(Wording.distance(hike.totalDistance)), \(time), \(climb(hike.elevationGain, hike.elevationLoss)), "
                + "\(Wording.day(hike.startTime))"
            return [head + [DisplayText(escaping: hike.name)], ["", "", facts], ["", "", note(hike.comment)]].filter {
                $0.last?.isEmpty == false
            }
        case .plannedRoute(let route):
            let time = Wording.duration(seconds: route.estimatedDuration)
            let facts: DisplayText =
                "\(Wording.distance(route.totalDistance)), about \(time), "
                + "\(climb(route.elevationGain, route.elevationLoss)), \(route.mode.rawValue)"
            return [head + [DisplayText(escaping: route.name)], ["", "", facts]]
        case .waypoint(let waypoint):
            let height: DisplayText = "\(waypoint.elevation.map { Wording.height($0) } ?? "")"
            let texts: [DisplayText] = [
                DisplayText(escaping: waypoint.label), note(waypoint.note),
                photos[waypoint.id] == nil ? "" : "with photo",
                isVerbose ? "\(Wording.position(waypoint.coordinate))" : "",
            ]
            return [head + [height.padded(to: 6, leading: true), texts.filter { !$0.isEmpty }.joined(separator: ", ")]]
        case .unreadable(_, let name):
            return [head + (kind == .waypoint ? [DisplayText.spaces(6)] : []) + ["\(name): cannot be read"]]
        }
    }

    private func note(_ text: String) -> DisplayText {
        DisplayText(escaping: text.split(whereSeparator: \.isWhitespace).joined(separator: " ")).truncated(to: 200)
    }

    private func climb(_ gain: Double, _ loss: Double) -> String {
        "\(Wording.height(gain)) up, \(Wording.height(loss)) down"
    }
}

extension RegionItemsReport {
    /// Makes the reports of all items of a region, which `read` reads by their positions, one after the other.
    package static func forEachBatch(
        count: (ItemKind) -> Int,
        read: (ItemKind, Range<Int>) throws -> [(position: Int, item: BriefItem)],
        photos: [UUID: Photo],
        isVerbose: Bool,
        body: (RegionItemsReport) throws -> Void
    ) throws {
        for kind in ItemKind.allCases {
            let total = count(kind)
            // Planned routes are counted on from the hikes.
            let before = kind == .plannedRoute ? count(.hike) : 0
            var report = RegionItemsReport(kind: kind, items: [], photos: photos, isVerbose: isVerbose)
            report.numberWidth = "\(before + total)".count
            for start in stride(from: 0, to: total, by: batchLength) {
                let items = try read(kind, start..<min(start + batchLength, total))
                report.items = items.map { (before + $0.position + 1, $0.item) }
                try body(report)
                if let last = items.last { report.lastTitle = report.title(of: last.item) }
            }
        }
    }
}

extension SavedRoute {
    /// The recorded hike in JSON, with its number in the region, without its points.
    fileprivate func json(_ number: Int) -> JSONObject {
        [
            "type": "hike",
            "number": number,
            "id": id.uuidString,
            "name": name,
            "startTime": startTime,
            "endTime": endTime,
            "distance": totalDistance,
            "elevationGain": elevationGain,
            "elevationLoss": elevationLoss,
            "walkingTime": walkingTime,
            "restingTime": restingTime,
            "comment": comment.isEmpty ? nil : comment,
        ]
    }
}

extension PlannedRoute {
    /// The planned route in JSON, with its number in the region, without its points.
    func json(_ number: Int) -> JSONObject {
        [
            "type": "plannedRoute",
            "number": number,
            "id": id.uuidString,
            "name": name,
            "mode": mode.rawValue,
            "distance": totalDistance,
            "elevationGain": elevationGain,
            "elevationLoss": elevationLoss,
            "estimatedDuration": estimatedDuration,
            "createdAt": createdAt,
        ]
    }
}

extension Waypoint {
    /// The waypoint in JSON, with its number in the region and its photo, if they are known.
    package func json(_ number: Int? = nil, photo: Photo?) -> JSONObject {
        [
            "type": "waypoint",
            "number": number,
            "id": id.uuidString,
            "label": label,
            "category": category.rawValue,
            "latitude": coordinate.latitude,
            "longitude": coordinate.longitude,
            "elevation": elevation,
            "note": note.isEmpty ? nil : note,
            "photoSize": photo?.size,
        ]
    }
}

extension TransferHistoryEntry {
    /// The past transfer in JSON.
    package var json: JSONObject {
        [
            "type": "transfer",
            "direction": direction.rawValue,
            "peerID": partner.id?.hex,
            "peerName": partner.displayName.isEmpty ? nil : partner.displayName,
            "outcome": outcome.rawValue,
            "startedAt": startedAt,
            "endedAt": endedAt,
            "bytes": byteCount,
        ]
    }
}
