import Foundation
import RegionModel
import Testing

@testable import TrackFiles

/// GeoJSON files.
@Suite struct GeoJSONTests {
    static let full = """
        {"type": "FeatureCollection", "name": "tour", "bbox": [1, 2, 3, 4], "features": [
        {"type": "Feature", "id": 7, "geometry": {"type": "Point", "coordinates": [1.4437, 42.5911, 2260.5]},
         "properties": {"name": "Refugi", "desc": "<b>Warm</b>", "sym": "Campground", "time": "2024-07-01T10:00:00Z",
          "marker-color": "#f00", "beds": 80, "staffed": true, "web": "http://x", "none": null}},
        {"type": "Feature", "properties": {"title": "Spring", "ele": "1800", "cmt": "good"},
         "geometry": {"coordinates": [1.45, 42.58], "type": "Point"}},
        {"type": "Feature", "properties": {"name": "Up", "stroke": "#00f"},
         "geometry": {"type": "LineString", "coordinates": [[1.44, 42.57, 1550], [1.45, 42.58, 1700.25, 5], [1.46, 42.59]]}},
        {"type": "Feature", "properties": {"name": "Walk", "time": "2024-07-02T08:00:00Z",
          "coordinateProperties": {"times": [["2024-07-02T08:00:00Z", null], ["2024-07-02T09:00:00.5Z"]],
          "heart": [[90, null], [95]]}},
         "geometry": {"type": "MultiLineString", "coordinates": [[[1.5, 42.5, 0], [1.51, 42.51, 10]], [[1.6, 42.6, -1]]]}},
        {"type": "Feature", "properties": {"name": "Old", "coordTimes": ["2024-07-03T08:00:00Z"]},
         "geometry": {"type": "LineString", "coordinates": [[1, 2], [3, 4]]}},
        {"type": "Feature", "properties": null, "geometry": {"type": "GeometryCollection", "geometries": [
         {"type": "MultiPoint", "coordinates": [[5, 6], [7, 8]]}, {"type": "Polygon", "coordinates": [[[0, 1], [1, 1], [0, 1]]]}]}},
        {"type": "Feature", "properties": {}, "geometry": null}, 5
        ]}
        """

    static func read(_ text: String, limits: TrackFileLimits = .file) throws(RegionStoreError) -> TrackDocument {
        try TrackFileReader(now: GPXReaderTests.now, limits: limits).read(Data(text.utf8), named: "file")
    }

    @Test func readsPointsAndLines() throws {
        let document = try Self.read(Self.full)
        #expect(document.name == "tour")
        #expect(document.waypoints.map(\.label) == ["Refugi", "Spring", "", ""])
        #expect(document.waypoints.map(\.elevation) == [2260.5, 1800, nil, nil])
        #expect(document.waypoints.map(\.note) == ["Warm", "good", "", ""])
        #expect(document.waypoints[0].category == .campsite)
        #expect(document.waypoints[0].time == Timestamp.date(parsing: "2024-07-01T10:00:00Z".utf8))
        #expect(document.plannedRoutes.map(\.name) == ["Up"])
        #expect(document.plannedRoutes[0].fileTrack.points.map(\.elevation) == [1550, 1700.25, nil])
        #expect(document.savedRoutes.map(\.name) == ["Walk", "Old"])
        let track = try document.savedRoutes[0].fileTrack
        #expect(track.segments == [0..<2, 2..<3] && track.points.map(\.elevation) == [0, 10, -1])
        let times = ["2024-07-02T08:00:00Z", "", "2024-07-02T09:00:00.5Z"]
        #expect(track.points.map(\.time) == times.map { Timestamp.date(parsing: $0.utf8) })
        #expect((0..<3).map { track.sensors[.heartRate]?[$0] } == [90_000, nil, 95_000])
        #expect(
            document.leftOut == [
                "the fourth number of 1 position", "Polygon", "beds", "feature without a geometry", "staffed", "web",
            ]
        )
    }

    @Test func readsSingleGeometries() throws {
        #expect(try Self.read(#"{"type":"Point","coordinates":[1,2]}"#).waypoints.count == 1)
        let line = #"{"coordinates":[[1,2],[3,4]],"type":"LineString"}"#
        #expect(try Self.read("\u{FEFF} " + line).plannedRoutes.map(\.name) == ["file"])
        #expect(try Self.read(line) == (try Self.read(line)))
    }

    /// As CalTopo writes recorded lines.
    @Test func theFourthNumberOfAPositionMayBeATime() throws {
        let line = "[[1,42,900,1719907200000],[1.1,42,910,1719907260500],[1.2,42,920,0]]"
        let document = try Self.read(#"{"type":"LineString","coordinates":\#(line)}"#)
        let track = try #require(document.savedRoutes.first).fileTrack
        #expect(track.points.map { $0.time?.timeIntervalSince1970 } == [1_719_907_200, 1_719_907_260.5, nil])
        #expect(track.points.map(\.elevation) == [900, 910, 920] && document.leftOut.isEmpty)
        let polygon = try Self.read(
            #"{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2,3,1719907200000]},"#
                + #"{"type":"Polygon","coordinates":[[[1,2,3,4],[1,3,4,5],[1,2,3,4]]]}]}"#
        )
        #expect(polygon.waypoints.map(\.time.timeIntervalSince1970) == [1_719_907_200])
        #expect(polygon.leftOut == ["Polygon"])
    }

    @Test func whatHasNoPositionsIsCounted() throws {
        let shapes = [
            ("MultiLineString", "[[],[[1,2],[3,4]],[]]"), ("MultiLineString", "[]"), ("MultiPoint", "[[1,2],[]]"),
            ("Point", "[]"),
        ].map { #"{"type":"\#($0)","coordinates":\#($1)}"# }
        let features = (shapes + ["null", #"{"type":"GeometryCollection","geometries":[]}"#]).map {
            #"{"type":"Feature","geometry":\#($0)}"#
        }
        let document = try Self.read(features.joined(separator: "\n"))
        #expect(document.waypoints.count == 1 && document.plannedRoutes.count == 1)
        #expect(
            document.leftOut == [
                "1 track or route without points", "2 empty track segments", "feature without a geometry (2 times)",
                "point without a position (2 times)",
            ]
        )
    }

    @Test func longitudesBeyond180AreThoseOfTheOtherSide() throws {
        let document = try Self.read(
            #"{"type":"LineString","coordinates":[[179.5,1],[180.5,1],[-181,1],[541,1],[900,1]]}"#
        )
        #expect(document.plannedRoutes.first?.coordinates.map(\.longitude) == [179.5, -179.5, 179])
        #expect(document.leftOut == ["2 points without a valid position"])
    }

    @Test(arguments: ["\n", "\n\u{1E}", " "]) func objectsMayFollowOneAnother(separator: String) throws {
        let features = (1...3).map { #"{"type":"Feature","geometry":{"type":"Point","coordinates":[\#($0),2]}}"# }
        let document = try Self.read(separator + features.joined(separator: separator) + "\n")
        #expect(document.waypoints.map(\.coordinate.longitude) == [1, 2, 3] && document.damage == nil)
    }

    @Test func timesThatAreNumbersAreCounted() throws {
        let document = try Self.read(
            #"{"type":"Feature","properties":{"coordTimes":[5,null],"times":{"a":1}},"#
                + #""geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]}}"#
        )
        #expect(document.leftOut == ["1 time that is not valid", "times"])
    }

    @Test func badPositionsCostThemselves() throws {
        let document = try Self.read(
            #"{"type":"LineString","coordinates":[[1,2],[1],["x",3],[5,99],[1e999,1],[],[6,7,1e9],[8,9,null]]}"#
        )
        #expect(document.plannedRoutes.map { $0.coordinates.map(\.longitude) } == [[1, 6, 8]])
        #expect(document.leftOut == ["4 points without a valid position", "1 elevation that is not valid"])
    }

    /// What is wrong in a geometry that is left out is not told besides, wherever its type is.
    @Test func aPolygonCountsAsOneThing() throws {
        let ring = "[[0,0],[1,99],[1],[1,1,1e9],[0,0]]"
        let document = try Self.read(
            #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Polygon","coordinates":[\#(ring)]}},"#
                + #"{"type":"Feature","geometry":{"coordinates":[[\#(ring)],[\#(ring)]],"type":"MultiPolygon"}},"#
                + #"{"type":"Feature","geometry":{"coordinates":\#(ring),"type":"LineString"}}]}"#
        )
        #expect(document.plannedRoutes.map(\.coordinates.count) == [3] && document.pointsAtZero == 2)
        #expect(
            document.leftOut == [
                "2 points without a valid position", "1 elevation that is not valid", "MultiPolygon", "Polygon",
            ]
        )
    }

    @Test(arguments: ["2019/12/15 19:34:34+00", "2019/12/15 20:34:34.000+01", "2019-12-15T19:34:34Z"])
    func readsTheTimesThatGDALWrites(time: String) throws {
        let document = try Self.read(
            #"{"type":"Feature","properties":{"time":"\#(time)"},"geometry":{"type":"Point","coordinates":[1,2]}}"#
        )
        #expect(document.waypoints.map(\.time.timeIntervalSince1970) == [1_576_438_474] && document.leftOut.isEmpty)
    }

    @Test func refusesOtherSystems() throws {
        func file(_ name: String) -> String {
            #"{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"\#(name)"}},"#
                + #""features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]}}]}"#
        }
        #expect(try Self.read(file("urn:ogc:def:crs:OGC:1.3:CRS84")).waypoints.count == 1)
        #expect(try Self.read(file("EPSG:4326")).waypoints.count == 1)
        let error = #expect(throws: RegionStoreError.self) { try Self.read(file("urn:ogc:def:crs:EPSG::25831")) }
        #expect(error?.remedy?.contains("ogr2ogr") == true)
    }

    @Test(arguments: [
        (#"{"type":"Topology"}"#, "This is not a GPX, KML, KMZ, GeoJSON, TCX or FIT file: it is a TopoJSON file."),
        (#"{"coordinates":1}"#, "This is not a GPX, KML, KMZ, GeoJSON, TCX or FIT file: it is JSON of another kind."),
        (#"{"type":"FeatureCollection","features":[]}"#, "The file has no waypoints, routes or tracks."),
        (#"{"type":"Feature","properties":{"a":NaN}}"#, "This is not a complete GeoJSON file: the JSON is wrong."),
        (#"{"type":"Feature"} x"#, "This is not a complete GeoJSON file: the JSON is wrong."),
        ("{\"type\":\"Feature\",\"a\":\"\u{1}\"}", "This is not a complete GeoJSON file: the JSON is wrong."),
    ])
    func saysWhatIsWrong(text: String, message: String) {
        let error = #expect(throws: RegionStoreError.self) { try Self.read(text) }
        #expect(error?.code == .invalidFile && error?.message == message && error?.remedy != nil)
    }

    @Test func boundsDepthAndCounts() {
        let deep = #"{"type":"Point","coordinates":"# + String(repeating: "[", count: 100_000)
        let depth = #expect(throws: RegionStoreError.self) { try Self.read(deep) }
        #expect(depth?.message == "The JSON is nested too deeply for a GeoJSON file.")
        var limits = TrackFileLimits.file
        limits.pointCount = 2
        let three = #"{"type":"LineString","coordinates":[[1,2],[3,4],[5,6]]}"#
        let count = #expect(throws: RegionStoreError.self) { try Self.read(three, limits: limits) }
        #expect(count?.message == "The file has more than 2 points.")
        limits.heldLength = 1 << 16
        let empty = #"{"type":"Feature""# + String(repeating: #","coordinates":[]"#, count: 10_000) + "}"
        let error = #expect(throws: RegionStoreError.self) { try Self.read(empty, limits: limits) }
        #expect(error?.message == "The file has too much content to be imported at once.")
    }

    @Test func aLongTextCostsItself() throws {
        let long = String(repeating: "x", count: 1 << 21)
        let text =
            #"{"type":"Feature","properties":{"name":"\#(long)","picture":"\#(long)"},"#
            + #""geometry":{"type":"Point","coordinates":[1,2]}}"#
        let document = try Self.read(text)
        #expect(document.waypoints.count == 1 && document.leftOut.contains("2 texts that are too long"))
    }
}
