internal import FoundationEssentials
internal import RegionStore
internal import Sentences

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
    struct Map {
        var coverage: Coverage
        var tileCount: Int
        /// The size of the tiles, in bytes.
        var size: UInt64
        /// A sentence about missing map data; nil if the map is complete.
        var lack: Sentence?
    }

    private struct Category: Encodable {
        var id: String
        var name: String
    }

    private let items: PageItems
    private let photos: Photos
    private let output: ([UInt8]) throws -> Void
    private var textLength = 0
    private var leftOutTexts = 0

    /// Prepares to write the data; `known` keeps the simplified lines, if they are needed more than once.
    init(
        _ items: any RegionItems,
        photos: Photos,
        _ known: KnownLines? = nil,
        to output: @escaping ([UInt8]) throws -> Void
    ) {
        (self.items, self.photos, self.output) = (PageItems(items, known), photos, output)
    }

    /// Writes the data, with the whole map if `map` is nil.
    func write(_ map: Map? = nil) throws {
        let region = items.all.region
        var facts = RegionFacts(region)
        if let map, case let zooms = map.coverage.zoomLevels, let lowest = zooms.first, let highest = zooms.last {
            (facts.zooms, facts.minimumZoom, facts.maximumZoom) = (zooms, lowest, highest)
            (facts.tileCount, facts.mapSize) = (map.tileCount, map.size)
        }
        try add(#"{"region":"#, facts)
        let coverage = map?.coverage.bytes ?? region.coverageBytes
        try add(#","coverage":"#, coverage.map { Data($0).base64EncodedString() })
        try add(#","categories":"#, WaypointCategory.allCases.map { Category(id: $0.rawValue, name: $0.displayName) })
        let (lines, waypoints) = (try writeLines(), try writeWaypoints())
        try add(#","lack":"#, map?.lack.map(PageSentence.init))
        try add(#","leftOut":"#, leftOut(lines, waypoints).map(PageSentence.init))
        try add("}")
    }

    private func leftOut(_ lines: Int, _ waypoints: Int) -> [Sentence] {
        var sentences = items.leftOut(lines, waypoints)
        if leftOutTexts > 0 {
            sentences.append(
                Sentence("Comments and notes that are too many for this page are not shown: \(leftOutTexts).")
            )
        }
        if case .leftOut = photos, items.all.region.photoCount > 0 {
            sentences.append(Sentence("The photos are too large for this page."))
        }
        return sentences
    }

    /// Writes the newest hikes and routes; returns their number.
    private func writeLines() throws -> Int {
        var written = 0
        try add(#","lines":["#)
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

    private func add(_ name: String, _ value: some Encodable) throws {
        try add(name)
        try output(PageJSON.encode(value))
    }

    private func add(_ text: String) throws { try output(Array(text.utf8)) }
}
