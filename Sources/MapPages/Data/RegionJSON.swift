package import FoundationEssentials
internal import RegionStore

/// Writes the data of the page of one region, in the form that its script reads, item by item.
final class RegionJSON {
    /// How the page gets photos.
    enum Photos {
        /// From the server, at an address that has the id of the waypoint.
        case served
        /// From the data themselves.
        case inside
    }

    private struct Category: Encodable {
        var id: String
        var name: String
    }

    private let items: any RegionItems
    private let photos: Photos
    private let output: ([UInt8]) throws -> Void
    private var textLength = 0
    private var leftOutTexts = 0

    /// Writes the data.
    ///
    /// - Parameters:
    ///   - items: The region with its items.
    ///   - photos: How the page gets photos.
    ///   - maximumZoom: The highest zoom level that the page has; nil for that of the map.
    ///   - output: Called with one piece of the text after the other.
    /// - Throws: The error of the store or of `output`.
    static func write(
        _ items: any RegionItems,
        photos: Photos,
        maximumZoom: Int? = nil,
        to output: @escaping ([UInt8]) throws -> Void
    ) throws {
        let writer = RegionJSON(items: items, photos: photos, output: output)
        try writer.write(maximumZoom)
    }

    private init(items: any RegionItems, photos: Photos, output: @escaping ([UInt8]) throws -> Void) {
        self.items = items
        self.photos = photos
        self.output = output
    }

    private func write(_ maximumZoom: Int?) throws {
        let region = items.region
        var facts = RegionFacts(region)
        facts.maximumZoom = min(maximumZoom ?? facts.maximumZoom, facts.maximumZoom)
        facts.zooms = facts.zooms.filter { $0 <= facts.maximumZoom }
        try add(#"{"region":"#)
        try output(PageJSON.encode(facts))
        try add(#","coverage":"#)
        try output(PageJSON.encode(region.coverageBytes.map { Data($0).base64EncodedString() }))
        try add(#","categories":"#)
        try output(PageJSON.encode(WaypointCategory.allCases.map { Category(id: $0.rawValue, name: $0.displayName) }))
        var unreadable = 0
        let lines = try writeLines(&unreadable)
        let waypoints = try writeWaypoints(&unreadable)
        try add(#","leftOut":"#)
        try output(PageJSON.encode(leftOut(lines, waypoints, unreadable)))
        try add("}")
    }

    private func leftOut(_ lines: Int, _ waypoints: Int, _ unreadable: Int) -> [String] {
        let region = items.region
        let all = region.hikeCount + region.plannedRouteCount
        var sentences: [String] = []
        if lines + unreadable < all {
            sentences.append("Only \(lines) of \(all) hikes and routes are shown, the newest.")
        }
        if waypoints + unreadable < region.waypointCount {
            sentences.append("Only \(waypoints) of \(region.waypointCount) waypoints are shown, the newest.")
        }
        if leftOutTexts > 0 {
            sentences.append("Comments and notes that are too many for this page are not shown: \(leftOutTexts).")
        }
        if unreadable > 0 { sentences.append("Items that cannot be read are not shown: \(unreadable).") }
        return sentences
    }

    /// Writes the newest hikes and routes; returns their number.
    private func writeLines(_ unreadable: inout Int) throws -> Int {
        let hikeCount = min(items.region.hikeCount, MapLimits.lines)
        let routeCount = min(items.region.plannedRouteCount, MapLimits.lines - hikeCount)
        let limits = MapLine.Limits(lines: hikeCount + routeCount)
        var count = 0
        try add(#","lines":["#)
        var skipped = items.region.hikeCount - hikeCount
        unreadable += try items.forEachHike { hike in
            guard skipped <= 0 else {
                skipped -= 1
                return
            }
            var line = LineData(hike, limits: limits)
            line.comment = bounded(line.comment)
            try append(line, &count)
        }
        skipped = items.region.plannedRouteCount - routeCount
        unreadable += try items.forEachPlannedRoute { route in
            guard skipped <= 0 else {
                skipped -= 1
                return
            }
            try append(LineData(route, limits: limits), &count)
        }
        try add("]")
        return count
    }

    /// Writes the newest waypoints; returns their number.
    private func writeWaypoints(_ unreadable: inout Int) throws -> Int {
        let withPhotos = try items.photoIDs
        var count = 0
        var skipped = items.region.waypointCount - MapLimits.waypoints
        try add(#","waypoints":["#)
        unreadable += try items.forEachWaypoint { waypoint in
            guard skipped <= 0 else {
                skipped -= 1
                return
            }
            var data = WaypointData(waypoint)
            data.note = bounded(data.note)
            let hasPhoto = withPhotos.contains(waypoint.id)
            try append(data, &count, photo: hasPhoto ? waypoint.id : nil)
        }
        try add("]")
        return count
    }

    /// Returns a text if there is room for it.
    private func bounded(_ text: String?) -> String? {
        guard let text else { return nil }
        guard textLength + text.utf8.count <= MapLimits.texts else {
            leftOutTexts += 1
            return nil
        }
        textLength += text.utf8.count
        return text
    }

    private func append(_ item: some Encodable, _ count: inout Int, photo: UUID? = nil) throws {
        if count > 0 { try add(",") }
        count += 1
        var bytes = try PageJSON.encode(item)
        guard let photo else { return try output(bytes) }
        // The photo is one more value of the object.
        bytes.removeLast()
        switch photos {
        case .served: try output(bytes + Array(#","photo":"photos/\#(photo.uuidString)"}"#.utf8))
        case .inside:
            guard let reader = try items.photo(of: photo) else { return try output(bytes + Array("}".utf8)) }
            try output(bytes + Array(#","photo":"data:\#(reader.format.contentType);base64,"#.utf8))
            try reader.forEachPiece { try output(Array(Data($0).base64EncodedData())) }
            try add(#""}"#)
        }
    }

    private func add(_ text: String) throws {
        try output(Array(text.utf8))
    }
}

/// JSON for scripts of pages, and for other programs.
package enum PageJSON {
    package static func encoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        return encoder
    }

    /// Encodes a value, without any `<`, so that the text can stand in an HTML file.
    static func encode(_ value: some Encodable) throws -> [UInt8] {
        var bytes: [UInt8] = []
        let data = try encoder().encode(value)
        bytes.reserveCapacity(data.count)
        for byte in data {
            // In JSON, the character occurs only within strings.
            if byte == UInt8(ascii: "<") { bytes += Array(#"\u003c"#.utf8) } else { bytes.append(byte) }
        }
        return bytes
    }
}
