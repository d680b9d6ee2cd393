package import FoundationEssentials
import Glibc
import MapPages
import PeerCore
package import RegionStore

/// Numbers, sizes, times and places in words.
package enum Wording {
    /// A size, in decimal units: `512 bytes`, `98 kB`, `2.6 MB`, `1.31 GB`.
    package static func size(_ bytes: UInt64) -> String {
        bytes < 999_950_000 ? PageWords.size(bytes) : "\(decimal(Double(bytes) / 1e9, places: 2)) GB"
    }

    /// A rate in bytes per second; empty if it is not known.
    package static func rate(_ bytesPerSecond: Double) -> String {
        guard bytesPerSecond.isFinite, bytesPerSecond >= 1 else { return "" }
        return size(UInt64(min(bytesPerSecond, 1e18))) + "/s"
    }

    /// A length of time: `12 s`, `3 min 20 s`, `2 h 05 min`.
    package static func duration(_ duration: Duration) -> String {
        let seconds = max(0, duration.components.seconds)
        switch seconds {
        case ..<60: return "\(seconds) s"
        case ..<3600: return "\(seconds / 60) min \(twoDigits(seconds % 60)) s"
        case ..<360_000: return "\(seconds / 3600) h \(twoDigits(seconds / 60 % 60)) min"
        default: return "more than 99 h"
        }
    }

    /// A length of time that is not known exactly: `some seconds`, `about 40 s`, `about 2 minutes`, `about 3 hours`.
    package static func roughly(_ duration: Duration) -> String {
        let seconds = max(0, duration.components.seconds)
        switch seconds {
        case ..<10: return "some seconds"
        case ..<55: return "about \((seconds + 5) / 10 * 10) s"
        case ..<3300: return "about \(count((seconds + 30) / 60, "minute"))"
        case ..<360_000: return "about \(count((seconds + 1800) / 3600, "hour"))"
        default: return "more than 99 hours"
        }
    }

    /// A place in a row: `first`, `second`, `ninth`, `10th`.
    package static func ordinal(_ place: Int) -> String {
        let words = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"]
        if words.indices.contains(place - 1) { return words[place - 1] }
        let isTeen = (11...13).contains(place % 100)
        return "\(place)\(isTeen ? "th" : [1: "st", 2: "nd", 3: "rd"][place % 10] ?? "th")"
    }

    /// The time that a hike takes, rounded as on the pages of `map`: `12 s`, `3 min`, `2 h 05 min`.
    package static func duration(seconds: Double) -> String { PageWords.duration(seconds: seconds) }

    /// A distance: `850 m`, `8.0 km`, `123 km`.
    package static func distance(_ metres: Double) -> String { PageWords.distance(metres) }

    /// A difference in height, in metres: `1469 m`.
    package static func height(_ metres: Double) -> String { PageWords.height(metres) }

    /// A number of things: `1 tile`, `120 tiles`.
    package static func count(_ number: some BinaryInteger, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    /// The verb after a number: `1 tile is`, `2 tiles are`.
    package static func are(_ number: Int) -> String { number == 1 ? "is" : "are" }

    /// A percentage, which is 100 only at the end.
    package static func percent(_ fraction: Double) -> String {
        guard fraction.isFinite else { return "0 %" }
        return "\(Int((min(1, max(0, fraction)) * 100).rounded(.down))) %"
    }

    /// Things in a sentence: `map, routing and photos`; empty for none.
    package static func list(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.joined() }
        return words.dropLast().joined(separator: ", ") + " and " + last
    }

    /// A remedy that is complete by itself: one that ends with a colon gets what is shown below it.
    package static func sentence(_ remedy: String, naming things: [String]) -> String {
        guard remedy.hasSuffix(":") else { return remedy }
        guard !things.isEmpty else { return remedy.dropLast() + "." }
        return things.reduce(remedy) { text, thing in
            text + (text.last.map { ":?.".contains($0) } == true ? " " : ", ") + thing
        }
    }

    /// The width and height of an area: `9.2 × 6.8 km`.
    package static func extent(_ box: BoundingBox) -> String {
        let middle = (box.north + box.south) / 2 * .pi / 180
        let width = box.width * 111.32 * cos(middle)
        let height = box.height * 110.57
        return "\(kilometres(width)) × \(kilometres(height)) km"
    }

    /// The words for an unknown area.
    package static let unknownArea = "area unknown"

    /// The edges of an area: `42.5560° to 42.6175° N, 1.4130° to 1.5255° E`; `179.0000° E to 179.0000° W` across 180°.
    package static func bounds(_ box: BoundingBox) -> String {
        edges(box.south, box.north, positive: "N", negative: "S") + ", "
            + edges(box.west, box.east, positive: "E", negative: "W")
    }

    /// A position: `42.5918° N, 1.4436° E`.
    package static func position(_ coordinate: Coordinate) -> String {
        func degrees(_ value: Double, _ positive: String, _ negative: String) -> String {
            "\(decimal(abs(value), places: 4))° \(value < 0 ? negative : positive)"
        }
        return "\(degrees(coordinate.latitude, "N", "S")), \(degrees(coordinate.longitude, "E", "W"))"
    }

    /// A day of this machine's time zone: `2026-11-21`.
    package static func day(_ date: Date) -> String { String(time(date).prefix { $0 != " " }) }

    /// The day that a map states: `2026-11-21`.
    ///
    /// Most maps state a day and no time, so the day is the same in all time zones.
    package static func mapDay(_ date: Date) -> String { String(time(date, gmtime_r).prefix { $0 != " " }) }

    /// Zoom levels in words: `zooms 12-15`, or `zoom 14` if there is one.
    package static func zoomWords(_ levels: [Int]) -> String {
        "zoom\(levels.count == 1 ? "" : "s") \(zooms(levels))"
    }

    /// Zoom levels, the lowest first: `12-15`, `8, 11, 14-16`.
    package static func zooms(_ levels: [Int]) -> String {
        var ranges: [ClosedRange<Int>] = []
        for level in levels {
            if let last = ranges.last, last.upperBound + 1 == level {
                ranges[ranges.count - 1] = last.lowerBound...level
            } else {
                ranges.append(level...level)
            }
        }
        return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            .joined(separator: ", ")
    }

    /// A date and time in the time zone of this machine: `2026-11-21 09:52`.
    package static func time(_ date: Date) -> String { time(date, localtime_r) }

    private static func time(
        _ date: Date,
        _ divide: (UnsafePointer<time_t>, UnsafeMutablePointer<tm>) -> UnsafeMutablePointer<tm>?
    ) -> String {
        let seconds = date.timeIntervalSince1970
        guard seconds.isFinite, abs(seconds) < 1e11 else { return "?" }
        var instant = time_t(seconds.rounded(.down))
        var parts = tm()
        guard divide(&instant, &parts) != nil else { return "?" }
        return "\(parts.tm_year + 1900)-\(twoDigits(parts.tm_mon + 1))-\(twoDigits(parts.tm_mday)) "
            + "\(twoDigits(parts.tm_hour)):\(twoDigits(parts.tm_min))"
    }

    /// A number with `places` digits after the decimal point.
    package static func decimal(_ value: Double, places: Int) -> String {
        PageWords.decimal(value, places: places)
    }

    private static func kilometres(_ value: Double) -> String {
        decimal(value, places: value < 99.95 ? 1 : 0)
    }

    private static func edges(_ low: Double, _ high: Double, positive: String, negative: String) -> String {
        func degrees(_ value: Double) -> String { decimal(abs(value), places: 4) + "°" }
        if low > high {
            return [low, high].map { "\(degrees($0)) \($0 < 0 ? negative : positive)" }.joined(separator: " to ")
        }
        if low >= 0 { return "\(degrees(low)) to \(degrees(high)) \(positive)" }
        if high <= 0 { return "\(degrees(low)) to \(degrees(high)) \(negative)" }
        return "\(degrees(low)) \(negative) to \(degrees(high)) \(positive)"
    }

    private static func twoDigits(_ value: some BinaryInteger) -> String {
        value < 10 ? "0\(value)" : "\(value)"
    }
}
