import Foundation
import PeerTestSupport
import Routing
import SharingTestSupport
import Testing

@testable import RegionSharing
@testable import RegionStore

/// Planning on the example region.
@Suite(.timeLimit(.minutes(10))) struct RoutePlannerTests {
    private static let example = OfferMaker.map.replacing("coma-pedrosa.mbtiles", with: "")

    /// The example region in a store, with its waypoints, its hike and its planned route.
    private static func world(
        in directory: TemporaryDirectory,
        routing: Bool = true
    ) throws -> (store: RegionStore, id: UUID) {
        let store = try RegionStore(path: directory.path("store"))
        let id = try store.importMap(at: OfferMaker.map, routing: routing ? OfferMaker.routing : nil).region.id
        for name in ["coma-pedrosa.waypoints", "arinsal-pic-de-comapedrosa.route", "pla-de-l-estany.track"] {
            try store.importGPX(at: "\(example)\(name).gpx", into: id)
        }
        return (store, id)
    }

    private static func position(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
        try #require(Coordinate(latitude: latitude, longitude: longitude))
    }

    // MARK: Places

    @Test func aPlaceIsAWaypointAPositionOrAnEndOfALine() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, id) = try Self.world(in: directory)
            let planner = RoutePlanner(store: store)
            let hut = try #require(store.waypoints(of: id).first { $0.label == "Refugi de la Comapedrosa" })
            for text in ["refugi de la comapedrosa", "Refugi de la Coma", "refugi coma", "31"] {
                let place = try await planner.place(text, in: id)
                #expect(place == NamedPlace(name: hut.label, coordinate: hut.coordinate), "\(text)")
            }
            let position = try await planner.place("42.57, 1.48", in: id)
            #expect(try position.coordinate == Self.position(42.57, 1.48))
            // As it comes from the command line.
            let south = try await planner.place(" -33.9,18.4", in: id)
            #expect(try south == NamedPlace(name: "-33.9,18.4", coordinate: Self.position(-33.9, 18.4)))
            let route = try store.plannedRoutes(of: id)[0]
            let start = try await planner.place("ARINSAL - PIC DE COMAPEDROSA START", in: id)
            #expect(start.coordinate == route.coordinates.first && start.name == "\(route.name) start")
            let end = try await planner.place("2 end", in: id)
            #expect(end.coordinate == route.coordinates.last)
            let hike = try await planner.place("Forcat end", in: id)
            #expect(hike.name.hasSuffix("Estany Forcat end"))
        }
    }

    @Test func whatCannotBeFoundIsSaidWithWhatThereIs() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, id) = try Self.world(in: directory)
            let planner = RoutePlanner(store: store)
            let unknown = await #expect(throws: RouteError.self) { try await planner.place("Matterhorn", in: id) }
            guard case .unknownPlace("Matterhorn", let places) = unknown else { throw try #require(unknown) }
            #expect(places.waypoints.count == 46 && places.routes.count == 2)
            let several = await #expect(throws: RouteError.self) { try await planner.place("refugi", in: id) }
            guard case .ambiguousPlace("refugi", let found, _) = several else { throw try #require(several) }
            #expect(found.count == 3 && found.allSatisfy { $0.name.hasPrefix("Refugi") })
            let line = await #expect(throws: RouteError.self) {
                try await planner.place("Estany - Estany Forcat", in: id)
            }
            guard case .neitherEnd(let hike) = line else { throw try #require(line) }
            #expect(hike.kind == .hike)
            // Waypoints of one name at one place are one place.
            let place = try Self.position(42.58, 1.47)
            for _ in 0..<2 { _ = try store.addWaypoint(named: "Spring", at: place, to: id) }
            #expect(try await planner.place("spring", in: id).coordinate == place)
        }
    }

    // MARK: Ways

    @Test func aWayIsPlannedOnTheRoutingDatabase() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, id) = try Self.world(in: directory)
            let planner = RoutePlanner(store: store)
            let start = try await planner.place("Arinsal - Pic de Comapedrosa start", in: id).coordinate
            let end = try await planner.place("Arinsal - Pic de Comapedrosa end", in: id).coordinate
            let planned = try await planner.ways(through: [start, start, end], in: id, atMost: 1)
            #expect(planned.hasGraph && !planned.leavesMap && planned.ways.count == 1)
            let way = try #require(planned.ways.first)
            // The route of the example was computed on the same graph, with other costs.
            let route = try store.plannedRoutes(of: id)[0]
            #expect(abs(way.distance / route.totalDistance - 1) < 0.05, "\(way.distance)")
            #expect(abs(way.ascent / route.elevationGain - 1) < 0.05, "\(way.ascent)")
            #expect(!way.isStraight && way.places == [start, end])

            let one = await #expect(throws: RouteError.self) {
                try await planner.ways(through: [start, start], in: id)
            }
            guard case .noWay(.tooFewPlaces, 1, _) = one else { throw try #require(one) }
            let sea = try Self.position(42, 3)
            let far = await #expect(throws: RouteError.self) { try await planner.ways(through: [start, sea], in: id) }
            guard case .noWay(.tooFar(place: 1, _), 2, _) = far else { throw try #require(far) }
        }
    }

    /// Planning again reads no file: the pages plan while a person drags a point.
    @Test func theGraphIsKeptUntilTheDatabaseChanges() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, id) = try Self.world(in: directory, routing: false)
            let planner = RoutePlanner(store: store)
            let places = try [Self.position(42.5726, 1.4843), Self.position(42.5789, 1.4494)]
            #expect(try await planner.ways(through: places, in: id).hasGraph == false)
            try OfferMaker.addRouting(to: id, of: store)
            #expect(try await planner.ways(through: places, in: id).hasGraph)
            let path = try #require(try store.withRoutingDatabase(of: id) { $0 })
            try FileManager.default.moveItem(atPath: path, toPath: directory.path("away"))
            #expect(try await planner.ways(through: places, in: id).hasGraph)
            let error = await #expect(throws: RegionStoreError.self) {
                try await RoutePlanner(store: store).ways(through: places, in: id)
            }
            #expect(error?.code == .storage)
        }
    }

    @Test func withoutADatabaseTheLineIsStraightAndMayLeaveTheMap() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, id) = try Self.world(in: directory, routing: false)
            let planner = RoutePlanner(store: store)
            let inside = try [Self.position(42.57, 1.45), Self.position(42.58, 1.47)]
            let planned = try await planner.ways(through: inside, in: id)
            #expect(!planned.hasGraph && !planned.leavesMap && planned.ways.map(\.isStraight) == [true])
            #expect(planned.ways.first?.coordinates == inside)
            let box = try store.region(id).boundingBox
            let edge = try Self.position(42.58, box.east)
            let beyond = try Self.position(42.58, box.east + 0.05)
            let far = try await planner.ways(through: [inside[1], edge, beyond], in: id)
            #expect(abs(far.beyondMap[0] - Geodesy.distance(edge, beyond)) < 100, "\(far.beyondMap)")
        }
    }

    // MARK: Saving

    @Test func aSavedWayIsAPlannedRouteOfTheRegion() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, id) = try Self.world(in: directory)
            let planner = RoutePlanner(store: store)
            let places = try [Self.position(42.5726, 1.4843), Self.position(42.5789, 1.4494)]
            let way = try #require(try await planner.ways(through: places, in: id).ways.first)
            let saved = try await planner.save(way, called: "To the hut", in: id, pace: .din33466.scaled(by: 2))
            let kept = try #require(try store.plannedRoutes(of: id).first { $0.id == saved.id })
            #expect(kept == saved && kept.name == "To the hut" && kept.regionID == id)
            #expect(kept.coordinates == way.coordinates && kept.turnInstructions == way.turns)
            let time = Pace.din33466.duration(distance: way.distance, ascent: way.ascent, descent: way.descent)
            #expect(abs(kept.estimatedDuration - time / 2) < 1)
            let rule = try CutRule().along(["to the hut"], of: try store.region(id), in: store)
            #expect(rule.lines == [way.coordinates])

            let taken = await #expect(throws: RouteError.self) {
                try await planner.save(way, called: "TO THE HUT", in: id)
            }
            guard case .nameTaken(let other, _) = taken else { throw try #require(taken) }
            #expect(other.id == saved.id)
            #expect(try store.plannedRoutes(of: id).count == 2)
        }
    }

    /// What other machines would refuse is not stored.
    @Test func aRouteWithTooManyPointsOrNoNameIsNotSaved() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, id) = try Self.world(in: directory, routing: false)
            let planner = RoutePlanner(store: store)
            let line = try (0...25_000).map { try Self.position(42.57, 1.45 + Double($0) / 1e6) }
            let way = PlannedWay.straight(through: [line[0], line[1]])
            let unnamed = await #expect(throws: RegionStoreError.self) {
                try await planner.save(way, called: " ", in: id)
            }
            #expect(unnamed?.code == .invalidArgument)
            var route = way.route(called: "Long", id: UUID(), of: id, at: Date())
            route.coordinates = line
            let long = #expect(throws: RegionStoreError.self) { try store.addPlannedRoute(route, to: id) }
            #expect(long?.code == .invalidArgument)
            #expect(try store.plannedRoutes(of: id).count == 1)
            // A way of that many points is saved with fewer.
            var longer = way
            longer.coordinates = line
            let saved = try await planner.save(longer, called: "Long", in: id)
            #expect(saved.coordinates.count <= 25_000 && saved.coordinates.last == line.last)
        }
    }
}
