import Foundation
import PeerTestSupport
import Testing

@testable import RegionStore

/// Files of tracks in other formats than GPX: their content decides, not their names.
@Suite struct TrackFormatImportTests {
    private static let tcxPosition =
        "<Position><LatitudeDegrees>47.1</LatitudeDegrees><LongitudeDegrees>11.3</LongitudeDegrees></Position>"

    @Test(arguments: [
        "<kml><Placemark><name>Hut</name><Point><coordinates>11.3,47.1</coordinates></Point></Placemark></kml>",
        #"{"type":"Feature","properties":{"name":"Hut"},"geometry":{"type":"Point","coordinates":[11.3,47.1]}}"#,
        "<TrainingCenterDatabase><Courses><Course><CoursePoint><Name>Hut</Name>\(tcxPosition)</CoursePoint></Course></Courses>"
            + "</TrainingCenterDatabase>",
    ])
    func importingTwiceChangesNothing(content: String) async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            try MapFile.small().write(to: directory.path("a.mbtiles"))
            let region = try store.importMap(at: directory.path("a.mbtiles")).region
            let path = directory.path("file.bin")
            try Data(content.utf8).write(to: URL(fileURLWithPath: path))
            #expect(try InputFile(lookingAt: path).kind == .tracks)
            let first = try store.importGPX(at: path)
            #expect(first.region.id == region.id && first.waypoints.imported == 1)
            let second = try store.importGPX(at: path)
            #expect(second.waypoints.imported == 0 && second.waypoints.unchanged == 1)
            #expect(second.leftOut == first.leftOut)
        }
    }
}
