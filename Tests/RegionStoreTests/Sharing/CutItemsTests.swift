import Foundation
import PeerProtocol
import PeerTestSupport
import RegionTestSupport
import Testing
import TrackFiles

@testable import MapFiles
@testable import RegionStore

/// A part of a map has the items that lie in it.
@Suite(.timeLimit(.minutes(10))) struct CutItemsTests {
    private static let area = BoundingBox(north: 47.3, south: 47.1, east: 11.45, west: 11.35)

    /// A region with items in an area, across its edge and outside.
    private struct World {
        let pair: RegionTransferTests.Pair
        let near = UUID()
        let far = UUID()

        var id: UUID { pair.region.id }

        init(in directory: TemporaryDirectory) throws {
            pair = try RegionTransferTests.Pair(in: directory)
            func hike(_ name: String, _ longitudes: [Double]) throws -> SavedRoute {
                var hike = try Items.hike(name: name)
                let points = try longitudes.enumerated().map { index, longitude in
                    TrackPoint(
                        coordinate: try Items.coordinate(47.2, longitude),
                        elevation: 1900,
                        time: Items.time + Double(index)
                    )
                }
                hike.trackData = try TrackCodec.encode(points, startTime: Items.time)
                return hike
            }
            func route(_ name: String, _ longitudes: [Double]) throws -> PlannedRoute {
                var route = try Items.plannedRoute(name: name)
                route.coordinates = try longitudes.map { try Items.coordinate(47.2, $0) }
                return route
            }
            func waypoint(_ id: UUID, _ longitude: Double) throws -> Waypoint {
                var waypoint = try Items.waypoint(
                    id: id,
                    label: "At \(longitude)",
                    modifiedAt: Date(timeIntervalSince1970: 1_700_000_000)
                )
                waypoint.coordinate = try Items.coordinate(47.2, longitude)
                return waypoint
            }
            try pair.sender.add([try hike("From home", [11.4, 11.6]), try hike("Elsewhere", [11.6, 11.7])], to: id)
            try pair.sender.add([try route("Across", [11.4, 11.6]), try route("Away", [11.6, 11.7])], to: id)
            try pair.sender.add([try waypoint(near, 11.41), try waypoint(far, 11.6)], to: id)
            for (waypoint, seed) in [(near, 1), (far, 2)] as [(UUID, UInt64)] {
                try pair.sender.importPhoto(at: try Photos.file(seed, in: directory), for: waypoint, in: id)
            }
        }

        func received(_ source: RegionSource) throws -> [String] {
            try Transfers.run(source, to: pair.receiver.sink())
            let items = try [ItemKind.hike, .plannedRoute, .waypoint].flatMap { try pair.receiver.items($0, of: id) }
            return items.map(\.name).filter { !$0.hasPrefix("W") }.sorted()
        }
    }

    private static let wish = CutRule(area: area)
    private static let inside = ["Across", "At 11.41", "Goetheweg", "Höttinger Alm", "Zum Hafelekar"]

    /// What the sender selects, and what a receiver asks for.
    @Test(arguments: [false, true]) func itemsOutsideStayAtHome(isAskedFor: Bool) async throws {
        try await TemporaryDirectory.with { directory in
            let world = try World(in: directory)
            let sender = world.pair.sender
            let whole = try sender.source(for: world.id)
            let source =
                isAskedFor
                ? try whole.cut(Self.wish, in: sender) : try sender.source(for: world.id, routes: .all, cut: Self.wish)
            #expect(source.outside == [.savedroutes: 2, .plannedroutes: 1, .waypoints: 1])
            #expect(source.personal.hikes == 2 && source.personal.photos == 1 && whole.personal.photos == 2)
            let offered = try ManifestValidator(source.manifest).region
            #expect(offered.cut != nil && offered.outlines.count < 7)
            #expect(!offered.edits.contains { $0.id == world.far } && offered.edits.contains { $0.id == world.near })
            #expect(try world.received(source) == Self.inside)
            #expect(try Set(world.pair.receiver.photoData(of: world.id).keys) == [world.near])
        }
    }

    /// Both ways make the same offer.
    @Test func whoAsksGetsWhatTheSenderWouldOffer() async throws {
        try await TemporaryDirectory.with { directory in
            let world = try World(in: directory)
            let offered = try world.pair.sender.source(for: world.id, routes: .all, cut: Self.wish).manifest
            let asked = try world.pair.sender.source(for: world.id).cut(Self.wish, in: world.pair.sender).manifest
            #expect(asked.entries == offered.entries)
        }
    }

    @Test(arguments: [false, true]) func aPersonCanSendAllItems(isAskedFor: Bool) async throws {
        try await TemporaryDirectory.with { directory in
            let world = try World(in: directory)
            let sender = world.pair.sender
            let source =
                isAskedFor
                ? try sender.source(for: world.id, routes: .all, includeOutside: true).cut(Self.wish, in: sender)
                : try sender.source(for: world.id, routes: .all, includeOutside: true, cut: Self.wish)
            #expect(source.outside.isEmpty && source.personal.photos == 2)
            #expect(try world.received(source).count == 9)
        }
    }

    /// A strip along a route has the route, and what lies near it.
    @Test func aStripHasWhatLiesNearIt() async throws {
        try await TemporaryDirectory.with { directory in
            let world = try World(in: directory)
            let line = try [11.6, 11.7].map { try Items.coordinate(47.2, $0) }
            let wish = CutRule(along: [line], called: ["Away"], within: 500)
            let source = try world.pair.sender.source(for: world.id, routes: .all, cut: wish)
            #expect(try world.received(source) == ["Across", "At 11.6", "Away", "Elsewhere"])
            #expect(try world.pair.receiver.region(world.id).waypointCount == 1)
        }
    }

    /// Photos of waypoints outside stay, also if only photos are sent; zoom levels alone leave nothing out.
    @Test func photosBelongToTheirPlaces() async throws {
        try await TemporaryDirectory.with { directory in
            let world = try World(in: directory)
            let sender = world.pair.sender
            let photos = try sender.source(for: world.id, kinds: [.mbtiles, .photos], routes: .all, cut: Self.wish)
            #expect(photos.personal.photos == 1)
            let asked = try sender.source(for: world.id, kinds: [.mbtiles, .photos]).cut(Self.wish, in: sender)
            #expect(asked.manifest.entry(of: .photos) == nil && asked.manifest.entry(of: .mbtiles) != nil)
            let low = try sender.source(for: world.id, routes: .all, cut: CutRule(maximumZoom: 11))
            #expect(low.outside.isEmpty && low.personal.photos == 2)
        }
    }
}
