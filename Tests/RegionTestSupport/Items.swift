package import Foundation
package import RegionModel
import TrackFiles

/// Routes and waypoints near Innsbruck, for tests.
package enum Items {
    /// A position that is not on Earth.
    private struct Elsewhere: Error {}

    /// When everything happens.
    package static let time = Date(timeIntervalSince1970: 1_770_307_200)

    /// A place; by default the one where everything begins.
    package static func coordinate(_ latitude: Double = 47.2, _ longitude: Double = 11.4) throws -> Coordinate {
        guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else { throw Elsewhere() }
        return coordinate
    }

    /// The points of a hike.
    package static func track(count: Int = 3) throws -> Data {
        let points = try (0..<count).map { index in
            TrackPoint(
                coordinate: try coordinate(47.2 + Double(index) * 0.001),
                elevation: 1900,
                time: time + Double(index)
            )
        }
        return try TrackCodec.encode(points, startTime: time)
    }

    /// A hut.
    package static func waypoint(
        id: UUID = UUID(),
        label: String = "Pfeishütte",
        note: String = "",
        modifiedAt: Date? = nil
    ) throws -> Waypoint {
        Waypoint(
            id: id,
            coordinate: try coordinate(),
            elevation: 1922,
            time: time,
            label: label,
            note: note,
            category: .shelter,
            modifiedAt: modifiedAt
        )
    }

    /// A hike with heart rates.
    package static func hike(
        id: UUID = UUID(),
        name: String = "Goetheweg",
        modifiedAt: Date? = nil
    ) throws -> SavedRoute {
        SavedRoute(
            id: id,
            name: name,
            start: try coordinate(),
            end: try coordinate(47.21, 11.41),
            startTime: time,
            endTime: time.addingTimeInterval(7200),
            totalDistance: 5200.5,
            elevationGain: 310,
            elevationLoss: 120,
            walkingTime: 6000,
            restingTime: 1200,
            averageHeartRate: 121,
            maximumHeartRate: 163,
            estimatedCalories: 640,
            comment: "Snow in the gully",
            trackData: try track(),
            modifiedAt: modifiedAt
        )
    }

    /// A route with turns and an elevation profile.
    package static func plannedRoute(id: UUID = UUID(), name: String = "Zum Hafelekar") throws -> PlannedRoute {
        PlannedRoute(
            id: id,
            name: name,
            mode: .hiking,
            start: try coordinate(),
            end: try coordinate(47.21, 11.41),
            viaPoints: [try coordinate(47.205, 11.405)],
            coordinates: [try coordinate(), try coordinate(47.205, 11.405), try coordinate(47.21, 11.41)],
            turnInstructions: [
                TurnInstruction(
                    coordinate: try coordinate(),
                    direction: .slightLeft,
                    bearing: 40,
                    distanceFromPrevious: 120,
                    cumulativeDistance: 120,
                    trailName: "Weg 216",
                    description: "Bear left"
                )
            ],
            totalDistance: 1800,
            estimatedDuration: 3000,
            elevationGain: 400,
            elevationLoss: 0,
            createdAt: time,
            elevationProfile: [
                ElevationSample(distance: 0, elevation: 1900), ElevationSample(distance: 1800, elevation: 2300),
            ]
        )
    }
}
