import Foundation
import PeerProtocol
import RegionModel
import RegionTestSupport
import Testing

@Suite struct RegionTests {
    private func region(_ json: String) throws -> Region {
        try JSONDecoder().decode(Region.self, from: Data(json.utf8))
    }

    @Test func writesTheGoldenForm() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let region = try region(GoldenJSON.region)
        #expect(region.zoomLevels == 12...15)
        #expect(String(decoding: try encoder.encode(region), as: UTF8.self) == GoldenJSON.region)
    }

    @Test func cutsFractionsOfSeconds() throws {
        var region = try region(GoldenJSON.region)
        region.createdAt += 0.789
        #expect(String(decoding: try JSONEncoder().encode(region), as: UTF8.self).contains("2026-02-05T16:00:00Z"))
    }

    @Test func readsAndroidsForm() throws {
        let json = GoldenJSON.region
            .replacingOccurrences(of: #""zoomLevels":[12,15]"#, with: #""minZoom":12,"maxZoom":15"#)
            .replacingOccurrences(of: #""createdAt":"2026-02-05T16:00:00Z","fileSizeBytes":2613248,"#, with: "")
        let region = try region(json)
        #expect(region.zoomLevels == 12...15)
        #expect(region.fileSizeBytes == 0)
        #expect(region.createdAt == Date(timeIntervalSince1970: 0))
    }

    @Test func editsAreReadAndWritten() throws {
        var region = try region(GoldenJSON.region)
        let time = Date(timeIntervalSince1970: 1_790_000_000)
        region.edits = [
            ItemEdit(of: .waypoints, UUID(), named: String(repeating: "é", count: 100), at: time),
            ItemEdit(of: .savedroutes, UUID(), named: nil, at: time),
        ]
        #expect(region.edits[0].name?.utf8.count == ItemEdit.maximumNameLength)
        #expect(ItemEdit.cut("Hut\u{1}\nclosed") == "Hut  closed")
        #expect(try JSONDecoder().decode(Region.self, from: JSONEncoder().encode(region)) == region)
    }

    @Test(arguments: [
        #"7"#, #"[{"kind":"waypoints"}]"#, "[" + Array(repeating: "7", count: 101).joined(separator: ",") + "]",
    ])
    func editsThatCannotBeReadLeaveTheRegion(edits: String) throws {
        let json = GoldenJSON.region.dropLast() + #","edits":\#(edits)}"#
        #expect(try region(String(json)) == region(GoldenJSON.region))
    }

    @Test func ignoresAThirdZoomLevel() throws {
        #expect(try region(GoldenJSON.region.replacingOccurrences(of: "15]", with: "15,99]")).zoomLevels == 12...15)
    }

    @Test(arguments: [
        ("[12,15]", "[16,12]"), ("[12,15]", "[12]"), ("[12,15]", "[-1,3]"), ("[12,15]", "[0,31]"),
        ("[12,15]", #"{"lowerBound":12}"#), ("[12,15]", "[1e99,2]"),
        (#""north":42.6175"#, #""north":42.5"#), (#""north":42.6175"#, #""north":42.556"#),
        (#""east":1.5255"#, #""east":1.413"#), (#""east":1.5255"#, #""east":1.4"#), ("42.6175", "90.5"),
        ("42.6175", "1e400"), (#""tileCount":120"#, #""tileCount":-1"#), ("2613248", "-1"), ("2613248", "1e30"),
        (#""zoomLevels":[12,15]"#, #""minZoom":15,"maxZoom":12"#), (#""zoomLevels":[12,15]"#, #""minZoom":15"#),
    ])
    func refusesImpossibleValues(found: String, replacement: String) {
        let json = GoldenJSON.region.replacingOccurrences(of: found, with: replacement)
        #expect(json != GoldenJSON.region)
        #expect(throws: DecodingError.self) { try region(json) }
    }

    @Test(arguments: ["part", "sealed", "signature", "edits", "coverage"]) func nullIsNoKey(key: String) throws {
        #expect(try region(String(GoldenJSON.region.dropLast()) + ",\"\(key)\":null}") == region(GoldenJSON.region))
    }

    /// What is wrong is told by the key of this program, without text of the peer.
    @Test(arguments: [
        (#""tileCount":120"#, #""tileCount":-1"#, ": tileCount is not a count of tiles."),
        (#""tileCount":120"#, #""tileCount":"x""#, ": tileCount cannot be read."),
        (#""tileCount":120,"#, "", ": tileCount is missing."),
        (#""north":42.6175"#, #""north":42.556"#, ": boundingBox is not an area on Earth."),
        (#""north":42.6175,"#, "", ": boundingBox.north is missing."),
        (
            #""zoomLevels""#, #""sealed":{"format":"osmand","fileName":"../x.obf","hasArea":false},"zoomLevels""#,
            ": sealed.fileName is not the name of a file."
        ),
    ])
    func aManifestSaysWhatIsWrongWithIt(found: String, replacement: String, words: String) throws {
        let json = GoldenJSON.region.replacingOccurrences(of: found, with: replacement)
        let manifest = try Manifest(parsing: Data((json.dropLast() + #","resources":[]}"#).utf8))
        let error = #expect(throws: ProtocolError.self) { try manifest.region() }
        #expect(error?.message == "The manifest does not describe what was expected" + words)
    }

    @Test func boxesAndCoordinatesTakeNothingThatIsNotOnEarth() {
        #expect(Coordinate(latitude: 90, longitude: -180) != nil)
        #expect(Coordinate(latitude: .nan, longitude: 0) == nil)
        #expect(Coordinate(latitude: 0, longitude: .infinity) == nil)
        #expect(Coordinate(latitude: 90.000001, longitude: 0) == nil)
        #expect(BoundingBox(north: 1, south: 1, east: 2, west: 2) != nil)
        #expect(BoundingBox(north: 1, south: 2, east: 2, west: 1) == nil)
        #expect(BoundingBox(north: 2, south: 1, east: 1, west: 2) == nil)
        #expect(BoundingBox(north: 2, south: 1, east: -179, west: 179)?.crosses180 == true)
        #expect(BoundingBox(north: .nan, south: 1, east: 2, west: 1) == nil)
    }
}
