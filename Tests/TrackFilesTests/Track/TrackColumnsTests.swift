import Foundation
import PeerTestSupport
import RegionModel
import RegionTestSupport
import Testing

@testable import TrackFiles

@Suite struct TrackColumnsTests {
    private func table(_ bytes: [UInt8]) throws -> TrackColumns {
        try TrackColumns(decoding: try #require(TrackCodec.compressed(bytes)))
    }

    private func isRefused(_ bytes: [UInt8]) -> Bool { (try? table(bytes)) == nil }

    @Test func writesTheBytesOfThePage() throws {
        var columns = TrackColumns(pointCount: 3, segmentStarts: [0, 2])
        columns.set(3) { [1_500_000, nil, 1_500_500][$0] }
        columns.set(4) { _ in nil }
        #expect(columns.bytes == GoldenTable.bytes)
        #expect(try table(GoldenTable.bytes) == columns)
        #expect(columns[.elevation, 2] == 1_500_500 && columns[.elevation, 1] == nil && columns[.time, 0] == nil)
        #expect(try TrackColumns(decoding: try #require(columns.encoded)) == columns)
    }

    @Test func skipsColumnsThatAreNotKnown() throws {
        #expect(try table(GoldenTable.bytes + [0x63, 0x02, 0xFF, 0xFF]) == table(GoldenTable.bytes))
    }

    @Test func refusesWhatIsNoTable() {
        let wrong: [(String, [UInt8])] = [
            ("nothing", []), ("no points", [0, 0]), ("no segments", [1, 0]),
            ("more segments than points", [1, 2, 1, 0]),
            ("an empty segment", [2, 2, 2, 0]), ("segments that are too short", [3, 1, 2]),
            ("too many points", [0xA1, 0x8D, 6, 1]),
            ("an endless number", [UInt8](repeating: 0xFF, count: 11)),
            ("a column twice", [1, 1, 1, 3, 2, 1, 0, 3, 2, 1, 0]),
            ("columns in the wrong order", [1, 1, 1, 4, 2, 1, 0, 3, 2, 1, 0]),
            ("a column that is cut off", [1, 1, 1, 3, 9, 1]),
            ("a number too many", [1, 1, 1, 3, 3, 1, 0, 0]), ("a number too few", [1, 1, 1, 3, 1, 1]),
            ("a latitude without a longitude", [1, 1, 1, 1, 2, 1, 0]),
            ("a position that is missing", [2, 1, 2, 1, 2, 1, 0, 2, 2, 1, 0]),
            ("a latitude of 91 degrees", [1, 1, 1, 1, 6, 1, 0x80, 0xFE, 0xEB, 0xE3, 0x06, 2, 2, 1, 0]),
            (
                "a sum of more than 64 bits",
                [2, 1, 2, 4, 21, 3] + [UInt8](repeating: 0xFF, count: 9) + [1]
                    + [UInt8](repeating: 0xFF, count: 9) + [1]
            ),
        ]
        for (name, bytes) in wrong { #expect(isRefused(bytes), "\(name)") }
        #expect(!isRefused([1, 1, 1]))
        #expect(throws: RegionStoreError.self) { try TrackColumns(decoding: Data()) }
        #expect(throws: RegionStoreError.self) { try TrackColumns(decoding: Data([1, 2, 3])) }
    }

    @Test func aBombIsInflatedNoFurtherThanTheLimit() throws {
        let bomb = try #require(TrackCodec.compressed([UInt8](repeating: 0, count: 50_000_000)))
        #expect(throws: RegionStoreError.self) { try TrackColumns(decoding: bomb) }
    }

    @Test func theLongestTableFits() throws {
        var generator = SeededGenerator(seed: 1)
        // Each point is as far from the last one as it can be; for more such points no table is made.
        let count = ModelLimits.maximumPointCount * 2 / 5
        for sensors in [false, true] {
            var columns = TrackColumns(pointCount: count, segmentStarts: Array(0..<count))
            let numbers: [UInt8] = sensors ? [5, 6, 7, 8, 9] : [1, 2, 3, 4]
            for number in numbers {
                // The differences are as large as they can be.
                let range: ClosedRange<Int64> =
                    switch number {
                    case 1: -900_000_000...900_000_000
                    case 2: -1_800_000_000...1_800_000_000
                    case 3: -12_000_000...100_000_000
                    case 4: -62_135_596_800_000...253_402_300_799_999
                    default: -2_000_000_000...2_000_000_000
                    }
                columns.set(number) { index in
                    let distance = Int64.random(in: 0..<1000, using: &generator)
                    return index % 2 == 0 ? range.lowerBound + distance : range.upperBound - distance
                }
            }
            #expect(columns.bytes.count <= ModelLimits.maximumTableLength)
            let encoded = try #require(columns.encoded)
            #expect(try TrackColumns(decoding: encoded) == columns)
        }
    }

    @Test func aTableOfAnotherTrackIsIgnored() throws {
        var hike = try Items.hike()
        let points = try [47.2000001, 47.3].map { TrackPoint(coordinate: try Items.coordinate($0), elevation: 7) }
        hike.trackData = try TrackCodec.encode(points, startTime: hike.startTime)
        hike.supplement.track =
            TrackColumns(of: Track(points: points, segmentStarts: [0, 1]), hasPositions: true).encoded
        #expect(try hike.track().points == points)
        #expect(try hike.track().segments == [0..<1, 1..<2])
        // Another program has changed the track, and kept what it does not know.
        let moved = try [47.2, 47.4].map {
            TrackPoint(coordinate: try Items.coordinate($0), elevation: 8, time: Items.time)
        }
        hike.trackData = try TrackCodec.encode(moved, startTime: hike.startTime)
        #expect(try hike.track().points.map(\.elevation) == [8, 8])
        #expect(try hike.track().segments == [0..<2])
        hike.trackData = try TrackCodec.encode(points + points, startTime: hike.startTime)
        #expect(try hike.track().points.count == 4)
    }
}
