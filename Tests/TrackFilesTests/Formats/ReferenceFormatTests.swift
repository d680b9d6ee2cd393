import Foundation
import PeerTestSupport
import RegionModel
import Testing

@testable import TrackFiles

/// Files of tracks as other programs read them, point by point: fitdecode, tcxreader, geojson, fastkml, and Python's reader of XML.
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
        var heartRate: Int
        var cadence: Int

        init(_ index: Int) {
            longitude = 1.4 + Double(index) / 7000
            latitude = 42.5 + Double(index % 37) / 900
            elevation = 1500 + index
            heartRate = 90 + index % 70
            cadence = 50 + index % 11
        }
    }

    private static let points = (0..<300).map { Point($0) }
    /// The points before and after a pause.
    private static let segments = [0..<120, 120..<300]

    private static func time(_ index: Int) -> String {
        String(format: "2024-07-02T08:%02d:%02dZ", index / 60, index % 60)
    }

    private static var kml: String {
        let places = points.prefix(9).enumerated().map { index, point in
            "<Placemark><name>Hut \(index) &amp; Söhne</name><description>Note \(index)</description>"
                + "<TimeStamp><when>\(time(index))</when></TimeStamp>"
                + "<Point><coordinates>\(point.longitude),\(point.latitude),\(point.elevation)</coordinates></Point></Placemark>"
        }
        func line(_ range: Range<Int>) -> String {
            let positions = points[range].map { "\($0.longitude),\($0.latitude),\($0.elevation)" }
            return "<LineString><coordinates>\(positions.joined(separator: "\n"))</coordinates></LineString>"
        }
        func track(_ range: Range<Int>) -> String {
            func values(_ name: String, _ value: KeyPath<Point, Int>) -> String {
                "<gx:SimpleArrayData name=\"\(name)\">"
                    + points[range].map { "<gx:value>\($0[keyPath: value])</gx:value>" }.joined()
                    + "</gx:SimpleArrayData>"
            }
            return "<gx:Track>" + range.map { "<when>\(time($0))</when>" }.joined()
                + points[range].map { "<gx:coord>\($0.longitude) \($0.latitude) \($0.elevation)</gx:coord>" }.joined()
                + "<ExtendedData><SchemaData schemaUrl=\"#s\">" + values("heartrate", \.heartRate)
                + values("cadence", \.cadence) + "</SchemaData></ExtendedData></gx:Track>"
        }
        return """
            <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document>
            <Folder>\(places.joined())</Folder><Placemark><name>Up</name>\(line(0..<300))</Placemark>
            <Placemark><name>Parts</name><description>Two</description><MultiGeometry>\(segments.map(line).joined())</MultiGeometry>
            </Placemark><Placemark><name>Walk</name><description>Warm, dry</description>
            <gx:MultiTrack>\(segments.map(track).joined())</gx:MultiTrack></Placemark></Document></kml>
            """
    }

    private static var tcx: String {
        func track(_ range: Range<Int>) -> String {
            let track = range.map { index in
                let point = points[index]
                return """
                    <Trackpoint><Time>\(time(index))</Time><Position><LatitudeDegrees>\(point.latitude)</LatitudeDegrees>
                    <LongitudeDegrees>\(point.longitude)</LongitudeDegrees></Position>
                    <AltitudeMeters>\(point.elevation)</AltitudeMeters><HeartRateBpm><Value>\(point.heartRate)</Value></HeartRateBpm>
                    <Cadence>\(point.cadence)</Cadence><Extensions><x:TPX><x:Speed>1.5</x:Speed></x:TPX></Extensions></Trackpoint>
                    """
            }
            return "<Track>\(track.joined())</Track>"
        }
        func lap(_ content: String) -> String {
            """
            <Lap StartTime="2024-07-02T08:00:00Z"><TotalTimeSeconds>300</TotalTimeSeconds><DistanceMeters>1</DistanceMeters>
            <Calories>1</Calories>\(content)</Lap>
            """
        }
        return """
            <TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"
            xmlns:x="http://www.garmin.com/xmlschemas/ActivityExtension/v2"><Activities>
            <Activity Sport="Running"><Id>2024-07-02T08:00:00Z</Id>
            \(lap(track(0..<60)))\(lap(track(60..<120) + track(120..<300)))<Notes>Steep &lt; wet</Notes></Activity></Activities>
            </TrainingCenterDatabase>
            """
    }

    private static var geoJSON: String {
        func position(_ point: Point) -> String { "[\(point.longitude),\(point.latitude),\(point.elevation)]" }
        func list<Values: Sequence>(_ values: Values) -> String where Values.Element == String {
            "[" + values.joined(separator: ",") + "]"
        }
        func feature(_ type: String, _ coordinates: String, _ properties: String) -> String {
            #"{"type":"Feature","properties":{\#(properties)},"geometry":{"type":"\#(type)","coordinates":\#(coordinates)}}"#
        }
        func times(_ range: Range<Int>) -> String { list(range.map { "\"\(time($0))\"" }) }
        func rates(_ range: Range<Int>) -> String { list(points[range].map { "\($0.heartRate)" }) }
        let parts = list(segments.map { list(points[$0].map(position)) })
        let features = [
            feature("Point", position(points[3]), #""name":"Hüt","desc":"Cold \"water\"","time":"\#(time(3))""#),
            feature("LineString", list(points.map(position)), #""name":"Up","desc":"""#),
            feature("MultiLineString", parts, #""name":"Parts""#),
            feature(
                "LineString",
                list(points.map(position)),
                #""name":"Walk","desc":"Dry","coordTimes":\#(times(0..<300)),"heartRates":\#(rates(0..<300))"#
            ),
            feature(
                "MultiLineString",
                parts,
                #""name":"Two","coordTimes":\#(list(segments.map(times))),"heartRates":\#(list(segments.map(rates)))"#
            ),
        ]
        return #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
    }

    private static var gpx: String {
        func point(_ element: String, _ index: Int, _ content: String = "") -> String {
            let point = points[index]
            return
                "<\(element) lat='\(point.latitude)' lon='\(point.longitude)'><ele>\(point.elevation)</ele>\(content)</\(element)>"
        }
        let places = (0..<9).map {
            point("wpt", $0, "<time>\(time($0))</time><name>Hut \($0)</name><desc>Note &amp; \($0)</desc>")
        }
        let route = points.indices.map { point("rtept", $0) }
        let track = segments.map { range in
            "<trkseg>"
                + range.map { index in
                    let values =
                        "<x:atemp>-3</x:atemp><x:hr>\(points[index].heartRate)</x:hr><x:cad>\(points[index].cadence)</x:cad>"
                    let extensions =
                        "<extensions><x:TrackPointExtension>\(values)<x:speed>1.2</x:speed></x:TrackPointExtension></extensions>"
                    return point("trkpt", index, "<time>\(time(index))</time>\(extensions)")
                }.joined() + "</trkseg>"
        }
        return """
            <gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1"
            xmlns:x="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">\(places.joined())
            <rte><name>Up</name>\(route.joined())</rte><trk><name>Walk</name><desc>Wet</desc>\(track.joined())</trk></gpx>
            """
    }

    static let files = [
        File(testDescription: "KML", format: "kml", bytes: Array(kml.utf8)),
        File(testDescription: "TCX", format: "tcx", bytes: Array(tcx.utf8)),
        File(testDescription: "GeoJSON", format: "geojson", bytes: Array(geoJSON.utf8)),
        File(testDescription: "GPX", format: "gpx", bytes: Array(gpx.utf8)),
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
            #expect(expected.count > 4)
            // Only the first difference: there may be hundreds.
            let difference = zip(own, expected).first { $0 != $1 }
            #expect(own.count == expected.count && difference == nil, "\(difference.map { "\($0)" } ?? "")")
        }
    }

    private static func lines(_ document: TrackDocument) throws -> [String] {
        func item(_ kind: String, _ id: UUID, _ name: String, _ note: String) throws -> String {
            let texts = try [document.unnamed.contains(id) ? "" : name, note].map { text in
                String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
            }
            // Python writes other characters than those of ASCII as numbers.
            let escaped = texts.joined(separator: " ").utf16.map {
                $0 < 128 ? String(UnicodeScalar(UInt8($0))) : String(format: "\\u%04x", $0)
            }
            return "item \(kind) \(escaped.joined())"
        }
        var lines: [String] = []
        for waypoint in document.waypoints {
            let isTimed = waypoint.supplement.words?.time != ""
            let point = TrackPoint(
                coordinate: waypoint.coordinate,
                elevation: waypoint.elevation,
                time: isTimed ? waypoint.time : nil
            )
            lines += [line("place", point), try item("place", waypoint.id, waypoint.label, waypoint.note)]
        }
        for route in document.plannedRoutes {
            lines += Self.lines(route.fileTrack)
            lines.append(try item("route", route.id, route.name, route.supplement.words?.description ?? ""))
        }
        for hike in document.savedRoutes {
            lines += Self.lines(try hike.fileTrack)
            lines.append(try item("hike", hike.id, hike.name, hike.comment))
        }
        return lines.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private static func lines(_ track: Track) -> [String] {
        track.segments.enumerated().flatMap { segment, range in
            range.map { index in
                let values = [.heartRate, .cadence, .speed, .temperature].map { (sensor: TrackSensor) in
                    track.sensors[sensor]?[index].map { String(format: "%.1f", Double($0) / 1000) } ?? "-"
                }
                return "\(line("point", track.points[index])) \(values.joined(separator: " ")) \(segment)"
            }
        }
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
