import Foundation
import RegionModel
import Testing
import TrackFiles

@Suite struct TrackStatisticsTests {
    private let start = Date(timeIntervalSince1970: 1_770_307_200)

    private func point(_ metres: Double, _ elevation: Double? = nil, _ seconds: Double? = nil) throws -> TrackPoint {
        TrackPoint(
            coordinate: try #require(Coordinate(latitude: metres / 111_194.926, longitude: 0)),
            elevation: elevation,
            time: seconds.map { start + $0 }
        )
    }

    @Test func addsUpDistances() throws {
        let statistics = TrackStatistics(Track(points: [try point(0), try point(1000), try point(400)]))
        #expect(abs(statistics.distance - 1600) < 0.01)
        #expect(TrackStatistics(Track()).distance == 0)
        #expect(TrackStatistics(Track(points: [try point(5)])).distance == 0)
    }

    @Test(arguments: [
        ([100, 200, 150], 100.0, 50.0), ([100, 100.5, 101, 300], 200, 0), ([300, 298, 302, 299, 301, 300], 0, 0),
        ([100, 200, 198, 202, 300, 296, 100], 200, 200), ([], 0, 0), ([7], 0, 0), ([50, 46, 44], 0, 6),
        ([-10, 0, 5], 15, 0),
        ([100, 96, 104, 100], 8, 0),
    ])
    func countsClimbsWithoutNoise(elevations: [Double], gain: Double, loss: Double) throws {
        let statistics = TrackStatistics(Track(points: try elevations.map { try point(0, $0) }))
        #expect(statistics.elevationGain == gain)
        #expect(statistics.elevationLoss == loss)
    }

    @Test func tellsRestFromWalking() throws {
        var points: [TrackPoint] = []
        // 10 min at 1 m/s, 5 min about one place with drift, 45 s at a gate, 10 min on.
        for second in stride(from: 0.0, through: 600, by: 5) { points.append(try point(second, nil, second)) }
        for second in stride(from: 605.0, through: 900, by: 5) {
            points.append(try point(600 + (second.truncatingRemainder(dividingBy: 10) == 0 ? 2 : -2), nil, second))
        }
        for second in stride(from: 905.0, through: 1500, by: 5) { points.append(try point(second - 300, nil, second)) }
        points.append(try point(1200, nil, 1545))
        for second in stride(from: 1550.0, through: 2150, by: 5) { points.append(try point(second - 345, nil, second)) }
        let statistics = TrackStatistics(Track(points: points))
        #expect(abs(statistics.restingTime - 300) <= 60)
        #expect(abs(statistics.walkingTime + statistics.restingTime - 2150) < 0.001)
        #expect(statistics.startTime == start)
        #expect(statistics.endTime == start + 2150)
        // Drift at rest, some 4 m every 5 s, is no way.
        #expect(abs(statistics.distance - 1805) < 45)
    }

    /// What decides whether a person rests: the speed (0.3 m/s), and for how long (60 s), measured over 30 s.
    @Test(arguments: [
        (0.29, 120.0, 120.0), (0.31, 120, 0), (0.45, 120, 0), (0.59, 600, 0), (0.1, 60, 60), (0.1, 59, 0), (0.1, 45, 0),
        (0.1, 30, 0), (0.2, 90, 90),
    ])
    func aRestIsSlowAndLong(speed: Double, seconds: Double, resting: Double) throws {
        // At 2 m/s to a stop and on; each stretch begins at a point that counts.
        var points = try stride(from: 0.0, through: 300, by: 30).map { try point(2 * $0, nil, $0) }
        let parts = seconds < 60 ? [seconds] : Array(repeating: 30.0, count: Int(seconds / 30))
        var (place, time) = (600.0, 300.0)
        for part in parts {
            (place, time) = (place + speed * part, time + part)
            points.append(try point(place, nil, time))
        }
        for _ in 0..<10 {
            (place, time) = (place + 60, time + 30)
            points.append(try point(place, nil, time))
        }
        let statistics = TrackStatistics(Track(points: points))
        #expect(abs(statistics.restingTime - resting) < 0.001)
        #expect(abs(statistics.distance - (1200 + speed * seconds)) < 0.1)
    }

    /// Between points that are less than 30 s apart, a receiver's drift looks like walking.
    @Test(arguments: [(29.0, 0.0), (30, 90)]) func speedIsMeasuredOverHalfAMinute(gap: Double, resting: Double) throws {
        // Three stretches of one place, with a step of 5 m between the points at 29 s: of every second one, it counts.
        var points = [try point(0, nil, 0)]
        for number in 1...3 { points.append(try point(0, nil, gap * Double(number))) }
        let statistics = TrackStatistics(Track(points: points))
        #expect(statistics.restingTime == (gap < 30 ? 0 : resting))
    }

    /// A turn of 5 m counts, and a smaller one is noise.
    @Test(arguments: [(4.9, 0.0), (5, 5), (5.1, 5.1)]) func smallTurnsAreNoise(height: Double, gain: Double) throws {
        let statistics = TrackStatistics(Track(points: try [100, 100 + height, 100].map { try point(0, $0) }))
        #expect(abs(statistics.elevationGain - gain) < 1e-9 && abs(statistics.elevationLoss - gain) < 1e-9)
    }

    /// 5 km in an hour, and 600 m of ascent in a further one.
    @Test func theEstimateHasTwoParts() {
        #expect(TrackStatistics.estimatedDuration(distance: 5000, elevationGain: 0) == 3600)
        #expect(TrackStatistics.estimatedDuration(distance: 0, elevationGain: 600) == 3600)
        #expect(TrackStatistics.estimatedDuration(distance: 2500, elevationGain: 300) == 3600)
    }

    @Test func withoutTimesAllTimesAreZero() throws {
        let statistics = TrackStatistics(Track(points: [try point(0, 0), try point(5000, 600)]))
        #expect(statistics.walkingTime == 0)
        #expect(statistics.restingTime == 0)
        #expect(statistics.startTime == nil)
    }
}
