internal import RegionStore
internal import Sentences

/// Numbers in words, as `words.js` and the terminal show them.
package enum PageWords {
    /// A distance: `850 m`, `8.0 km`, `123 km`.
    package static func distance(_ metres: Double) -> String {
        Sentence.distance(metres).english
    }

    /// What the map of a region is that other programs open: `Map for OsmAnd`; empty for a map with tiles.
    static func foreign(_ region: RegionSummary) -> String {
        let title = region.foreign?.format.title ?? ""
        return title.prefix(1).uppercased() + title.dropFirst()
    }

    /// A size: `512 bytes`, `98 kB`, `2.6 MB`.
    package static func size(_ bytes: UInt64) -> String {
        Sentence.size(bytes).english
    }

    /// A height or a difference in height, in metres: `1469 m`.
    package static func height(_ metres: Double) -> String { Sentence.height(metres).english }

    /// The time that a hike takes: `12 s`, `3 min`, `2 h 05 min`.
    package static func duration(seconds: Double) -> String {
        Sentence.duration(seconds: seconds).english
    }

    /// A number with `places` digits after the decimal point.
    package static func decimal(_ value: Double, places: Int) -> String {
        Language.plainDecimal(value, places: places)
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
