import Foundation
import PeerTestSupport
import RegionStore
import Testing

@testable import MapPages

@Suite struct LineSimplifierTests {
    private func line(_ points: [(Double, Double)]) throws -> [Coordinate] {
        try points.map { try #require(Coordinate(latitude: $0.0, longitude: $0.1)) }
    }

    /// A walk in the Alps with steps of some metres.
    private func walk(_ count: Int, seed: UInt64) throws -> [Coordinate] {
        var generator = SeededGenerator(seed: seed)
        var (latitude, longitude) = (42.5, 1.5)
        return try line(
            (0..<count).map { _ in
                latitude += Double.random(in: -5e-5...6e-5, using: &generator)
                longitude += Double.random(in: -5e-5...6e-5, using: &generator)
                return (latitude, longitude)
            }
        )
    }

    /// The distance of a place from a line of two points, in metres.
    private func distance(_ place: Coordinate, _ start: Coordinate, _ end: Coordinate) -> Double {
        let scale = cos(start.latitude * .pi / 180)
        let (x, y) = ((place.longitude - start.longitude) * scale, place.latitude - start.latitude)
        let (width, height) = ((end.longitude - start.longitude) * scale, end.latitude - start.latitude)
        let square = width * width + height * height
        let part = square > 0 ? min(1, max(0, (x * width + y * height) / square)) : 0
        return ((x - part * width) * (x - part * width) + (y - part * height) * (y - part * height)).squareRoot()
            * 111_195
    }

    @Test(arguments: [0, 1, 2]) func keepsShortLines(count: Int) throws {
        #expect(LineSimplifier.simplify(try walk(count, seed: 1), to: 100) == Array(0..<count))
    }

    @Test func leavesOutPointsOnALine() throws {
        let straight = try line((0...1000).map { (42.0 + Double($0) * 1e-5, 1.5) })
        #expect(LineSimplifier.simplify(straight, to: 100) == [0, 1000])
        let corner = try line([(42, 1), (42.001, 1), (42.002, 1), (42.002, 1.001), (42.002, 1.002)])
        #expect(LineSimplifier.simplify(corner, to: 100) == [0, 2, 4])
    }

    @Test(arguments: [100, 5_000, 20_000]) func whatIsLeftOutIsNearTheLine(count: Int) throws {
        let points = try walk(count, seed: UInt64(count))
        let kept = LineSimplifier.simplify(points, to: count)
        #expect(kept.first == 0 && kept.last == count - 1 && kept == kept.sorted() && kept.count < count)
        for (start, end) in zip(kept, kept.dropFirst()) {
            for index in start...end {
                #expect(distance(points[index], points[start], points[end]) < LineSimplifier.tolerance + 0.2)
            }
        }
    }

    @Test func keepsThePointsThatMatterMostIfThereIsALimit() throws {
        let points = try walk(20_000, seed: 3)
        let kept = LineSimplifier.simplify(points, to: 500)
        // The ends of the blocks come in addition.
        #expect(kept.count <= 500 + 11 && kept.count > 400)
        var worst = 0.0
        for (start, end) in zip(kept, kept.dropFirst()) {
            for index in start...end { worst = max(worst, distance(points[index], points[start], points[end])) }
        }
        #expect(worst < 40)
    }

    /// Of a zigzag, each division takes away one point, which is the worst case.
    @Test func theWorstLineIsCutIntoBlocks() throws {
        let zigzag = try line(
            (0..<100_000).map { index -> (Double, Double) in
                let height = Double(index % 2) * Double(index % 2048) / 2048
                return (42 + height * 1e-4, 1.5 + Double(index) * 1e-7)
            }
        )
        let kept = LineSimplifier.simplify(zigzag, to: 10_000)
        #expect(kept.count <= 10_000 + 50)
        #expect(zip(kept, kept.dropFirst()).allSatisfy { $1 - $0 <= LineSimplifier.blockLength })
    }
}
