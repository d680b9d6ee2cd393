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
        /// Not at all.
        case leftOut
    }

    /// What the page has of the map.
    struct MapPart {
        var coverage: Coverage
        var tileCount: Int
        /// The size of the tiles, in bytes.
        var size: UInt64
        /// What is not there, as a sentence; nil for nothing.
        var lack: String?
    }

    private struct Category: Encodable {
        var id: String
        var name: String
    }

    private var items: PageItems
    private let photos: Photos
    private let output: ([UInt8]) throws -> Void
    private var textLength = 0
    private var leftOutTexts = 0

    /// Writes the data.
    ///
    /// - Parameters:
    ///   - items: The region with its items.
    ///   - photos: How the page gets photos.
    ///   - part: What the page has of the map; nil for all of it.
    ///   - known: Keeps the simplified lines; nil if they are needed once.
    ///   - output: Called with one piece of the text after the other.
    /// - Throws: The error of the store or of `output`.
    static func write(
        _ items: any RegionItems,
        photos: Photos,
        part: MapPart? = nil,
        _ known: KnownLines? = nil,
        to output: @escaping ([UInt8]) throws -> Void
    ) throws {
        let writer = RegionJSON(items: PageItems(items, known), photos: photos, output: output)
        try writer.write(part)
    }

    private init(items: PageItems, photos: Photos, output: @escaping ([UInt8]) throws -> Void) {
        self.items = items
        self.photos = photos
        self.output = output
    }

    private func write(_ part: MapPart?) throws {
        let region = items.all.region
        var facts = RegionFacts(region)
        if let part, case let zooms = part.coverage.zoomLevels, let lowest = zooms.first, let highest = zooms.last {
            (facts.zooms, facts.minimumZoom, facts.maximumZoom) = (zooms, lowest, highest)
            (facts.tileCount, facts.mapSize) = (part.tileCount, part.size)
        }
        try add(#"{"region":"#)
        try output(PageJSON.encode(facts))
        try add(#","coverage":"#)
        let bytes = part?.coverage.bytes ?? region.coverageBytes
        try output(PageJSON.encode(bytes.map { Data($0).base64EncodedString() }))
        try add(#","categories":"#)
        try output(PageJSON.encode(WaypointCategory.allCases.map { Category(id: $0.rawValue, name: $0.displayName) }))
        let lines = try writeLines()
        let waypoints = try writeWaypoints()
        try add(#","leftOut":"#)
        try output(PageJSON.encode(([part?.lack].compactMap { $0 }) + leftOut(lines, waypoints)))
        try add("}")
    }

    private func leftOut(_ lines: Int, _ waypoints: Int) -> [String] {
        let (region, unreadable) = (items.all.region, items.unreadable)
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
        if case .leftOut = photos, region.photoCount > 0 {
            sentences.append("The photos are too large for this page.")
        }
        if unreadable > 0 { sentences.append("Items that cannot be read are not shown: \(unreadable).") }
        return sentences
    }

    /// Writes the newest hikes and routes; returns their number.
    private func writeLines() throws -> Int {
        var written = 0
        try add(#","lines":["#)
        // The function below looks at the items, too.
        var items = items
        defer { self.items = items }
        let count = try items.forEachLine { line in
            var line = line
            line.comment = bounded(line.comment)
            try append(line, &written)
        }
        try add("]")
        return count
    }

    /// Writes the newest waypoints; returns their number.
    private func writeWaypoints() throws -> Int {
        let withPhotos = try items.all.photoIDs
        var written = 0
        try add(#","waypoints":["#)
        var items = items
        defer { self.items = items }
        let count = try items.forEachWaypoint { waypoint, id in
            var waypoint = waypoint
            waypoint.note = bounded(waypoint.note)
            try append(waypoint, &written, photo: withPhotos.contains(id) ? id : nil)
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
        if case .leftOut = photos { return try output(bytes) }
        // The photo is one more value of the object.
        bytes.removeLast()
        switch photos {
        case .served: try output(bytes + Array(#","photo":"photos/\#(photo.uuidString)"}"#.utf8))
        case .leftOut: break
        case .inside:
            guard let reader = try items.all.photo(of: photo) else { return try output(bytes + Array("}".utf8)) }
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
