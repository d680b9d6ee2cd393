internal import RegionStore

/// Numbers in words, as `words.js` and the terminal show them.
package enum PageWords {
    /// A distance: `850 m`, `8.0 km`, `123 km`.
    package static func distance(_ metres: Double) -> String {
        guard metres.isFinite, metres >= 0 else { return "?" }
        switch metres {
        case ..<999.5: return "\(Int(metres.rounded())) m"
        case ..<99_950: return "\(decimal(metres / 1000, places: 1)) km"
        default: return "\(decimal(metres / 1000, places: 0)) km"
        }
    }

    /// What the map of a region is that other programs open: `Map for OsmAnd`; empty for a map with tiles.
    static func sealed(_ region: RegionSummary) -> String {
        let title = region.sealed?.format.title ?? ""
        return title.prefix(1).uppercased() + title.dropFirst()
    }

    /// A size: `512 bytes`, `98 kB`, `2.6 MB`.
    static func size(_ bytes: UInt64) -> String {
        switch bytes {
        case ..<1000: count(Int(bytes), "byte")
        case ..<999_500: "\((bytes + 500) / 1000) kB"
        default: decimal(Double(bytes) / 1e6, places: 1) + " MB"
        }
    }

    /// The length of a scale, which is round: `500 m`, `2 km`.
    static func scale(_ metres: Double) -> String {
        metres < 1000 ? "\(decimal(metres, places: 0)) m" : "\(decimal(metres / 1000, places: 0)) km"
    }

    /// A height or a difference in height, in metres: `1469 m`.
    package static func height(_ metres: Double) -> String {
        decimal(metres, places: 0) + " m"
    }

    /// The time that a hike takes: `12 s`, `3 min`, `2 h 05 min`.
    package static func duration(seconds: Double) -> String {
        guard seconds.isFinite, seconds > 0 else { return "0 s" }
        guard seconds >= 59.5 else { return "\(Int(seconds.rounded())) s" }
        let minutes = Int((min(seconds, 1e9) / 60).rounded())
        let rest = minutes % 60
        return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(rest < 10 ? "0" : "")\(rest) min"
    }

    /// A number with `places` digits after the decimal point.
    package static func decimal(_ value: Double, places: Int) -> String {
        guard value.isFinite, abs(value) < 1e15 else { return "?" }
        let scale = (0..<places).reduce(Int64(1)) { scale, _ in scale * 10 }
        let scaled = Int64((abs(value) * Double(scale)).rounded())
        let sign = value < 0 && scaled > 0 ? "-" : ""
        guard places > 0 else { return sign + String(scaled) }
        let fraction = String(scaled % scale)
        return "\(sign)\(scaled / scale)." + String(repeating: "0", count: places - fraction.count) + fraction
    }

    /// A number of things: `1 tile`, `120 tiles`.
    package static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    /// The facts about a line, as the list of the map shows them.
    static func facts(_ line: LineData) -> String {
        var facts = [distance(line.distance), height(line.ascent) + " up", height(line.descent) + " down"]
        if let duration = line.duration {
            facts.append("about " + Self.duration(seconds: duration))
        } else if let walking = line.walkingTime, walking + (line.restingTime ?? 0) > 0 {
            facts.append(duration(seconds: walking + (line.restingTime ?? 0)))
        }
        return facts.joined(separator: " · ")
    }
}

extension String {
    /// The text with entities in place of what has a meaning in HTML, so that it can stand in an element or an attribute.
    var escapedInHTML: String {
        // By scalars: a character may be `<` with a mark.
        unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
