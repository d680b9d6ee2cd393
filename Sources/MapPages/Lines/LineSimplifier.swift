internal import Glibc
internal import RegionStore

/// Leaves out points of a line that do not change how the line looks.
///
/// This is the algorithm of Douglas and Peucker. Long lines are cut into blocks first, whose ends are kept, so that a line made
/// for it cannot take a time that grows with the square of its length.
enum LineSimplifier {
    /// The deviation that no zoom level of a hiking map shows, in metres.
    static let tolerance = 1.0
    /// The maximum number of points of a block.
    static let blockLength = 2048

    /// Returns the indices of the points to draw, in order: the first, the last, and those that matter for the shape.
    ///
    /// - Parameter limit: The maximum number of points; if more points matter, those that matter most are kept, and the ends of
    ///   blocks in any case.
    static func simplify(_ line: [Coordinate], to limit: Int) -> [Int] {
        guard line.count > 2 else { return Array(line.indices) }
        let deviations = deviations(of: line)
        var least = tolerance
        let kept = deviations.count { $0 > least }
        if kept > limit {
            let sorted = deviations.sorted(by: >)
            least = max(least, sorted[max(0, limit - 1)])
        }
        return line.indices.filter { deviations[$0] > least }
    }

    /// The deviation of each point from the line without it, in metres; infinite for points that are always kept.
    private static func deviations(of line: [Coordinate]) -> [Double] {
        var deviations = [Double](repeating: 0, count: line.count)
        var start = 0
        deviations[0] = .infinity
        while start < line.count - 1 {
            let end = min(start + blockLength, line.count - 1)
            deviations[end] = .infinity
            measure(line, from: start, to: end, &deviations)
            start = end
        }
        return deviations
    }

    private static func measure(_ line: [Coordinate], from start: Int, to end: Int, _ deviations: inout [Double]) {
        let points = plane(line[start...end])
        var sections = [(first: 0, last: points.count - 1, most: Double.infinity)]
        while let section = sections.popLast() {
            guard section.last - section.first > 1 else { continue }
            var (farthest, deviation) = (section.first, 0.0)
            for index in (section.first + 1)..<section.last {
                let distance = distance(points[index], from: points[section.first], points[section.last])
                if distance > deviation { (farthest, deviation) = (index, distance) }
            }
            guard farthest > section.first else { continue }
            // A point never matters more than the one that divides the line around it.
            let most = min(deviation, section.most)
            deviations[start + farthest] = most
            sections.append((section.first, farthest, most))
            sections.append((farthest, section.last, most))
        }
    }

    /// The positions on a plane that touches Earth at the first one, in metres.
    private static func plane(_ line: ArraySlice<Coordinate>) -> [(x: Double, y: Double)] {
        guard let origin = line.first else { return [] }
        let metresPerDegree = 111_195.0
        let shrinking = cos(origin.latitude * .pi / 180)
        return line.map { place in
            (
                (place.longitude - origin.longitude) * metresPerDegree * shrinking,
                (place.latitude - origin.latitude) * metresPerDegree
            )
        }
    }

    private static func distance(
        _ point: (x: Double, y: Double),
        from start: (x: Double, y: Double),
        _ end: (x: Double, y: Double)
    ) -> Double {
        let (width, height) = (end.x - start.x, end.y - start.y)
        let (x, y) = (point.x - start.x, point.y - start.y)
        let square = width * width + height * height
        let part = square > 0 ? min(1, max(0, (x * width + y * height) / square)) : 0
        let (restX, restY) = (x - part * width, y - part * height)
        return (restX * restX + restY * restY).squareRoot()
    }
}
