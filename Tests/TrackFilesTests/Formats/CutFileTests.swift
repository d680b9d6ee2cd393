import Foundation
import RegionModel
import Testing

@testable import TrackFiles

/// Files of which only the beginning is there: what is complete in it is kept.
@Suite(.timeLimit(.minutes(10))) struct CutFileTests {
    struct Format: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var text: String
        /// What the last point is cut from: the text ends with it when all points but the last are complete.
        var last: String
        /// Whether the points of an item that is not complete are kept.
        var keepsPoints = true
    }

    private static let latitudes = (0..<9).map { "42.\($0)" }

    private static func time(_ index: Int) -> String { "2024-07-02T08:00:0\(index)Z" }

    static let formats = [
        Format(
            testDescription: "GPX, a track",
            text: "<gpx><wpt lat='1' lon='2'><name>A</name></wpt><trk><name>Walk</name><trkseg>"
                + latitudes.enumerated().map {
                    "<trkpt lat='\($1)' lon='1'><ele>\($0)</ele><time>\(time($0))</time></trkpt>"
                }
                .joined() + "</trkseg></trk></gpx>",
            last: "<trkpt lat='42.8'"
        ),
        Format(
            testDescription: "GPX, a route",
            text: "<gpx><wpt lat='1' lon='2'><name>A</name></wpt><rte><name>Walk</name>"
                + latitudes.map { "<rtept lat='\($0)' lon='1'><ele>7</ele></rtept>" }.joined() + "</rte></gpx>",
            last: "<rtept lat='42.8'"
        ),
        Format(
            testDescription: "KML, a line",
            text: "<kml><Document><Placemark><name>A</name><Point><coordinates>2,1</coordinates></Point></Placemark>"
                + "<Placemark><name>Walk</name><LineString><coordinates>"
                + latitudes.map { "1,\($0),7" }.joined(separator: " ")
                + " </coordinates></LineString></Placemark></Document></kml>",
            last: "1,42.8"
        ),
        Format(
            testDescription: "KML, a track",
            text: "<kml><Document><Placemark><name>A</name><Point><coordinates>2,1</coordinates></Point></Placemark>"
                + "<Placemark><name>Walk</name><gx:Track>"
                + latitudes.enumerated().map { "<when>\(time($0))</when><gx:coord>1 \($1) 7</gx:coord>" }.joined()
                + "</gx:Track></Placemark></Document></kml>",
            last: "<gx:coord>1 42.8"
        ),
        Format(
            testDescription: "TCX",
            text:
                "<TrainingCenterDatabase><Courses><Course><CoursePoint><Name>A</Name><Position><LatitudeDegrees>1</LatitudeDegrees>"
                + "<LongitudeDegrees>2</LongitudeDegrees></Position></CoursePoint></Course></Courses><Activities><Activity><Lap><Track>"
                + latitudes.enumerated().map { index, latitude in
                    "<Trackpoint><Time>\(time(index))</Time><Position><LatitudeDegrees>\(latitude)</LatitudeDegrees>"
                        + "<LongitudeDegrees>1</LongitudeDegrees></Position></Trackpoint>"
                }.joined() + "</Track></Lap></Activity></Activities></TrainingCenterDatabase>",
            last: "<LatitudeDegrees>42.8"
        ),
        Format(
            testDescription: "GeoJSON",
            text: #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"A"},"geometry":"#
                + #"{"type":"Point","coordinates":[2,1]}},{"type":"Feature","geometry":{"type":"LineString","coordinates":["#
                + latitudes.map { "[1,\($0)]" }.joined(separator: ",") + "]}}]}",
            last: "[1,42.8",
            keepsPoints: false
        ),
    ]

    private static func read(_ text: some StringProtocol) throws(RegionStoreError) -> TrackDocument {
        try TrackFileReader(now: GPXReaderTests.now).read(Data(text.utf8), named: "file")
    }

    private static func latitudes(_ document: TrackDocument) throws -> [Double] {
        try document.plannedRoutes.flatMap(\.coordinates).map(\.latitude)
            + document.savedRoutes.flatMap { try $0.fileTrack.points.map(\.coordinate.latitude) }
    }

    @Test(arguments: formats) func keepsWhatIsComplete(format: Format) throws {
        let whole = try Self.read(format.text)
        let all = try Self.latitudes(whole)
        #expect(all.count == 9 && whole.damage == nil)
        let range = try #require(format.text.range(of: format.last))
        let cut = try Self.read(format.text[..<range.upperBound])
        #expect(cut.damage == .endsEarly && cut.waypoints.map(\.label) == ["A"])
        #expect(try Self.latitudes(cut) == (format.keepsPoints ? Array(all.prefix(8)) : []))
    }

    /// However a file is cut, its points are the first of the whole file, and no point is cut within a number.
    @Test(arguments: formats) func everyCutKeepsTheFirstPoints(format: Format) throws {
        let all = try Self.latitudes(Self.read(format.text))
        let bytes = Array(format.text.utf8)
        var most = 0
        for length in bytes.indices {
            let text = String(decoding: bytes[..<length], as: UTF8.self)
            do {
                let document = try Self.read(text)
                let latitudes = try Self.latitudes(document)
                #expect(all.starts(with: latitudes) && latitudes.count >= most, "\(length)")
                #expect(document.damage == .endsEarly || length > bytes.count - 3, "\(length)")
                most = latitudes.count
            } catch let error as RegionStoreError {
                #expect(error.code == .invalidFile && most == 0, "\(length): \(error)")
            }
        }
        #expect(most == (format.keepsPoints ? 9 : most))
    }

    /// Damage in the middle is an error of the program that wrote the file, and can be mended there.
    @Test func wrongXMLInTheMiddleIsRefused() {
        let error = #expect(throws: RegionStoreError.self) {
            try Self.read("<gpx><wpt lat='1' lon='2'/><trk></gpx>\n<!-- -->")
        }
        #expect(error?.message.contains("the XML is wrong at line 1") == true)
    }
}
