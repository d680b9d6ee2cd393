import FoundationEssentials
package import RegionSharing
package import RegionStore
package import Routing

/// Ways that were planned through places.
package struct PlanReport: Report {
    /// The columns that a name of a place has at most.
    private static let nameWidth = 60
    /// The most turns that are shown unless all are wanted.
    private static let turnCount = 12
    /// The distance in metres from a place to the way that is worth a word.
    private static let gap = 50.0

    package var region: RegionSummary
    /// The start, the places between and the end, as a person has named them.
    package var places: [NamedPlace]
    package var planned: PlannedWays
    package var pace: Pace
    /// The number of the way to show, from 1; nil shows all of them, without their turns.
    package var number: Int?
    /// Whether all turns are shown.
    package var isVerbose = false

    /// Creates a report.
    package init(
        _ planned: PlannedWays,
        through places: [NamedPlace],
        in region: RegionSummary,
        pace: Pace,
        number: Int? = nil,
        isVerbose: Bool = false
    ) {
        (self.planned, self.places, self.region) = (planned, places, region)
        (self.pace, self.number, self.isVerbose) = (pace, number, isVerbose)
    }

    private var shown: [(number: Int, way: PlannedWay, beyond: Double)] {
        zip(planned.ways, planned.beyondMap).enumerated().map { ($0.offset + 1, $0.element.0, $0.element.1) }
            .filter { number == nil || $0.number == number }
    }

    // MARK: Text

    package var text: DisplayText {
        let names = places.map { DisplayText(quoting: $0.name, width: Self.nameWidth) }
        let via = names.dropFirst().dropLast()
        let title: DisplayText =
            "\(region.name): \(names.first ?? "") to \(names.last ?? "")"
            + (via.isEmpty ? "" : " by way of \(via.joined(separator: ", "))")
        let ways = shown.map { way -> DisplayText in
            let head: DisplayText = number == nil ? "\(way.number)  \(facts(way.way))" : "   \(facts(way.way))"
            return "\(head)\n\(TextTable.render(rows(way.way, beyond: way.beyond).map { [" "] + $0 }))"
        }
        return ([title] + ways + [number == nil ? others : turns]).filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    private func facts(_ way: PlannedWay) -> DisplayText {
        let time = Wording.duration(seconds: duration(of: way))
        if way.isStraight { return "\(Wording.distance(way.distance)) in a straight line" }
        guard !way.profile.isEmpty else {
            return "\(Wording.distance(way.distance)), heights unknown, at least \(time) without breaks"
        }
        return
            "\(Wording.distance(way.distance)), \(Wording.height(way.ascent)) up, \(Wording.height(way.descent)) down, "
            + "about \(time) without breaks"
    }

    private func rows(_ way: PlannedWay, beyond: Double) -> [[DisplayText]] {
        var rows: [[DisplayText]] = []
        if way.isStraight {
            rows.append(["Note", "“\(region.name)” has no routing database, so no paths are known: any way is longer"])
        } else {
            rows += [["Hardest", way.hardestWords], ["Ways", "\(way.compositionWords)"]]
        }
        for (word, place, end) in [
            ("begins", places.first, way.coordinates.first), ("ends", places.last, way.coordinates.last),
        ] {
            guard let place, let end else { continue }
            let distance = Geodesy.distance(place.coordinate, end)
            if distance > Self.gap {
                rows.append([
                    "Note", "it \(word) \(Wording.distance(distance)) from \(DisplayText(quoting: place.name))",
                ])
            }
        }
        if beyond > 0 {
            rows.append(["Note", "\(Wording.distance(beyond)) of it is beyond the tiles of the map"])
        }
        return rows
    }

    /// What to do with one of several ways.
    private var others: DisplayText {
        guard planned.hasGraph else { return "" }
        return planned.ways.count == 1
            ? "No other way differs by more than a third."
            : "To see the turns of the second one, or to save it, use --way 2 in place of --alternatives."
    }

    /// The turns of the only way.
    private var turns: DisplayText {
        guard number != nil, let turns = shown.first?.way.turns, !turns.isEmpty else { return "" }
        let count = isVerbose || turns.count <= Self.turnCount + 1 ? turns.count : Self.turnCount
        let rows = turns.prefix(count).map { turn -> [DisplayText] in
            ["", "km \(Wording.decimal(turn.cumulativeDistance / 1000, places: 1))", "\(turn.description)"]
        }
        let rest: DisplayText = count < turns.count ? "\n  and \(turns.count - count) more: -v shows all" : ""
        return TextTable.render(rows, trailing: [1]) + rest
    }

    private func duration(of way: PlannedWay) -> Double {
        pace.duration(distance: way.distance, ascent: way.ascent, descent: way.descent)
    }

    // MARK: JSON

    package var payloads: [JSONObject] {
        shown.map { number, way, beyond in
            let heights = way.profile.isEmpty ? nil : (way.ascent, way.descent)
            return [
                "type": "plannedWay",
                "number": number,
                "regionID": region.id.uuidString,
                "regionName": region.name,
                "places": zip(places, way.places).map { NamedPosition(name: $0.name, coordinate: $1) },
                "isStraight": way.isStraight,
                "distance": way.distance,
                "elevationGain": heights?.0,
                "elevationLoss": heights?.1,
                "estimatedDuration": duration(of: way),
                "beyondMap": beyond,
                "hardest": way.hardest.map(Self.json),
                "kinds": way.composition.map { ["kind": $0.kind.rawValue, "distance": $0.metres] as JSONObject },
                "stretches": way.stretches.map(Self.json),
                "turns": way.turns,
                "coordinates": way.coordinates,
            ]
        }
    }

    private struct NamedPosition: Encodable {
        var name: String
        var latitude: Double
        var longitude: Double

        init(name: String, coordinate: Coordinate) {
            (self.name, latitude, longitude) = (name, coordinate.latitude, coordinate.longitude)
        }
    }

    private static func json(_ stretch: WayStretch) -> JSONObject {
        [
            "kind": stretch.kind.rawValue,
            "sacScale": stretch.sacScale?.rawValue,
            "visibility": stretch.visibility?.rawValue,
            "surface": stretch.surface,
            "name": stretch.name,
            "start": stretch.start,
            "distance": stretch.distance,
        ]
    }
}
