import Foundation
import RegionSharing
import SharingReports
import SharingTestSupport
import Testing

@testable import HikeShareCommands
@testable import RegionSharing
@testable import RegionStore
@testable import Routing

/// The screens of `plan`.
extension Screens {
    private static func position(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
        try #require(Coordinate(latitude: latitude, longitude: longitude))
    }

    private static func places() throws -> [NamedPlace] {
        [
            NamedPlace(name: "Arinsal - Pic de Comapedrosa start", coordinate: try position(42.5726, 1.4843)),
            NamedPlace(name: "Refugi de la Comapedrosa", coordinate: try position(42.5789, 1.4494)),
        ]
    }

    private static func way() throws -> PlannedWay {
        let (start, end) = (try position(42.5726, 1.4843), try position(42.5789, 1.4478))
        let turns: [(TurnDirection, Double, String)] = [
            (.start, 0, "Start on Carretera d'Arinsal"), (.left, 640, "Turn left onto Camí de Coma Pedrosa"),
            (.slightRight, 3120, "Keep right"), (.arrive, 4480, "Arrive"),
        ]
        return PlannedWay(
            places: try places().map(\.coordinate),
            coordinates: [start, end],
            cost: 9000,
            distance: 4480,
            ascent: 812,
            descent: 26,
            profile: [ElevationSample(distance: 0, elevation: 1480), ElevationSample(distance: 4480, elevation: 2266)],
            stretches: [
                WayStretch(kind: .road, name: "Carretera d'Arinsal", start: 0, distance: 640),
                WayStretch(kind: .path, sacScale: .mountainHiking, visibility: .good, start: 640, distance: 2480),
                WayStretch(kind: .path, start: 3120, distance: 700),
                WayStretch(
                    kind: .path,
                    sacScale: .demandingMountainHiking,
                    visibility: .intermediate,
                    start: 3820,
                    distance: 660
                ),
            ],
            turns: turns.map { direction, distance, text in
                TurnInstruction(
                    coordinate: start,
                    direction: direction,
                    bearing: 0,
                    distanceFromPrevious: 0,
                    cumulativeDistance: distance,
                    description: text
                )
            },
            isStraight: false
        )
    }

    static func plan(_ console: Console) throws {
        let (region, way, places) = (try region(), try way(), try places())
        var planned = PlannedWays([way], hasGraph: true, in: region)
        planned.beyondMap = [1300]
        console.emit(PlanReport(planned, through: places, in: region, pace: .din33466, number: 1))
        let route = way.route(called: "To the hut", id: try Sample.uuid(), of: region.id, at: Sample.date)
        console.emit(.added(route, number: 2, to: region))

        var longer = way
        (longer.distance, longer.ascent, longer.profile) = (5900, 0, [])
        longer.stretches = [WayStretch(kind: .track, start: 0, distance: 5900)]
        planned = PlannedWays([way, longer], hasGraph: true, in: region)
        console.emit(PlanReport(planned, through: places, in: region, pace: .din33466.scaled(by: 1.2)))

        let straight = PlannedWay.straight(through: places.map(\.coordinate))
        planned = PlannedWays([straight], hasGraph: false, in: region)
        console.emit(
            PlanReport(planned, through: [places[0], places[0], places[1]], in: region, pace: .din33466, number: 1)
        )

        let waypoints = ["Refugi de la Comapedrosa", "Refugi del Pla de l'Estany"].enumerated().map { index, name in
            ItemDescription(
                kind: .waypoint,
                id: region.id,
                number: index + 1,
                name: name,
                coordinate: places[index].coordinate,
                distance: nil
            )
        }
        var hike = waypoints[0]
        (hike.kind, hike.name, hike.distance) = (.hike, "Around the lakes", 5200)
        let known = RegionPlaces(region: region, waypoints: waypoints, routes: [hike])
        let errors: [RouteError] = [
            .unknownPlace("Matterhorn", known), .ambiguousPlace("refugi", waypoints, in: region),
            .neitherEnd(hike), .nameTaken(hike, in: region),
            .noWay(.tooFar(place: 1, metres: 2345), placeCount: 3, in: region),
            .noWay(.noWay(from: 0, reached: places[1].coordinate, metres: 120), placeCount: 2, in: region),
            .noWay(.tooFewPlaces, placeCount: 1, in: region),
        ]
        for error in errors { console.warn(ProblemReport(error)) }
    }
}
