import FoundationEssentials
import PeerStorage
import RegionModel

/// The date that a map states in its metadata.
///
/// The MBTiles specification has no key for it, so the keys are those that programs write.
enum MapDate {
    /// The keys of the metadata that hold a date, those of the map's data before those of the file.
    static let keys = [
        "planetiler:osm:osmosisreplicationtime", "planettime", "date", "timestamp", "created", "modified",
        "planetiler:buildtime", "mtime",
    ]

    /// The key of the date of the newest tiles of a map whose tiles are of several dates.
    ///
    /// The other keys then have the date of its oldest ones.
    static let newestKey = "newestdate"

    /// The earliest plausible date, the beginning of the year 2000.
    private static let earliest = Date(timeIntervalSince1970: 946_684_800)

    /// Returns the date in a map's metadata; nil if there is none, or only implausible ones.
    static func date(of metadata: [String: String]) -> Date? {
        for key in keys {
            if let date = metadata[key].flatMap(date(parsing:)) { return date }
        }
        return nil
    }

    /// Reads a date with or without a time of day, or a number of seconds or milliseconds since 1970.
    static func date(parsing text: String) -> Date? {
        let start = text.prefix(100).drop(while: \.isWhitespace)
        let text = String(start.reversed().drop(while: \.isWhitespace).reversed())
        let candidates = [
            Timestamp.date(parsing: text.utf8), Timestamp.date(parsing: (text + "T00:00:00Z").utf8), number(text),
        ]
        return candidates.lazy.compactMap { $0 }.first { (earliest..<MergeClock.tomorrow).contains($0) }
    }

    /// Returns the date so many milliseconds after the beginning of 1970; nil if it is implausible.
    static func date(milliseconds: Int64) -> Date? {
        let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
        return (earliest..<MergeClock.tomorrow).contains(date) ? date : nil
    }

    private static func number(_ text: String) -> Date? {
        guard let number = Double(text), number.isFinite else { return nil }
        // As seconds, a number of this size is after the year 5000.
        return Date(timeIntervalSince1970: number < 100_000_000_000 ? number : number / 1000)
    }
}

extension MapEdition {
    /// Reads how old a map is from its metadata.
    init(metadata: [String: String]) {
        self.init(
            date: MapDate.date(of: metadata),
            newestDate: metadata[MapDate.newestKey].flatMap(MapDate.date(parsing:)),
            version: metadata["version"]
        )
    }
}
