import Foundation
import RegionModel
import Testing

@testable import TrackFiles

/// FIT files: activities, courses and places.
@Suite struct FITTests {
    private static func read(_ bytes: [UInt8]) throws(RegionStoreError) -> GPXDocument {
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
        let cut = whole + FITMaker.activity().finished().dropLast(5)
        let error = #expect(throws: RegionStoreError.self) { try Self.read(cut) }
        #expect(error?.message == "This is not a complete FIT file: it ends early.")
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
        #expect(try Self.read(maker.finished()).plannedRoutes.count == 1)
    }

    @Test func saysWhatIsWrong() throws {
        let whole = FITMaker.activity().finished()
        for length in 13..<whole.count {
            let error = #expect(throws: RegionStoreError.self) { try Self.read(Array(whole[..<length])) }
            #expect(error?.message == "This is not a complete FIT file: it ends early.", "\(length)")
        }
        var wrong = whole
        for index in [2, 20, 100, whole.count - 1] {
            wrong[index] ^= 0x10
            let error = #expect(throws: RegionStoreError.self) { try Self.read(wrong) }
            #expect(error?.code == .invalidFile && error?.remedy != nil)
            wrong[index] ^= 0x10
        }
        var unused = FITMaker()
        unused.add(5, [])
        let undefined = #expect(throws: RegionStoreError.self) { try Self.read(unused.finished()) }
        #expect(undefined?.message == "The FIT file is damaged: its checksum or its messages are wrong.")
    }
}
