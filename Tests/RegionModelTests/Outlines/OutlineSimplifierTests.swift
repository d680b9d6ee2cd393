import PeerProtocol
import PeerTestSupport
import Testing

@testable import RegionModel

@Suite struct OutlineSimplifierTests {
    private static func coordinate(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
        try #require(Coordinate(latitude: latitude, longitude: longitude))
    }

    /// A random walk, or a jump to any place on Earth for each point.
    private static func line(_ count: Int, _ generator: inout SeededGenerator) throws -> [Coordinate] {
        let step: Double = [0.00001, 0.001, 180].randomElement(using: &generator) ?? 1
        var (latitude, longitude) = (47.2, 11.4)
        return try (0..<count).map { _ in
            latitude = min(90, max(-90, latitude + Double.random(in: -step...step, using: &generator)))
            longitude = min(180, max(-180, longitude + Double.random(in: -step...step, using: &generator)))
            return try coordinate(latitude, longitude)
        }
    }

    private static func rounded(_ coordinate: Coordinate) throws -> Coordinate {
        try self.coordinate(
            (coordinate.latitude * 10_000).rounded() / 10_000,
            (coordinate.longitude * 10_000).rounded() / 10_000
        )
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func anyLineKeepsItsEndsAndTheLimit(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for count in [0, 1, 2, 3, 10, 4095, 4096, 4097, 8191, 10_000] {
            let line = try Self.line(count, &generator)
            for limit in [2, 3, 20, 200] {
                let result = OutlineSimplifier.simplify(line, to: limit)
                #expect(result.count <= limit)
                #expect(try result.first == line.first.map(Self.rounded))
                #expect(try result.last == line.last.map(Self.rounded))
                let points = Set(try line.map(Self.rounded))
                #expect(result.allSatisfy(points.contains))
                #expect(zip(result, result.dropFirst()).allSatisfy { $0 != $1 })
                #expect(result == OutlineSimplifier.simplify(line, to: limit))
            }
        }
    }

    @Test func cornersStayAndStraightPartsDoNot() throws {
        var line: [Coordinate] = []
        for step in 0..<100 { line.append(try Self.coordinate(47 + Double(step) * 0.001, 11)) }
        for step in 0...100 { line.append(try Self.coordinate(47.1, 11 + Double(step) * 0.001)) }
        let corners = try [(47.0, 11.0), (47.1, 11.0), (47.1, 11.1)].map { try Self.coordinate($0.0, $0.1) }
        #expect(OutlineSimplifier.simplify(line, to: 200) == corners)
    }

    @Test func theFarthestPointsComeFirst() throws {
        let line = try [(0.0, 0.0), (0.1, 1.0), (0.0, 2.0), (5.0, 3.0), (0.0, 4.0)].map {
            try Self.coordinate($0.0, $0.1)
        }
        #expect(OutlineSimplifier.simplify(line, to: 2) == [line[0], line[4]])
        #expect(OutlineSimplifier.simplify(line, to: 3) == [line[0], line[3], line[4]])
    }

    @Test func aRoundTourIsNoPoint() throws {
        let tour = try [(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (0.0, 0.0)].map { try Self.coordinate($0.0, $0.1) }
        #expect(OutlineSimplifier.simplify(tour, to: 200) == tour)
    }

    @Test func aLineWithoutExtentHasNoOutline() throws {
        let place = try Self.coordinate(47.2, 11.4)
        #expect(OutlineSimplifier.simplify([], to: 10).isEmpty)
        #expect(OutlineSimplifier.simplify([place, place], to: 10).count == 1)
        #expect(Outline(of: Array(repeating: place, count: 5000), kind: .savedroutes, limit: 10) == nil)
    }

    /// A track of a million points takes no more work than one of a few thousand.
    @Test func fewPointsOfALongLineAreRead() throws {
        let line = CountedLine(place: try Self.coordinate(47.2, 11.4), count: 1_000_000)
        _ = OutlineSimplifier.simplify(line, to: 200)
        #expect(line.reads.value <= OutlineSimplifier.maximumInputCount + 1)
    }
}

/// A line that counts how many of its points are read.
private struct CountedLine: RandomAccessCollection {
    final class Reads {
        var value = 0
    }

    let place: Coordinate
    let count: Int
    let reads = Reads()

    var startIndex: Int { 0 }
    var endIndex: Int { count }

    subscript(position: Int) -> Coordinate {
        reads.value += 1
        return place
    }
}
