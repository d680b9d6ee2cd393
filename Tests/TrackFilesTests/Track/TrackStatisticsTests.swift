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
        let statistics = TrackStatistics([try point(0), try point(1000), try point(400)])
        #expect(abs(statistics.distance - 1600) < 0.01)
        #expect(TrackStatistics([]).distance == 0)
        #expect(TrackStatistics([try point(5)]).distance == 0)
    }

    @Test(arguments: [
        ([100, 200, 150], 100.0, 50.0), ([100, 100.5, 101, 300], 200, 0), ([300, 298, 302, 299, 301, 300], 0, 0),
        ([100, 200, 198, 202, 300, 296, 100], 200, 200), ([], 0, 0), ([7], 0, 0), ([50, 46, 44], 0, 6),
        ([-10, 0, 5], 15, 0),
        ([100, 96, 104, 100], 8, 0),
    ])
    func countsClimbsWithoutNoise(elevations: [Double], gain: Double, loss: Double) throws {
        let statistics = TrackStatistics(try elevations.map { try point(0, $0) })
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
        let statistics = TrackStatistics(points)
        #expect(abs(statistics.restingTime - 300) <= 60)
        #expect(abs(statistics.walkingTime + statistics.restingTime - 2150) < 0.001)
        #expect(statistics.startTime == start)
        #expect(statistics.endTime == start + 2150)
        // Drift at rest, some 4 m every 5 s, is no way.
        #expect(abs(statistics.distance - 1805) < 45)
    }

    @Test func estimatesWithoutTimes() throws {
        let statistics = TrackStatistics([try point(0, 0), try point(5000, 600)])
        #expect(abs(statistics.walkingTime - 7200) < 0.1)
        #expect(statistics.restingTime == 0)
        #expect(statistics.startTime == nil)
    }
}
