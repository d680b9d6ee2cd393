import Foundation
import PeerCore
import PeerTestSupport
import Testing

@testable import RegionStore
@testable import TrackFiles

/// What `receive` takes of memory, whatever a peer sends in lists and photos.
@Suite(.takingTurns) struct MemoryTests {
    struct Attack: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var kind: ResourceKind
        /// Whether the program takes what is sent.
        var isTaken = false
        /// What is sent, one transfer after the other.
        var bytes: @Sendable () throws -> [[UInt8]]
    }

    /// What a transfer may take beside that of a small region, in KiB.
    ///
    /// Most take less than half of it; everything was read whole once: 400,000 and more.
    private static let allowance = 30_000

    private static let size = 31 << 20

    private static let id = "0F8FAD5B-D9CB-469F-A165-70867728950E"

    private static let waypoint = """
        "id":"\(id)","latitude":47.1,"longitude":11.4,"label":"Hut","category":"shelter",\
        "timestamp":"2026-02-05T16:00:00Z","hasPhoto":true
        """

    private static let hike = """
        "id":"\(id)","name":"Walk","startLatitude":47.1,"startLongitude":11.4,"endLatitude":47.1,"endLongitude":11.4,\
        "startTime":"2026-02-05T16:00:00Z","endTime":"2026-02-05T17:00:00Z","totalDistance":1,"elevationGain":1,\
        "elevationLoss":1,"walkingTime":1,"restingTime":1,"comment":""
        """

    private static let route = """
        "id":"\(id)","name":"Way","mode":"hiking","startCoordinate":{"latitude":47.1,"longitude":11.4},\
        "endCoordinate":{"latitude":47.1,"longitude":11.4},"totalDistance":1,"estimatedDuration":1,"elevationGain":1,\
        "elevationLoss":1,"createdAt":"2026-02-05T16:00:00Z"
        """

    private static func text(_ start: String, _ repeated: String, _ end: String, size: Int = size) -> [UInt8] {
        Array((start + String(repeating: repeated, count: size / repeated.utf8.count) + end).utf8)
    }

    /// A list of one item: what it begins with, and a value that fills the rest.
    private static func filled(
        _ item: String,
        _ key: String,
        _ opening: String,
        _ repeated: String,
        _ closing: String
    )
        -> [UInt8]
    {
        text("[{\(item),\"\(key)\":\(opening)", repeated, "\(closing)}]")
    }

    static let attacks = [
        Attack(testDescription: "empty lists", kind: .waypoints) { [text("[[]", ",[]", "]")] },
        Attack(testDescription: "empty objects", kind: .plannedroutes) { [text("[{}", ",{}", "]")] },
        Attack(testDescription: "deep nesting", kind: .savedroutes) { [text("[", "[", "]")] },
        Attack(testDescription: "numbers under an unknown key", kind: .waypoints) {
            [filled("\(waypoint),\"note\":\"\"", "x", "[1", ",1", "]")]
        },
        Attack(testDescription: "a text under an unknown key", kind: .plannedroutes) {
            [filled(route, "x", "\"", "x", "\"")]
        },
        Attack(testDescription: "escapes in a note", kind: .waypoints) {
            [filled(waypoint, "note", "\"", #"\u0041"#, "\"")]
        },
        Attack(testDescription: "many keys", kind: .savedroutes) { [text("[{\(hike)", ",\"a\":1", "}]")] },
        Attack(testDescription: "points without end", kind: .plannedroutes) {
            let point = #"{"latitude":47.1,"longitude":11.4}"#
            return [filled(route, "coordinates", "[" + point, "," + point, "]")]
        },
        Attack(testDescription: "a track without end", kind: .savedroutes) {
            [filled(hike, "trackData", "\"", "AAAA", "\"")]
        },
        Attack(testDescription: "a table of points without end", kind: .savedroutes) {
            [filled(hike, "trackDetail", "\"", "AAAA", "\"")]
        },
        Attack(testDescription: "tables that inflate without end", kind: .savedroutes) {
            let bomb = try #require(zeros(64 << 20)).base64EncodedString()
            return [
                Array("[{\(hike),\"trackData\":\"\",\"trackDetail\":\"\(bomb)\",\"trackSensors\":\"\(bomb)\"}]".utf8)
            ]
        },
        Attack(testDescription: "texts of points without end", kind: .plannedroutes) {
            let texts = #"{"index":1,"name":"n"}"#
            return [filled(route, "pointTexts", "[" + texts, "," + texts, "]")]
        },
        Attack(testDescription: "spaces", kind: .waypoints, isTaken: true) {
            [text("[", " ", "{\(waypoint),\"note\":\"\"}]")]
        },
        Attack(testDescription: "long notes, and the same again with another end", kind: .waypoints, isTaken: true) {
            ["A", "B"].map { last in
                let items = (0..<300).map { index in
                    #"{"id":"\#(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(index / 200), UInt8(index % 200))).uuidString)","#
                        + #""latitude":47.1,"longitude":11.4,"label":"Hut","category":"shelter","hasPhoto":false,"#
                        + #""timestamp":"2026-02-05T16:00:00Z","note":"\#(String(repeating: "x", count: 99_000))\#(last)"}"#
                }
                return Array(("[" + items.joined(separator: ",") + "]").utf8)
            }
        },
        Attack(testDescription: "the longest tracks, and newer ones", kind: .savedroutes, isTaken: true) {
            try (1...2).map { version in
                let track = try track(seed: UInt64(version)).base64EncodedString()
                let items = (0..<5).map { index in
                    "{\(hike.replacingOccurrences(of: id, with: id.dropLast() + "\(index)")),"
                        + #""modifiedAt":"2026-03-0\#(version)T16:00:00Z","trackData":"\#(track)"}"#
                }
                return Array(("[" + items.joined(separator: ",") + "]").utf8)
            }
        },
        Attack(testDescription: "the longest tables of points, and newer ones", kind: .savedroutes, isTaken: true) {
            try (1...2).map { version in
                let track = try track(seed: UInt64(version)).base64EncodedString()
                let detail = try table([1, 2, 3, 4], seed: UInt64(version)).base64EncodedString()
                let sensors = try table([5, 6, 7, 8, 9], seed: UInt64(version)).base64EncodedString()
                let items = (0..<2).map { index in
                    "{\(hike.replacingOccurrences(of: id, with: id.dropLast() + "\(index)")),"
                        + #""modifiedAt":"2026-03-0\#(version)T16:00:00Z","trackData":"\#(track)","#
                        + #""trackDetail":"\#(detail)","trackSensors":"\#(sensors)"}"#
                }
                return Array(("[" + items.joined(separator: ",") + "]").utf8)
            }
        },
        Attack(testDescription: "the longest planned route, and a newer one", kind: .plannedroutes, isTaken: true) {
            (1...2).map { version in
                let coordinates = (0..<25_000).map { index in
                    #"{"latitude":47.1\#(100_000_000_000 + index),"longitude":11.4\#(100_000_000_000 + version)}"#
                }
                let profile = (0..<25_000).map { index in
                    #"{"distance":\#(index).123456789,"elevation":2000.123456789\#(version)}"#
                }
                return Array(
                    ("[{\(route),\"modifiedAt\":\"2026-03-0\(version)T16:00:00Z\",\"viaPoints\":[],\"turnInstructions\":[],"
                        + "\"coordinates\":[\(coordinates.joined(separator: ","))],"
                        + "\"elevationProfile\":[\(profile.joined(separator: ","))]}]").utf8
                )
            }
        },
        Attack(testDescription: "the largest photo, and a newer one", kind: .photos, isTaken: true) {
            (1...2).map { version in
                var generator = SeededGenerator(seed: UInt64(version))
                let photo = MapMaker.png + generator.bytes(Photo.maximumSize - MapMaker.png.count)
                var record = withUnsafeBytes(of: UUID(uuidString: id)?.uuid) { Array($0.prefix(16)) }
                record += withUnsafeBytes(of: Int64(1_790_000_000 + version).bigEndian) { Array($0) }
                record += withUnsafeBytes(of: UInt32(photo.count).bigEndian) { Array($0) }
                record += photo
                return record + [UInt8](repeating: 0, count: (65_536 - record.count % 65_536) % 65_536)
            }
        },
    ]

    /// Zeros, compressed as raw DEFLATE.
    private static func zeros(_ count: Int) -> Data? { TrackCodec.compressed([UInt8](repeating: 0, count: count)) }

    /// A table of the maximum number of points that is nearly as long as a table can be and does not compress.
    private static func table(_ numbers: [UInt8], seed: UInt64) throws -> Data {
        var generator = SeededGenerator(seed: seed)
        var table = TrackColumns(pointCount: TrackCodec.maximumPointCount)
        for number in numbers {
            let most: Int64 = numbers.count > 4 ? 4000 : 500_000
            table.set(number) { _ in .random(in: -most...most, using: &generator) }
        }
        return try #require(table.encoded)
    }

    /// Points that do not compress.
    private static func track(seed: UInt64) throws -> Data {
        var generator = SeededGenerator(seed: seed)
        let points = try (0..<TrackCodec.maximumPointCount).map { _ in
            TrackPoint(
                coordinate: try #require(
                    Coordinate(
                        latitude: .random(in: -90...90, using: &generator),
                        longitude: .random(in: -180...180, using: &generator)
                    )
                ),
                elevation: .random(in: 0...4000, using: &generator),
                time: Date(timeIntervalSince1970: .random(in: 0...2_000_000_000, using: &generator))
            )
        }
        return try TrackCodec.encode(points, startTime: Date(timeIntervalSince1970: 0))
    }

    @Test(arguments: attacks)
    func staysSmallWhateverIsSent(attack: Attack) async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            let friend = try PeerIdentity.generate(for: .hikeshare)
            try await laptop.must("peers", "trust", friend.id.hex, "--name", "Mallory")
            let region = try HostileSenderTests.region()
            let truth = try HostileSenderTests.truth(waypoint: "{\(Self.waypoint),\"note\":\"\"}")
            func receive(_ resources: [(ResourceKind, [UInt8])]) async throws -> (code: Int32?, memory: Int, String) {
                try await HostileSender.serve(try LyingSource(region, resources), identity: friend) { port, _ in
                    try await Self.measure(laptop, port)
                }
            }
            let small = try await receive(truth)
            #expect(small.code == 0, "\(small)")
            for bytes in try attack.bytes() {
                let large = try await receive([truth[0], (attack.kind, bytes)])
                #expect(large.code == (attack.isTaken ? 0 : 6), "\(large)")
                #expect(large.memory - small.memory < Self.allowance, "\(small.memory) and \(large.memory) KiB")
            }
        }
    }

    /// Receives and returns the exit code and the most memory that the program had, in KiB.
    private static func measure(_ laptop: Laptop, _ port: Int) async throws -> (code: Int32?, memory: Int, String) {
        let (ending, memory) = try await laptop.measuringMemory([
            "receive", "--yes", "--retries", "0", "--connect", "127.0.0.1:\(port)", "--format", "json",
        ])
        return (ending.code, memory, ending.words)
    }
}
