import CZlib
import Foundation
import PeerProtocol
import PeerTestSupport
import RegionModel
import Testing

@testable import TrackFiles

@Suite struct TrackCodecTests {
    static let start = Date(timeIntervalSince1970: 1_770_307_200)

    static func hike(_ count: Int) throws -> [TrackPoint] {
        try (0..<count).map { index in
            TrackPoint(
                coordinate: try #require(
                    Coordinate(latitude: 42.5 + Double(index) / 65_536, longitude: 1.5 - Double(index) / 65_536)
                ),
                elevation: 1500 + Double(index % 7) / 2,
                time: start + Double(index)
            )
        }
    }

    static func records(_ points: [TrackPoint], since1970: Bool = false) -> [UInt8] {
        var bytes: [UInt8] = []
        for point in points {
            let time = since1970 ? point.time?.timeIntervalSince1970 : point.time?.timeIntervalSinceReferenceDate
            for value in [point.coordinate.latitude, point.coordinate.longitude, point.elevation ?? 0] {
                withUnsafeBytes(of: Float(value).bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
            }
            withUnsafeBytes(of: (time ?? 0).bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
        }
        return bytes
    }

    /// Compresses as RFC 1950, which begins `78 9c`.
    static func zlib(_ bytes: [UInt8]) -> Data {
        var length = compressBound(UInt(bytes.count))
        var output = [UInt8](repeating: 0, count: Int(length))
        compress2(&output, &length, bytes, UInt(bytes.count), 6)
        return Data(output.prefix(Int(length)))
    }

    @Test func anEmptyTrackIsNoBytes() throws {
        #expect(try TrackCodec.encode([], startTime: Self.start).isEmpty)
        #expect(try TrackCodec.decode(Data(), startTime: nil).isEmpty)
    }

    @Test func writesTheRecordsOfThePage() throws {
        let point = TrackPoint(
            coordinate: try #require(Coordinate(latitude: 42.5, longitude: 1.5)),
            elevation: 1500,
            time: Date(timeIntervalSinceReferenceDate: 1)
        )
        let data = try TrackCodec.encode([point], startTime: Self.start)
        var inflated: [UInt8] = []
        let outcome = data.withUnsafeBytes { bytes in
            Deflate.inflate(bytes, as: .raw) {
                inflated += $0
                return true
            }
        }
        #expect(outcome == .complete)
        // 42.5, 1.5, 1500 and 1 as IEEE 754, little-endian.
        #expect(inflated == [0, 0, 0x2A, 0x42, 0, 0, 0xC0, 0x3F, 0, 0x80, 0xBB, 0x44, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F])
        #expect(try TrackCodec.decode(data, startTime: nil) == [point])
    }

    @Test(arguments: [1, 7, 20, 1000])
    func bytesBehindTheStreamMakeItNoTrack(count: Int) throws {
        let points = try Self.hike(100)
        let streams = [
            (Deflate.Format.raw, try TrackCodec.encode(points, startTime: Self.start)),
            (.zlib, Self.zlib(Self.records(points))),
        ]
        for (format, stream) in streams {
            let whole = stream.withUnsafeBytes { Deflate.inflate($0, as: format) { _ in true } }
            #expect(whole == .complete)
            let more = stream + Data(repeating: 0, count: count)
            let outcome = more.withUnsafeBytes { Deflate.inflate($0, as: format) { _ in true } }
            #expect(outcome == .broken, "\(format)")
            // Bytes of the length of records are records.
            guard more.count % TrackCodec.recordLength != 0 else { continue }
            #expect(throws: RegionStoreError.self) { try TrackCodec.decode(more, startTime: Self.start) }
        }
    }

    @Test(arguments: [1, 2, 3, 3276, 3277, 10_000])
    func roundTrips(count: Int) throws {
        let points = try Self.hike(count)
        let data = try TrackCodec.encode(points, startTime: Self.start)
        #expect(try TrackCodec.decode(data, startTime: Self.start) == points)
    }

    @Test func readsAndroidsFormWithEitherEpoch() throws {
        let points = try Self.hike(300)
        for since1970 in [true, false] {
            let data = Self.zlib(Self.records(points, since1970: since1970))
            #expect(data.prefix(2) == Data([0x78, 0x9C]))
            #expect(try TrackCodec.decode(data, startTime: Self.start) == points)
        }
    }

    @Test func readsBareRecordsAndIgnoresARestInsideAStream() throws {
        let points = try Self.hike(50)
        #expect(try TrackCodec.decode(Data(Self.records(points)), startTime: Self.start) == points)
        let rest = try #require(TrackCodec.compressed(Self.records(points) + [1, 2, 3]))
        #expect(try TrackCodec.decode(rest, startTime: Self.start) == points)
        #expect(throws: RegionStoreError.self) {
            try TrackCodec.decode(Data(Self.records(points) + [1, 2, 3]), startTime: Self.start)
        }
    }

    @Test func refusesAStreamThatIsCutShort() throws {
        let data = try TrackCodec.encode(try Self.hike(500), startTime: Self.start)
        for length in stride(from: 1, to: data.count, by: 7) where length % 20 != 0 {
            #expect(throws: RegionStoreError.self) {
                try TrackCodec.decode(data.prefix(length), startTime: Self.start)
            }
        }
    }

    @Test func readsAStationaryTrackWhole() throws {
        let place = try #require(Coordinate(latitude: 42.5, longitude: 1.5))
        let points = [TrackPoint](
            repeating: TrackPoint(coordinate: place, elevation: 100, time: Self.start),
            count: 100_000
        )
        let data = try TrackCodec.encode(points, startTime: Self.start)
        #expect(data.count * 200 < points.count * 20)
        #expect(try TrackCodec.decode(data, startTime: Self.start).count == points.count)
    }

    @Test func aBombIsAnErrorAtTheLimit() throws {
        let data = try #require(TrackCodec.compressed([UInt8](repeating: 0, count: 50_000_000)))
        #expect(data.count < 100_000)
        let error = #expect(throws: RegionStoreError.self) { try TrackCodec.decode(data, startTime: nil) }
        #expect(error?.message == "The track has more than 100000 points.")
        let points = try Self.hike(11)
        let small = try TrackCodec.encode(points, startTime: Self.start)
        #expect(try TrackCodec.decode(small, startTime: nil, limit: 11).count == 11)
        #expect(throws: RegionStoreError.self) { try TrackCodec.decode(small, startTime: nil, limit: 10) }
    }

    @Test func aBombOfPlacesThatAreNotOnEarthIsInflatedNoFurtherThanTheLimit() throws {
        let record =
            withUnsafeBytes(of: Float(900).bitPattern.littleEndian, Array.init) + [UInt8](repeating: 0, count: 16)
        let data = try #require(TrackCodec.compressed(Array(repeating: record, count: 1000).flatMap { $0 }))
        let error = #expect(throws: RegionStoreError.self) {
            try TrackCodec.decode(data, startTime: nil, limit: 10)
        }
        #expect(error?.message == "The track has more than 10 points.")
    }

    @Test func refusesPlacesThatAreNotOnEarthButNotOddElevationsOrTimes() throws {
        var records = Self.records(try Self.hike(3))
        let nan = withUnsafeBytes(of: Float.nan.bitPattern.littleEndian, Array.init)
        var other = records
        other.replaceSubrange(20..<24, with: nan)
        let error = #expect(throws: RegionStoreError.self) {
            try TrackCodec.decode(try #require(TrackCodec.compressed(other)), startTime: Self.start)
        }
        #expect(error?.message == "Point 2 of the track is not on Earth.")
        records.replaceSubrange(28..<32, with: nan)
        records.replaceSubrange(32..<40, with: withUnsafeBytes(of: Double.infinity.bitPattern.littleEndian, Array.init))
        let points = try TrackCodec.decode(try #require(TrackCodec.compressed(records)), startTime: Self.start)
        #expect(points.map { $0.elevation == nil } == [false, true, false])
        #expect(points.map { $0.time == nil } == [false, true, false])
    }

    @Test func interpolatesWhatIsMissingBetween() throws {
        var points = try Self.hike(5)
        points[0].elevation = nil
        points[1].elevation = 10
        points[2].elevation = nil
        points[3].elevation = 20
        points[4].elevation = nil
        points[1].time = nil
        points[4].time = nil
        let read = try TrackCodec.decode(try TrackCodec.encode(points, startTime: Self.start), startTime: Self.start)
        #expect(read.map(\.elevation) == [10, 10, 15, 20, 20])
        #expect(read.map { $0.time?.timeIntervalSince(Self.start) } == [0, 1, 2, 3, 3])
    }

    @Test func keepsUnknownElevationsAndTimesUnknown() throws {
        let points = try Self.hike(5).map { TrackPoint(coordinate: $0.coordinate) }
        let data = try TrackCodec.encode(points, startTime: Self.start)
        #expect(try TrackCodec.decode(data, startTime: Self.start) == points)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func neverTrapsOnDamage(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let points = try Self.hike(200)
        let originals = [
            Array(try TrackCodec.encode(points, startTime: Self.start)), Array(Self.zlib(Self.records(points))),
            Self.records(points),
        ]
        for round in 0..<600 {
            var bytes = originals[round % 3]
            for _ in 0...Int.random(in: 0...4, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            if round % 5 == 0 { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator)) }
            let read = (try? TrackCodec.decode(Data(bytes), startTime: Self.start)) ?? []
            #expect(read.count <= 1_000_000)
            #expect(TrackStatistics(Track(points: read)).distance.isFinite)
        }
    }
}
