import Foundation
import RegionModel
import Testing

@testable import TrackFiles

/// FIT files: activities, courses and places.
@Suite struct FITTests {
    private static func read(_ bytes: [UInt8]) throws(RegionStoreError) -> TrackDocument {
        try TrackFileReader(now: GPXReaderTests.now).read(Data(bytes), named: "2025-01-03")
    }

    @Test(arguments: [false, true]) func readsAnActivity(isBigEndian: Bool) throws {
        let document = try Self.read(FITMaker.activity(isBigEndian: isBigEndian).finished())
        let hike = try #require(document.savedRoutes.first)
        #expect(document.savedRoutes.count == 1 && document.waypoints.isEmpty && document.plannedRoutes.isEmpty)
        #expect(hike.name == "2025-01-03" && hike.supplement.words?.type == "hiking")
        let track = try hike.fileTrack
        #expect(track.points.count == 44 && track.segments == [0..<4, 4..<44])
        let start = 631_065_600 + Double(FITMaker.start)
        let times = (0..<4).map { start + Double($0) } + (0..<40).map { start + 10 + Double($0) }
        #expect(track.points.map { $0.time?.timeIntervalSince1970 } == times)
        #expect(abs(track.points[3].coordinate.latitude - 42.503) < 1e-7)
        #expect(abs(track.points[3].coordinate.longitude - 1.497) < 1e-7)
        #expect(track.points.prefix(4).map(\.elevation) == [1500, 1501, 1502, 1503])
        #expect(track.points.last?.elevation == 1600)
        #expect(track.sensors[.heartRate]?[3] == 103_000 && track.sensors[.heartRate]?[4] == nil)
        #expect(track.sensors[.cadence]?[0] == 60_000 && track.sensors[.temperature]?[0] == -5000)
        #expect(track.sensors[.speed]?[0] == 1250 && track.sensors[.speed]?[10] == 1500)
        #expect(
            document.leftOut == ["1 point without a valid position", "developer field (5 times)", "power (4 times)"]
        )
    }

    @Test func readsACourse() throws {
        let document = try Self.read(FITMaker.course().finished(headerLength: 12))
        let route = try #require(document.plannedRoutes.first)
        #expect(document.savedRoutes.isEmpty && document.plannedRoutes.count == 1)
        #expect(route.name == "Pic Alt" && route.coordinates.count == 3)
        #expect(route.fileTrack.points.map(\.elevation) == [1500, 1510, 1520])
        #expect(route.fileTrack.points.allSatisfy { $0.time == nil })
        #expect(document.leftOut == ["times of a course"])
        #expect(document.waypoints.map(\.label) == ["Font", "Cim"])
        #expect(document.waypoints.map(\.category) == [.waterSource, .viewpoint])
    }

    @Test func readsFilesThatFollowOneAnother() throws {
        let bytes = FITMaker.course().finished() + FITMaker.activity().finished() + [0, 0, 0]
        let document = try Self.read(bytes)
        #expect(document.plannedRoutes.count == 1 && document.savedRoutes.count == 1 && document.waypoints.count == 2)
    }

    /// Bytes that look like the header of a further file are one only with its signature.
    @Test func whatFollowsTheLastFileMeansNothing() throws {
        let whole = FITMaker.course().finished()
        let document = try Self.read(whole)
        for first in [12, 14] as [UInt8] {
            for count in [1, 7, 11, 40] {
                let more = Array(repeating: first, count: count)
                #expect(try Self.read(whole + more) == document, "\(count) times \(first)")
            }
        }
    }

    private static func isCut(_ document: TrackDocument, atMost whole: TrackDocument) throws -> Bool {
        guard let hike = document.savedRoutes.first, let all = whole.savedRoutes.first else { return false }
        let points = try hike.fileTrack.points
        return try !points.isEmpty && points.count <= 44 && all.fileTrack.points.starts(with: points)
    }

    /// As a device leaves it whose battery is empty: no length in the header, and often no end.
    @Test(arguments: [12, 14]) func aFileWithoutALengthIsReadAsFarAsItGoes(headerLength: Int) throws {
        let finished = FITMaker.activity().finished(headerLength: headerLength)
        let whole = try Self.read(finished)
        var open = finished
        open.replaceSubrange(4..<8, with: [0, 0, 0, 0])
        let document = try Self.read(open)
        #expect(document.damage == .endsEarly && document.savedRoutes.count == 1)
        #expect(try document.savedRoutes.first?.fileTrack.points.count == 44)
        for length in stride(from: open.count / 2, to: open.count, by: 3) {
            let part = try Self.read(Array(open[..<length]))
            #expect(try Self.isCut(part, atMost: whole) && part.damage == .endsEarly, "\(length)")
        }
    }

    @Test func ofAChainWhatIsCompleteIsKept() throws {
        let course = FITMaker.course().finished()
        let activity = FITMaker.activity().finished()
        let cut = try Self.read(course + activity.dropLast(activity.count / 2))
        #expect(cut.plannedRoutes.count == 1 && cut.savedRoutes.count == 1 && cut.damage == .endsEarly)
        let headless = try Self.read(course + activity.prefix(30))
        #expect(headless.plannedRoutes.count == 1 && headless.savedRoutes.isEmpty && headless.damage == .endsEarly)
        var wrong = course
        wrong[wrong.count - 1] ^= 1
        let both = try Self.read(wrong + activity)
        #expect(both.plannedRoutes.count == 1 && both.savedRoutes.count == 1 && both.damage == .wrongChecksum)
        // Some programs write no checksum.
        #expect(try Self.read(activity.dropLast(2)).damage == .wrongChecksum)
    }

    @Test func readsPlaces() throws {
        var maker = FITMaker()
        maker.define(0, 29, [.sint32(1), .sint32(2), .text(0, 8)])
        maker.add(0, [FITMaker.semicircles(-42), FITMaker.semicircles(-71.5)], texts: ["Refugi"])
        let place = try #require(try Self.read(maker.finished()).waypoints.first)
        #expect(place.label == "Refugi" && abs(place.coordinate.longitude + 71.5) < 1e-7)
    }

    @Test func timesBeforeTheClockIsSetAreNone() throws {
        var maker = FITMaker()
        maker.define(0, 20, [.uint32(253), .sint32(0), .sint32(1)])
        maker.add(0, [1000, FITMaker.semicircles(1), FITMaker.semicircles(2)])
        let document = try Self.read(maker.finished())
        #expect(document.plannedRoutes.count == 1 && document.leftOut == ["time without a date"])
    }

    @Test func saysWhatIsWrong() throws {
        let whole = FITMaker.activity().finished()
        // The first record ends there.
        for length in 13..<126 {
            let error = #expect(throws: RegionStoreError.self) { try Self.read(Array(whole[..<length])) }
            #expect(error?.message == "This is not a complete FIT file: it ends early.", "\(length)")
        }
        var wrong = whole
        for index in [2, whole.count - 1] {
            wrong[index] ^= 0x10
            #expect(try Self.read(wrong).damage == .wrongChecksum)
            wrong[index] ^= 0x10
        }
        // A definition with another length: what follows it means something else.
        wrong[100] ^= 0x10
        #expect(try Self.read(wrong).damage != nil)
        var unused = FITMaker()
        unused.add(5, [])
        let undefined = #expect(throws: RegionStoreError.self) { try Self.read(unused.finished()) }
        #expect(undefined?.message == "The FIT file is damaged: its checksum or its messages are wrong.")
    }
}
