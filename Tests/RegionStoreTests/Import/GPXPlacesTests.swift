import Foundation
import GRDB
import PeerTestSupport
import Testing
import TrackFiles

@testable import RegionStore

/// Which regions the items of a GPX file go to: all points count.
@Suite struct GPXPlacesTests {
    /// A store with two maps side by side, from 11.25 to 11.60 and from there to 11.95 degrees east.
    private struct World {
        var store: RegionStore
        var west: UUID
        var east: UUID
        var directory: TemporaryDirectory

        func importing(_ tracks: String, into region: UUID? = nil, preferring: UUID? = nil) throws -> GPXImport {
            let path = directory.path("hike.gpx")
            try Data("<gpx>\(tracks)</gpx>".utf8).write(to: URL(fileURLWithPath: path))
            return try store.importGPX(at: path, called: "hike.gpx", into: region, preferring: preferring)
        }
    }

    private func withWorld(_ body: (World) throws -> Void) async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            var ids: [UUID] = []
            for number in 1...2 {
                var map = MapFile.small(seed: UInt64(number)).without("bounds")
                for index in map.tiles.indices {
                    map.tiles[index].column += (number - 1) << (map.tiles[index].zoomLevel - 10)
                }
                try map.write(to: directory.path("\(number).mbtiles"))
                ids.append(
                    try store.importMap(at: directory.path("\(number).mbtiles"), name: "Map \(number)").region.id
                )
            }
            try body(World(store: store, west: ids[0], east: ids[1], directory: directory))
        }
    }

    private func track(_ longitudes: [Double], hasTimes: Bool = true) -> String {
        let points = longitudes.enumerated().map { index, longitude in
            let time = hasTimes ? "<time>2025-06-20T08:0\(index):00Z</time>" : ""
            return "<trkpt lat='\(longitude == 0 ? 0 : 47.1)' lon='\(longitude)'>\(time)</trkpt>"
        }
        return "<trk><trkseg>\(points.joined())</trkseg></trk>"
    }

    @Test(arguments: [true, false])
    func mostPointsDecideAndNotTheEnds(hasTimes: Bool) async throws {
        try await withWorld { world in
            // Both ends are elsewhere.
            let around = try world.importing(track([10, 11.3, 11.4, 11.5, 11.55, 10], hasTimes: hasTimes))
            #expect(around.region.id == world.west)
            // The beginning is in one map, most of it in the other.
            let over = try world.importing(track([11.55, 11.7, 11.8, 11.9], hasTimes: hasTimes))
            #expect(over.region.id == world.east)
            #expect(over.pointCount == 4 && over.pointsInArea == 3 && !over.isOutsideArea)
            let other = track([11.55, 11.7, 11.8, 11.91], hasTimes: hasTimes)
            #expect(try world.importing(other, preferring: world.west).region.id == world.east)
        }
    }

    @Test(arguments: [true, false])
    func aFileThatIsMostlyOutsideIsRefusedWithTheNumbers(hasTimes: Bool) async throws {
        try await withWorld { world in
            // Both ends are inside.
            let hike = track([11.55, 10.1, 10.2, 10.3, 11.58], hasTimes: hasTimes)
            let error = #expect(throws: RegionStoreError.self) { try world.importing(hike) }
            #expect(error?.code == .notFound)
            #expect(
                error?.message
                    == "Only 2 of the 5 points of hike.gpx are in the area of “Map 1”, and none of your maps has more of them."
            )
            let chosen = try world.importing(hike, into: world.west)
            #expect(chosen.isOutsideArea && chosen.pointsInArea == 2)
            let nowhere = #expect(throws: RegionStoreError.self) {
                try world.importing(track([1, 2], hasTimes: hasTimes))
            }
            #expect(nowhere?.message == "hike.gpx is outside all your maps.")
        }
    }

    @Test func pointsAtZeroAreKeptAndTold() async throws {
        try await withWorld { world in
            let imported = try world.importing(track([11.3, 11.4, 0, 11.5]))
            #expect(imported.region.id == world.west)
            #expect(imported.pointsAtZero == 1)
            #expect(try world.store.hikes(of: world.west).first?.track().points.count == 4)
        }
    }

    @Test func itemsThatAreThereStayWhereTheyAre() async throws {
        try await withWorld { world in
            let tracks = (0..<150).map { track([11.3, 11.4 + Double($0) / 10_000]) }
            // The first hundred are new, the others are already in the other region.
            _ = try world.importing(tracks.suffix(50).joined(), into: world.east)
            let imported = try world.importing(tracks.joined())
            #expect(imported.region.id == world.west && imported.hikes.added == 100)
            #expect(imported.elsewhere.map(\.region.id) == [world.east] && imported.elsewhere[0].hikes.unchanged == 50)
            #expect(try world.store.hikes(of: world.east).count == 50)
            #expect(try world.store.hikes(of: world.west).count == 100)
        }
    }

    private func waypoint(_ name: String, _ longitude: Double, latitude: Double = 47.1) -> String {
        "<wpt lat='\(latitude)' lon='\(longitude)'><name>\(name)</name></wpt>"
    }

    @Test func eachItemGoesToTheMapOnWhichItLies() async throws {
        try await withWorld { world in
            let file =
                waypoint("W1", 11.3) + waypoint("W2", 11.4) + waypoint("E1", 11.7) + waypoint("E2", 11.8)
                + waypoint("Zero", 0, latitude: 0) + waypoint("Home", 5)
                + "<rte><name>Over</name>"
                + [11.5, 11.55, 11.7, 11.8, 11.9].map { "<rtept lat='47.1' lon='\($0)'/>" }.joined()
                + "</rte>" + track([11.3, 11.35, 11.4, 11.7]) + track([5, 6, 11.3])
            let imported = try world.importing(file)
            // The larger part comes first, and tells what the whole file lacks.
            #expect(imported.region.id == world.west && imported.elsewhere.map(\.region.id) == [world.east])
            #expect(imported.waypoints.added == 2 && imported.hikes.added == 1 && imported.plannedRoutes.total == 0)
            #expect(imported.elsewhere[0].waypoints.added == 2 && imported.elsewhere[0].plannedRoutes.added == 1)
            #expect(imported.outside == ["Zero", "Home", "Track 2"] && imported.elsewhere[0].outside.isEmpty)
            #expect(imported.pointsAtZero == 0)
            let labels = try [world.west, world.east].map { try world.store.waypoints(of: $0).map(\.label).sorted() }
            #expect(labels == [["W1", "W2"], ["E1", "E2"]])
            let again = try world.importing(file)
            #expect(
                again.waypoints.unchanged == 2 && again.hikes.unchanged == 1
                    && again.elsewhere[0].waypoints.unchanged == 2
            )
            #expect(try world.store.regions().map(\.waypointCount) == [2, 2])
            // A region that is chosen gets all of it.
            let chosen = try world.importing(file, into: world.east)
            #expect(chosen.region.id == world.east && chosen.elsewhere.isEmpty && chosen.outside.isEmpty)
            #expect(chosen.waypoints.total == 6)
        }
    }

    @Test func halfOfAHikeOnEachMapGoesWhereMostOfTheFileLies() async throws {
        try await withWorld { world in
            for name in ["a", "b"] {
                let hike = "<trk><name>\(name)</name>" + track([11.4, 11.5, 11.7, 11.8]).dropFirst(5)
                let most = name == "a" ? world.west : world.east
                let imported = try world.importing(hike + waypoint("Hut \(name)", name == "a" ? 11.3 : 11.9))
                #expect(imported.region.id == most && imported.hikes.added == 1 && imported.elsewhere.isEmpty)
            }
        }
    }

    /// If one region cannot take its part, no region gets any.
    @Test func allRegionsTakeTheirPartsOrNone() async throws {
        try await withWorld { world in
            _ = try world.importing(waypoint("Old", 11.31))
            try world.store.database.write { database in
                try database.execute(
                    sql: """
                        CREATE TRIGGER refuse BEFORE INSERT ON waypoint WHEN NEW.regionID = '\(world.east.uuidString)'
                        BEGIN SELECT RAISE(ABORT, 'no'); END
                        """
                )
            }
            let file = waypoint("W1", 11.3) + waypoint("W2", 11.4) + waypoint("E1", 11.7)
            #expect(throws: (any Error).self) { try world.importing(file) }
            #expect(try world.store.waypoints(of: world.west).map(\.label) == ["Old"])
        }
    }

    @Test func aFileWithoutPositionsIsNamedAsSuch() async throws {
        try await withWorld { world in
            let error = #expect(throws: RegionStoreError.self) { try world.importing(waypoint("A", 0, latitude: 0)) }
            #expect(error?.message.hasPrefix("All positions of hike.gpx are 0° N, 0° E") == true)
            let chosen = try world.importing(waypoint("A", 0, latitude: 0), into: world.west)
            #expect(chosen.pointsAtZero == 1)
        }
    }
}
