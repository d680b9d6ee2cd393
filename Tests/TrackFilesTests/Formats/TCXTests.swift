import Foundation
import RegionModel
import Testing

@testable import TrackFiles

/// TCX files: activities and courses.
@Suite struct TCXTests {
    static let full = """
        <?xml version="1.0" encoding="UTF-8"?>
        <TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"
         xmlns:x="http://www.garmin.com/xmlschemas/ActivityExtension/v2">
        <Folders/><Activities><Activity Sport="Running"><Id>2024-07-02T08:00:00Z</Id>
        <Lap StartTime="2024-07-02T08:00:00Z"><TotalTimeSeconds>60</TotalTimeSeconds><Calories>5</Calories><Track>
        <Trackpoint><Time>2024-07-02T08:00:00Z</Time><Position><LatitudeDegrees>42.5</LatitudeDegrees>
        <LongitudeDegrees>1.5</LongitudeDegrees></Position><AltitudeMeters>1000.5</AltitudeMeters>
        <HeartRateBpm><Value>90</Value></HeartRateBpm><Cadence>80</Cadence>
        <Extensions><x:TPX><x:Speed>2.5</x:Speed><x:Watts>200</x:Watts></x:TPX></Extensions></Trackpoint>
        <Trackpoint><Time>2024-07-02T08:00:01Z</Time><DistanceMeters>1</DistanceMeters></Trackpoint></Track>
        <Track><Trackpoint><Time>2024-07-02T08:00:30Z</Time><Position><LatitudeDegrees>42.51</LatitudeDegrees>
        <LongitudeDegrees>1.51</LongitudeDegrees></Position></Trackpoint></Track><Notes>Hot</Notes></Lap>
        <Lap StartTime="2024-07-02T08:01:00Z"><Track><Trackpoint><Time>2024-07-02T08:01:00.25Z</Time><Position>
        <LatitudeDegrees>42.52</LatitudeDegrees><LongitudeDegrees>1.52</LongitudeDegrees></Position>
        <AltitudeMeters>x</AltitudeMeters></Trackpoint></Track></Lap>
        <Creator><Name>Device</Name></Creator></Activity></Activities>
        <Courses><Course><Name>Pic Alt</Name><Lap><BeginPosition><LatitudeDegrees>9</LatitudeDegrees></BeginPosition></Lap><Track>
        <Trackpoint><Time>2024-01-01T00:00:00Z</Time><Position><LatitudeDegrees>42.6</LatitudeDegrees>
        <LongitudeDegrees>1.6</LongitudeDegrees></Position><AltitudeMeters>1500</AltitudeMeters></Trackpoint>
        <Trackpoint><Time>2024-01-01T00:01:00Z</Time><Position><LatitudeDegrees>42.7</LatitudeDegrees>
        <LongitudeDegrees>1.7</LongitudeDegrees></Position></Trackpoint></Track>
        <CoursePoint><Name>Font</Name><Time>2024-01-01T00:01:00Z</Time><Position><LatitudeDegrees>42.7</LatitudeDegrees>
        <LongitudeDegrees>1.7</LongitudeDegrees></Position><PointType>Water</PointType><Notes>Cold</Notes></CoursePoint>
        </Course></Courses><Author><Name>Program</Name></Author></TrainingCenterDatabase>
        """

    static func read(_ text: String) throws(RegionStoreError) -> TrackDocument {
        try TrackFileReader(now: GPXReaderTests.now).read(Data(text.utf8), named: "file")
    }

    @Test func readsActivitiesAndCourses() throws {
        let document = try Self.read(Self.full)
        let hike = try #require(document.savedRoutes.first)
        #expect(document.savedRoutes.count == 1 && hike.name == "Track 1" && hike.comment == "Hot")
        #expect(hike.supplement.words?.type == "Running")
        let track = try hike.fileTrack
        // A second track of a lap is behind a pause, but a lap is not.
        #expect(track.segments == [0..<1, 1..<3])
        let times = ["2024-07-02T08:00:00Z", "2024-07-02T08:00:30Z", "2024-07-02T08:01:00.25Z"]
        #expect(track.points.map(\.time) == times.map { Timestamp.date(parsing: $0.utf8) })
        #expect(track.points.map(\.elevation) == [1000.5, nil, nil])
        #expect(track.points.map(\.coordinate.latitude) == [42.5, 42.51, 42.52])
        #expect(track.sensors[.heartRate]?[0] == 90_000 && track.sensors[.cadence]?[0] == 80_000)
        #expect(track.sensors[.speed]?[0] == 2500 && track.sensors[.speed]?[1] == nil)
        let route = try #require(document.plannedRoutes.first)
        #expect(document.plannedRoutes.count == 1 && route.name == "Pic Alt")
        #expect(route.fileTrack.points.map(\.elevation) == [1500, nil])
        #expect(route.fileTrack.points.allSatisfy { $0.time == nil })
        #expect(document.waypoints.map(\.label) == ["Font"] && document.waypoints[0].category == .waterSource)
        #expect(document.waypoints[0].note == "Cold")
        #expect(
            document.leftOut == [
                "1 point without a valid position", "1 elevation that is not valid", "Watts", "times of a course",
            ]
        )
        #expect(try Self.read(Self.full) == document)
    }

    /// Programs write the notes of an activity behind all its laps.
    @Test(
        arguments: [
            (["one", "", "two"], "all", "all", ["Notes (2 times)"]), (["one", "two"], "", "one", ["Notes"]),
            (["", " "], "all", "all", []), ([], "", "", []),
        ] as [([String], String, String, [String])]
    )
    func theNotesOfTheActivityCountMost(laps: [String], own: String, kept: String, leftOut: [String]) throws {
        let track =
            "<Track><Trackpoint><Time>2024-07-02T08:00:00Z</Time><Position><LatitudeDegrees>1</LatitudeDegrees>"
            + "<LongitudeDegrees>2</LongitudeDegrees></Position></Trackpoint></Track>"
        let all = ["<Lap>\(track)</Lap>"] + laps.map { "<Lap>\(track)<Notes>\($0)</Notes></Lap>" }
        let document = try Self.read(
            "<TrainingCenterDatabase><Activities><Activity>\(all.joined())<Notes>\(own)</Notes></Activity></Activities>"
                + "</TrainingCenterDatabase>"
        )
        #expect(document.savedRoutes.map(\.comment) == [kept] && document.leftOut == leftOut)
    }

    @Test func badValuesCostThemselves() throws {
        func point(_ position: String, _ more: String) -> String {
            "<Trackpoint><Time>noon</Time><Position>\(position)</Position>\(more)</Trackpoint>"
        }
        let place = "<LatitudeDegrees>1</LatitudeDegrees><LongitudeDegrees>2</LongitudeDegrees>"
        let wrong = "<LatitudeDegrees>1e999</LatitudeDegrees><LongitudeDegrees>nan</LongitudeDegrees>"
        let document = try Self.read(
            "<TrainingCenterDatabase><Activities><Activity><Lap><Track>"
                + point(place, "<Cadence>1e30</Cadence><AltitudeMeters>1e9</AltitudeMeters>") + point(wrong, "")
                + "</Track></Lap></Activity></Activities><Workouts><Workout/></Workouts></TrainingCenterDatabase>"
        )
        #expect(document.plannedRoutes.map(\.coordinates.count) == [1])
        #expect(
            document.leftOut == [
                "1 point without a valid position", "1 elevation that is not valid", "2 times that are not valid",
                "1 sensor value that is not valid", "Workouts",
            ]
        )
    }
}
