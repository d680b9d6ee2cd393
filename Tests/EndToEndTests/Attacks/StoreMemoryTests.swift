import Foundation
import GRDB
import PeerTestSupport
import Testing

@testable import RegionStore
@testable import TrackFiles

/// What the commands take of memory with a region that a peer has sent, whatever is in it.
///
/// Tracks are stored compressed: points that are all equal take next to nothing, and 80 bytes each in a GPX file.
@Suite(.takingTurns) struct StoreMemoryTests {
    /// The most that a command may take, in KiB: 64 MB, and 32 MB for the larger code of a build for debugging.
    private static let bound = Laptop.memoryBound

    private static let regionName = "Nordkette"

    /// A store with a region of 800,000 points, or of 100,000 waypoints, and with two photos of the maximum size.
    private static func withLaptop(
        hasTracks: Bool,
        _ body: (Laptop, _ directory: TemporaryDirectory) async throws -> Void
    ) async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            try MapMaker.make(directory.path("map.mbtiles"), name: regionName, tiles: 30, tileLength: 1_000_000)
            do {
                let store = try RegionStore(path: laptop.store)
                let region = try store.importMap(at: directory.path("map.mbtiles")).region
                try store.database.write { database in
                    try hasTracks ? addHikes(to: region, database) : addWaypoints(to: region, database)
                    try addPhotos(to: region, database)
                }
            }
            try await body(laptop, directory)
        }
    }

    private static func addHikes(to region: RegionSummary, _ database: Database) throws {
        let now = Date(timeIntervalSince1970: 1_770_307_200)
        let place = try #require(Coordinate(latitude: 47.2, longitude: 11.4))
        // Equal points, as in no real hike; the steps of a real one; and points that do not compress.
        let kinds: [(hikes: Int, points: Int, step: Double)] = [
            (3, 100_000, 0), (60, 5000, 0.000_01), (2, 100_000, 0.001),
        ]
        var generator = SeededGenerator(seed: 1)
        for (hikes, count, step) in kinds {
            var coordinate = place
            let points = (0..<count).map { index in
                let move = { Double.random(in: -step...step, using: &generator) }
                let next = Coordinate(latitude: coordinate.latitude + move(), longitude: coordinate.longitude + move())
                coordinate = next ?? coordinate
                return TrackPoint(
                    coordinate: coordinate,
                    elevation: 2000 + 10 * move(),
                    time: now + Double(step > 0 ? index : 0)
                )
            }
            // Encoding takes longer than all the rest, and the hikes may as well have the same points.
            var hike = SavedRoute(
                id: UUID(),
                name: "Hike",
                start: place,
                end: place,
                startTime: now,
                endTime: now + 3600,
                totalDistance: Double(count),
                elevationGain: 1,
                elevationLoss: 1,
                walkingTime: 1,
                restingTime: 1,
                trackData: try TrackCodec.encode(points, startTime: now)
            )
            hike.supplement.track = TrackColumns(of: Track(points: points), hasPositions: true).encoded
            for number in 0..<hikes {
                (hike.id, hike.name) = (UUID(), "Hike \(count) \(number)")
                try RegionItemRecord(regionID: region.id, item: hike).insert(database)
            }
        }
        let waypoint = Waypoint(id: UUID(), coordinate: place, time: now, label: "Hut")
        try RegionItemRecord(regionID: region.id, item: waypoint).insert(database)
    }

    private static func addWaypoints(to region: RegionSummary, _ database: Database) throws {
        let sql = """
            WITH RECURSIVE number(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n < 99999)
            INSERT INTO waypoint (regionID, id, latitude, longitude, time, label, note, category, hasPhoto)
            SELECT ?, printf('00000000-0000-4000-8000-%012d', n), 47.2, 11.4, 1770307200 + n, 'Hut ' || n, 'Key', 'shelter', 0
            FROM number
            """
        try database.execute(sql: sql, arguments: [region.id.uuidString])
    }

    private static func addPhotos(to region: RegionSummary, _ database: Database) throws {
        let ids = try String.fetchAll(database, sql: "SELECT id FROM waypoint LIMIT 2")
        for id in ids.compactMap(UUID.init(uuidString:)) {
            try PhotoRecord(
                regionID: region.id,
                waypointID: id,
                modifiedAt: Date(timeIntervalSince1970: 1_770_307_200),
                data: Data(MapMaker.png) + Data(count: Photo.maximumSize - MapMaker.png.count)
            ).save(database)
        }
    }

    /// Runs a command that must work, and bounds its memory.
    private static func expectSmall(
        _ laptop: Laptop,
        _ arguments: [String],
        environment: [String: String?] = [:]
    ) async throws {
        let (ending, memory) = try await laptop.measuringMemory(arguments, environment: environment)
        #expect(ending.code == 0, "\(arguments): \(ending.status) \(ending.words.suffix(1000))")
        #expect(memory < bound, "\(arguments) took \(memory) KiB")
    }

    /// The forms of an export, with a name for what it writes.
    static let exports: [[String]] = [
        ["--to", "OUT"], ["--to", "OUT", "--gpx"], ["--to", "OUT", "--mbtiles"], ["--to", "OUT", "--photos"],
        ["--osmand", "OUT.sqlitedb"],
    ]

    @Test func noCommandHoldsAllTracks() async throws {
        try await Self.withLaptop(hasTracks: true) { laptop, directory in
            try await Self.expectSmall(laptop, ["show", Self.regionName])
            try await Self.expectSmall(laptop, ["show", Self.regionName, "--format", "json"])
            for (number, options) in Self.exports.enumerated() {
                let out = directory.path("out-\(number)")
                let arguments = options.map { $0.replacing("OUT", with: out) }
                try await Self.expectSmall(laptop, ["export", Self.regionName] + arguments)
            }
            let gpx = try FileManager.default.attributesOfItem(atPath: directory.path("out-1/Nordkette.gpx"))[.size]
            #expect(gpx as? Int ?? 0 > 60_000_000, "the file is too short for the test to mean anything")
            // A program that is there on every machine takes the place of a map program.
            let folder = directory.path("bin")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(atPath: folder + "/gpxsee", withDestinationPath: "/bin/true")
            let environment = ["PATH": folder, "DISPLAY": ":9", "XDG_CACHE_HOME": directory.path("cache")]
            try await Self.expectSmall(laptop, ["open", Self.regionName], environment: environment)
            let arguments = ["remove", Self.regionName, "--export", directory.path("all.gpx"), "--yes"]
            // A GPX file has no place for photos.
            try await DatabaseQueue(path: laptop.store + "/hikeshare.sqlite").write { database in
                try database.execute(sql: "DELETE FROM photo")
            }
            try await Self.expectSmall(laptop, arguments, environment: environment)
        }
    }

    @Test func noCommandHoldsAllWaypoints() async throws {
        try await Self.withLaptop(hasTracks: false) { laptop, directory in
            try await Self.expectSmall(laptop, ["show", Self.regionName])
            try await Self.expectSmall(laptop, ["show", Self.regionName, "--format", "json"])
            try await Self.expectSmall(laptop, ["export", Self.regionName, "--to", directory.path("out")])
        }
    }
}
