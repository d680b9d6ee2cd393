import FoundationEssentials
import PeerCore
package import RegionStore

extension RegionSummary {
    package var json: JSONObject {
        [
            "type": "region",
            "id": id.uuidString,
            "name": name,
            "bounds": boundingBox,
            "areaKnown": hasArea,
            "minimumZoom": zoomLevels.lowerBound,
            "maximumZoom": zoomLevels.upperBound,
            "zooms": zooms,
            "tiles": tileCount,
            "format": format?.rawValue,
            "attribution": attribution,
            "createdAt": createdAt,
            "addedAt": addedAt,
            "mapDate": mapDate,
            "newestMapDate": edition.newestDate,
            "mapVersion": edition.version,
            "mapSize": mapSize,
            "mapDigest": mapDigest.hex,
            "part": cut?.json,
            "foreign": foreign,
            "signedBy": signature?.json,
            "routingSize": routingSize,
            "hikes": hikeCount,
            "plannedRoutes": plannedRouteCount,
            "waypoints": waypointCount,
            "photos": photoCount,
            "photoSize": photoSize,
        ]
    }

    /// How large the area is: `30 × 40 km`.
    package var extent: String { hasArea ? Wording.extent(boundingBox) : Wording.unknownArea }

    /// The start of the id, which is shown and can be typed.
    package var shortID: String { String(id.uuidString.prefix(8)) }

    /// What a person types to name the region in a command.
    package var typed: String { CommandWord.of(name, orElse: shortID) }

    /// The age of its map in a sentence: `map of 2026-11-21`, or `added 2026-11-22` if the map states none.
    package var mapDateWords: DisplayText {
        if let mapDate { return "map of \(Wording.mapDay(mapDate))" }
        return "added \(Wording.day(addedAt))"
    }

    package var fileSize: UInt64 { mapSize + (routingSize ?? 0) + photoSize }

    /// The contents in words: `map, routing, 1 recorded hike, 46 waypoints`.
    package var contents: String { parts.map { mapWords($0) ?? $0.counted($1) }.joined(separator: ", ") }

    /// The contents in short words, for lists: `map, routing, 1 hike, 46 waypoints`.
    package var shortContents: String { parts.map { mapWords($0) ?? $0.shortlyCounted($1) }.joined(separator: ", ") }

    /// Whether it has recorded hikes, planned routes or waypoints.
    package var hasItems: Bool { !items.isEmpty }

    /// Its recorded hikes, planned routes and waypoints, in a sentence: `1 recorded hike and 46 waypoints`.
    package var itemWords: String { Wording.list(items.map { $0.counted($1) }) }

    /// Returns the items that would be lost with the region, in words; empty if there are none.
    package func losses(hasGPX: Bool) -> String {
        let lost = parts.filter { words, _ in !words.isFile && !(hasGPX && words.isInGPX) }
        return Wording.list(lost.map { $0.counted($1) })
    }

    private var items: [(KindWords, Int)] { parts.filter { words, _ in words.isInGPX } }

    /// What the map is, if it is not a whole map with tiles.
    private func mapWords(_ words: KindWords) -> String? {
        switch words.kind {
        case .mbtiles where cut != nil: "part of a map"
        case .foreign: foreign?.format.title
        default: nil
        }
    }

    private var parts: [(KindWords, Int)] { KindWords.all.map { ($0, $0.count(self)) }.filter { $0.1 > 0 } }
}

extension Region {
    /// How large the area is: `30 × 40 km`.
    package var extent: String { hasArea ? Wording.extent(boundingBox) : Wording.unknownArea }
}
