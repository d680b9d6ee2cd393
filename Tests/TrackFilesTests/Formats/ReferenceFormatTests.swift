import Foundation
import PeerTestSupport
import RegionModel
import Testing

@testable import TrackFiles

/// Files of tracks as other programs read them, point by point: fitdecode, tcxreader, geojson and fastkml.
///
/// `Scripts/setup test` installs them.
@Suite(.timeLimit(.minutes(10))) struct ReferenceFormatTests {
    struct File: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var format: String
        var bytes: [UInt8]
    }

    private struct Point {
        var longitude: Double
        var latitude: Double
        var elevation: Int

        init(_ index: Int) {
            longitude = 1.4 + Double(index) / 7000
            latitude = 42.5 + Double(index % 37) / 900
            elevation = 1500 + index
        }
    }

    private static let points = (0..<300).map { Point($0) }

    private static func time(_ index: Int) -> String {
        String(format: "2024-07-02T08:%02d:%02dZ", index / 60, index % 60)
    }

    private static var kml: String {
        let places = points.prefix(9).map { point in
            "<Placemark><Point><coordinates>\(point.longitude),\(point.latitude),\(point.elevation)</coordinates></Point>"
                + "</Placemark>"
        }
        let line = points.map { "\($0.longitude),\($0.latitude),\($0.elevation)" }.joined(separator: "\n")
        let times = points.indices.map { "<when>\(time($0))</when>" }.joined()
        let track = points.map { "<gx:coord>\($0.longitude) \($0.latitude) \($0.elevation)</gx:coord>" }.joined()
        return """
            <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document>
            <Folder>\(places.joined())</Folder><Placemark><LineString><coordinates>\(line)</coordinates></LineString></Placemark>
            <Placemark><gx:Track>\(times)\(track)</gx:Track></Placemark></Document></kml>
            """
    }

    private static var tcx: String {
        let track = points.enumerated().map { index, point in
            """
            <Trackpoint><Time>\(time(index))</Time><Position><LatitudeDegrees>\(point.latitude)</LatitudeDegrees>
            <LongitudeDegrees>\(point.longitude)</LongitudeDegrees></Position>
            <AltitudeMeters>\(point.elevation)</AltitudeMeters></Trackpoint>
            """
        }
        return """
            <TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"><Activities>
            <Activity Sport="Running"><Id>2024-07-02T08:00:00Z</Id><Lap StartTime="2024-07-02T08:00:00Z">
            <TotalTimeSeconds>300</TotalTimeSeconds><DistanceMeters>1</DistanceMeters><Calories>1</Calories>
            <Track>\(track.joined())</Track></Lap></Activity></Activities></TrainingCenterDatabase>
            """
    }

    private static var geoJSON: String {
        let positions = points.map { "[\($0.longitude),\($0.latitude),\($0.elevation)]" }
        func feature(_ type: String, _ coordinates: String) -> String {
            #"{"type":"Feature","properties":{},"geometry":{"type":"\#(type)","coordinates":\#(coordinates)}}"#
        }
        let line = "[" + positions.joined(separator: ",") + "]"
        let features = [
            feature("Point", positions[3]), feature("LineString", line),
            feature("MultiLineString", "[\(line),\(line)]"),
        ]
        return #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
    }

    static let files = [
        File(testDescription: "KML", format: "kml", bytes: Array(kml.utf8)),
        File(testDescription: "TCX", format: "tcx", bytes: Array(tcx.utf8)),
        File(testDescription: "GeoJSON", format: "geojson", bytes: Array(geoJSON.utf8)),
        File(testDescription: "FIT, an activity", format: "fit", bytes: FITMaker.activity().finished()),
        File(
            testDescription: "FIT, the other byte order",
            format: "fit",
            bytes: FITMaker.activity(isBigEndian: true).finished(headerLength: 12)
        ),
        File(testDescription: "FIT, a course", format: "fit", bytes: FITMaker.course().finished()),
    ]

    @Test(arguments: files) func readsWhatOtherProgramsRead(file: File) async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("file." + file.format)
            try Data(file.bytes).write(to: URL(fileURLWithPath: path))
            let expected = try await Self.reference(file.format, path)
            let own = try Self.lines(TrackFileReader().read(contentsOf: path))
            #expect(expected.count > 4 && own == expected)
        }
    }

    private static func lines(_ document: GPXDocument) throws -> [String] {
        var lines = document.waypoints.map { waypoint in
            line("place", TrackPoint(coordinate: waypoint.coordinate, elevation: waypoint.elevation))
        }
        for route in document.plannedRoutes { lines += route.fileTrack.points.map { line("point", $0) } }
        for hike in document.savedRoutes { lines += try hike.fileTrack.points.map { line("point", $0) } }
        return lines.sorted()
    }

    private static func line(_ kind: String, _ point: TrackPoint) -> String {
        let place = String(format: "%.6f %.6f", point.coordinate.latitude, point.coordinate.longitude)
        let elevation = point.elevation.map { String(format: "%.1f", $0) } ?? "-"
        return "\(kind) \(place) \(elevation) \(point.time.map { String(Int($0.timeIntervalSince1970)) } ?? "-")"
    }

    private static func reference(_ format: String, _ path: String) async throws -> [String] {
        try await ReferencePrograms.run("tracks.py", [format, path]).filter { !$0.isEmpty }
    }
}
