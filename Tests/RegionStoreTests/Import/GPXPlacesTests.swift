import Foundation
import PeerTestSupport
import Testing
import TrackFiles

@testable import RegionStore

/// Which region the items of a GPX file go to: all points count.
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

    @Test func itemsThatAreThereDecideBeforeTheArea() async throws {
        try await withWorld { world in
            let tracks = (0..<150).map { track([11.3, 11.4 + Double($0) / 10_000]) }
            // The first hundred are new, the others are already in the other region.
            _ = try world.importing(tracks.suffix(50).joined(), into: world.east)
            #expect(try world.importing(tracks.joined()).region.id == world.east)
            #expect(try world.store.hikes(of: world.east).count == 150)
        }
    }
}
