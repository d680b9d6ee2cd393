internal import RegionStore
internal import Sentences

/// Numbers in sentences, as `words.js` says them.
extension Sentence {
    /// A distance: `850 m`, `8.0 km`, `123 km`.
    static func distance(_ metres: Double) -> Sentence {
        guard metres.isFinite, metres >= 0 else { return "?" }
        switch metres {
        case ..<999.5: return "\(Int(metres.rounded())) m"
        case ..<99_950: return "\(metres / 1000, places: 1) km"
        default: return "\(metres / 1000, places: 0) km"
        }
    }

    /// A size: `512 bytes`, `98 kB`, `2.6 MB`.
    static func size(_ bytes: UInt64) -> Sentence {
        let kilobytes = Int(clamping: (bytes.addingReportingOverflow(500).partialValue) / 1000)
        return switch bytes {
        case ..<1000: Sentence("\(Int(bytes), "byte")")
        case ..<999_500: Sentence("\(kilobytes) kB")
        default: Sentence("\(Double(bytes) / 1e6, places: 1) MB")
        }
    }

    /// The length of a scale, which is round: `500 m`, `2 km`.
    static func scale(_ metres: Double) -> Sentence {
        metres < 1000 ? "\(metres, places: 0) m" : "\(metres / 1000, places: 0) km"
    }

    /// A height or a difference in height, in metres: `1469 m`.
    static func height(_ metres: Double) -> Sentence { "\(metres, places: 0) m" }

    /// The time that a hike takes: `12 s`, `3 min`, `2 h 05 min`.
    static func duration(seconds: Double) -> Sentence {
        guard seconds.isFinite, seconds > 0 else { return "0 s" }
        guard seconds >= 59.5 else { return "\(Int(seconds.rounded())) s" }
        let minutes = Int((min(seconds, 1e9) / 60).rounded())
        let rest = minutes % 60
        return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(rest < 10 ? "0" : "")\(rest) min"
    }

    /// What the map of a region is that other programs open: `Map for OsmAnd`; nil for a map with tiles.
    static func foreign(_ region: RegionSummary) -> Sentence? {
        let words = PageWords.foreign(region)
        return words.isEmpty ? nil : Sentence(known: words)
    }

    /// The numbers of the items of a region: `1 recorded hike, 46 waypoints`; nil if it has none.
    static func items(of region: RegionSummary) -> Sentence? {
        let (hikes, routes, waypoints) = (region.hikeCount, region.plannedRouteCount, region.waypointCount)
        let all = [
            hikes > 0 ? Sentence("\(hikes, "recorded hike")") : nil,
            routes > 0 ? Sentence("\(routes, "planned route")") : nil,
            waypoints > 0 ? Sentence("\(waypoints, "waypoint")") : nil,
        ]
        return sequence(all.compactMap { $0 }, between: ", ")
    }

    /// The facts about a line, as the list of the map shows them.
    static func facts(_ line: LineData) -> Sentence {
        let (ascent, descent) = (height(line.ascent), height(line.descent))
        var facts = [distance(line.distance), Sentence("\(ascent) up"), Sentence("\(descent) down")]
        if let seconds = line.duration {
            let duration = Self.duration(seconds: seconds)
            facts.append(Sentence("about \(duration)"))
        } else if let walking = line.walkingTime, walking + (line.restingTime ?? 0) > 0 {
            facts.append(duration(seconds: walking + (line.restingTime ?? 0)))
        }
        return Self.facts(facts) ?? ""
    }

    /// Facts in one line, with dots between them; nil for none.
    static func facts(_ facts: [Sentence]) -> Sentence? { sequence(facts, between: " · ") }
}
