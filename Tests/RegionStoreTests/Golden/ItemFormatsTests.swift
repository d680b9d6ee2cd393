import Foundation
import PeerProtocol
import RegionTestSupport
import Testing

@testable import RegionStore

/// The page "Item formats" against the code: which keys there are, and which of them are required.
@Suite struct ItemFormatsTests {
    /// A row of a table: its keys, and whether an item without them is refused.
    private typealias Row = (keys: [String], isRequired: Bool)

    @Test func hikesAreAsThePageSays() throws {
        try check(SavedRoute.self, GoldenJSON.savedRoutes, Self.tables(of: "Recorded hikes").first)
    }

    @Test func plannedRoutesAreAsThePageSays() throws {
        try check(PlannedRoute.self, GoldenJSON.plannedRoutes, Self.tables(of: "Planned routes").first)
    }

    @Test func waypointsAreAsThePageSays() throws {
        try check(Waypoint.self, GoldenJSON.waypoints, Self.tables(of: "Waypoints").first)
    }

    @Test func turnsAreAsThePageSays() throws {
        var route = try Self.first(of: GoldenJSON.plannedRoutes)
        let turn = try #require((route["turnInstructions"] as? [[String: Any]])?.first)
        try check(turn, Self.tables(of: "Planned routes").last) { turn in
            route["turnInstructions"] = [turn]
            return try Self.decode(PlannedRoute.self, route)
        }
    }

    @Test func textsOfGPXFilesAreAsThePageSays() throws {
        var all: [String: Any] = [:]
        for (name, golden) in [
            ("waypoint", GoldenJSON.waypoints), ("route", GoldenJSON.plannedRoutes), ("hike", GoldenJSON.savedRoutes),
        ] {
            let words = try #require(try Self.first(of: golden)["gpx"] as? [String: Any], "\(name)")
            all.merge(words) { first, _ in first }
        }
        var waypoint = try Self.first(of: GoldenJSON.waypoints)
        try check(all, Self.tables(of: "Texts of GPX files").first) { words in
            waypoint["gpx"] = words
            return try Self.decode(Waypoint.self, waypoint)
        }
    }

    @Test func textsOfRoutePointsAreAsThePageSays() throws {
        var route = try Self.first(of: GoldenJSON.plannedRoutes)
        let texts = try #require((route["pointTexts"] as? [[String: Any]])?.first)
        try check(texts, Self.tables(of: "Texts of route points").first) { texts in
            route["pointTexts"] = [texts]
            return try Self.decode(PlannedRoute.self, route)
        }
    }

    @Test func tablesOfPointsAreAsThePageSays() throws {
        let section = try Self.section("Tables of points")
        let block = try #require(section.components(separatedBy: "```").dropFirst().first)
        let lines = block.split(separator: "\n").map { $0.prefix { $0 != "#" } }
        let bytes = lines.flatMap { $0.split(separator: " ") }.compactMap { UInt8($0, radix: 16) }
        #expect(bytes == GoldenTable.bytes)
    }

    @Test func regionsAreAsThePageSays() throws {
        let object = try JSONSerialization.jsonObject(with: Data(GoldenJSON.region.utf8))
        var region = try #require(object as? [String: Any])
        // The protocol's own.
        let id = region.removeValue(forKey: "id") as Any
        region["edits"] = [Self.edit]
        region["coverage"] = "AQEMDAEB5wsAAKAgAA=="
        region["part"] = Self.part
        region["sealed"] = Self.foreign
        region["signature"] = Self.signature
        try check(region, Self.tables(of: "Description of the region").first) { region in
            let all = region.merging(["id": id]) { $1 }
            _ = try JSONDecoder().decode(Region.self, from: JSONSerialization.data(withJSONObject: all))
        }
    }

    @Test func requestsForAPartAreAsThePageSays() throws {
        let keys = Set(try #require(Self.tables(of: "Request for a part").first).flatMap(\.keys))
        let place = try #require(Coordinate(latitude: 42, longitude: 1))
        let request = CutRequest(
            names: ["a"],
            lines: [[place]],
            routes: ["b"],
            distance: 1,
            area: BoundingBox(north: 43, south: 42, east: 2, west: 1),
            maximumZoom: 1
        )
        let object = try JSONSerialization.jsonObject(with: try #require(request.context))
        let part = try #require((object as? [String: Any])?["part"] as? [String: Any])
        #expect(Set(part.keys) == keys)
        let block = try #require(try Self.section("Request for a part").components(separatedBy: "```json").last)
        let example = try #require(block.components(separatedBy: "```").first)
        #expect(try CutRequest(parsing: Data(example.utf8)).distance == 500)
    }

    @Test func coveragesAreAsThePageSays() throws {
        let block = try #require(try Self.section("Coverage").components(separatedBy: "```").dropFirst().first)
        let bytes = block.split(separator: "\n").flatMap { line in
            line.prefix(21).split(separator: " ").prefix { $0.count == 2 }.compactMap { UInt8($0, radix: 16) }
        }
        let coverage = try #require(Coverage(bytes: bytes))
        #expect(coverage.bytes == bytes)
        let level = try #require(coverage.level(3))
        #expect(coverage.zoomLevels == [3] && level.tileCount == 6 && !level.isCoarse)
        let runs = level.tiles.runs.map { [$0.row, $0.first, $0.last] }
        #expect(runs == [[2, 4, 5], [3, 4, 5], [4, 2, 2], [4, 7, 7]])
    }

    @Test func outlinesAreAsThePageSays() throws {
        let object = try JSONSerialization.jsonObject(with: Data(GoldenJSON.region.utf8))
        let region = try #require(object as? [String: Any])
        let outline = try #require((region["outlines"] as? [[String: Any]])?.first)
        try check(outline, Self.tables(of: "Description of the region").dropFirst().first) { outline in
            let all = region.merging(["outlines": [outline]]) { $1 }
            _ = try JSONDecoder().decode(Region.self, from: JSONSerialization.data(withJSONObject: all))
        }
    }

    @Test func editsAreAsThePageSays() throws {
        let object = try JSONSerialization.jsonObject(with: Data(GoldenJSON.region.utf8))
        let region = try #require(object as? [String: Any])
        try check(Self.edit, Self.tables(of: "Description of the region").last) { edit in
            let all = region.merging(["edits": [edit]]) { $1 }
            let read = try JSONDecoder().decode(Region.self, from: JSONSerialization.data(withJSONObject: all))
            // Edits that cannot be read are ignored.
            guard !read.edits.isEmpty else { throw CocoaError(.coderReadCorrupt) }
        }
    }

    @Test func partsAreAsThePageSays() throws {
        let object = try JSONSerialization.jsonObject(with: Data(GoldenJSON.region.utf8))
        let region = try #require(object as? [String: Any])
        try check(Self.part, Self.tables(of: "Description of the region").dropFirst(2).first) { part in
            let all = region.merging(["part": part]) { $1 }
            let read = try JSONDecoder().decode(Region.self, from: JSONSerialization.data(withJSONObject: all))
            // A part that is not possible is ignored.
            guard read.cut != nil else { throw CocoaError(.coderReadCorrupt) }
        }
    }

    @Test func foreignMapsAreAsThePageSays() throws {
        let object = try JSONSerialization.jsonObject(with: Data(GoldenJSON.region.utf8))
        let region = try #require(object as? [String: Any])
        try check(Self.foreign, Self.tables(of: "Foreign maps").first) { foreign in
            let all = region.merging(["sealed": foreign]) { $1 }
            _ = try JSONDecoder().decode(Region.self, from: JSONSerialization.data(withJSONObject: all))
        }
    }

    private static var foreign: [String: Any] {
        ["format": "osmand", "fileName": "Andorra_europe_2.obf", "hasArea": true]
    }

    @Test func signaturesAreAsThePageSays() throws {
        let object = try JSONSerialization.jsonObject(with: Data(GoldenJSON.region.utf8))
        let region = try #require(object as? [String: Any])
        try check(Self.signature, Self.tables(of: "Description of the region").dropFirst(3).first) { signature in
            let all = region.merging(["signature": signature]) { $1 }
            let read = try JSONDecoder().decode(Region.self, from: JSONSerialization.data(withJSONObject: all))
            // A signature that is not possible is ignored.
            guard read.signature != nil else { throw CocoaError(.coderReadCorrupt) }
        }
    }

    private static var signature: [String: Any] {
        let bytes = Data(repeating: 7, count: 64).base64EncodedString()
        return ["name": "Anna", "date": "2026-08-24T10:00:00Z", "key": bytes, "signature": bytes]
    }

    private static var part: [String: Any] {
        [
            "along": ["Ridge", "Lake"], "within": 300, "withinEach": [2000, 300],
            "area": ["north": 43, "south": 42, "east": 2, "west": 1], "maxZoom": 14,
            "tileCount": 5878, "fileSizeBytes": 69_000_000, "fileSizeIsEstimated": false,
            "digest": ContentDigest(hashing: [1]).description,
        ]
    }

    private static let edit = [
        "kind": "waypoints", "id": "5B4B1A0E-9A6A-4B0E-8C8F-2C6A1D0F3E21", "name": "Hut",
        "time": "2026-02-06T07:08:09Z",
    ]

    private func check<Item: SharedItem>(_ type: Item.Type, _ json: String, _ rows: [Row]?) throws {
        var item = try Self.first(of: json)
        item["modifiedAt"] = "2026-02-06T07:08:09Z"
        try check(item, rows) { try Self.decode(type, $0) }
    }

    /// Expects that a full object has exactly the keys of a table, and may lack those that are not required.
    private func check(_ object: [String: Any], _ rows: [Row]?, _ decode: ([String: Any]) throws -> Void) throws {
        let rows = try #require(rows)
        #expect(Set(rows.flatMap(\.keys)) == Set(object.keys))
        for row in rows {
            for key in row.keys {
                var rest = object
                rest[key] = nil
                let isTaken = (try? decode(rest)) != nil
                #expect(isTaken != row.isRequired, "\(key)")
                rest[key] = NSNull()
                let isNullTaken = (try? decode(rest)) != nil
                #expect(isNullTaken != row.isRequired, "null for \(key)")
            }
        }
    }

    private static func first(of json: String) throws -> [String: Any] {
        let list = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]]
        return try #require(list?.first)
    }

    private static func decode<Item: SharedItem>(_ type: Item.Type, _ item: [String: Any]) throws {
        _ = try SharedJSON.decode(type, from: JSONSerialization.data(withJSONObject: [item]))
    }

    /// Reads a section of the page.
    private static func section(_ heading: String) throws -> String {
        let project = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let path = "/" + project + "/Sources/PeerProtocol/PeerProtocol.docc/ItemFormats.md"
        let page = try String(contentsOfFile: path, encoding: .utf8)
        let section = try #require(page.components(separatedBy: "# \(heading)\n").dropFirst().first)
        return section.components(separatedBy: "\n#")[0]
    }

    /// Reads the tables of a section of the page that tell which keys are required.
    private static func tables(of heading: String) throws -> [[Row]] {
        try section(heading).components(separatedBy: "\n\n").filter { $0.contains("| Required |") }.map { table in
            table.split(separator: "\n").dropFirst(2).map { line in
                let columns = line.components(separatedBy: " | ")
                let keys = columns[0].split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }
                return (keys.map { String($0.element) }, columns[2].hasPrefix("yes"))
            }
        }
    }
}
