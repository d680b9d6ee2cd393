/// Reduces a line to the points that matter most for its shape.
///
/// This is the algorithm of Douglas and Peucker with a number of points instead of a tolerance: it always adds the point that is
/// farthest from the line so far. It uses only arithmetic that IEEE 754 defines exactly, so equal lines have equal outlines.
enum OutlineSimplifier {
    /// Of longer lines, only every second, third… point is considered.
    static let maximumInputCount = 4096

    /// The position in ten-thousandths of a degree, a whole number.
    private struct Point: Hashable {
        var latitude: Double
        var longitude: Double

        init(_ coordinate: Coordinate) {
            latitude = (coordinate.latitude * Outline.unitsPerDegree).rounded()
            longitude = (coordinate.longitude * Outline.unitsPerDegree).rounded()
        }
    }

    /// The line between two points that are kept.
    private struct Section {
        var start: Int
        var end: Int
        /// The point between them that is farthest from their line, and the square of its distance.
        var farthest: Int
        var deviation: Double

        init(of points: [Point], from start: Int, to end: Int) {
            self.start = start
            self.end = end
            farthest = start
            deviation = 0
            for index in start..<end {
                let distance = squaredDistance(points[index], from: points[start], points[end])
                if distance > deviation { (farthest, deviation) = (index, distance) }
            }
        }
    }

    /// Returns the ends of a line, and the points between them that matter most, rounded; fewer than two if it has no extent.
    static func simplify(_ line: some RandomAccessCollection<Coordinate>, to limit: Int) -> [Coordinate] {
        let points = rounded(line)
        guard points.count > 1 else { return points.compactMap(coordinate) }
        var sections = [Section(of: points, from: 0, to: points.count - 1)]
        while sections.count + 1 < limit {
            // The first of equal ones.
            guard let index = sections.indices.max(by: { sections[$0].deviation < sections[$1].deviation }),
                sections[index].deviation >= 1
            else { break }
            let section = sections[index]
            sections.replaceSubrange(
                index...index,
                with: [
                    Section(of: points, from: section.start, to: section.farthest),
                    Section(of: points, from: section.farthest, to: section.end),
                ]
            )
        }
        return ([0] + sections.map(\.end)).compactMap { coordinate(points[$0]) }
    }

    /// Returns at most ``maximumInputCount`` points of a line, ends included, and none twice in a row.
    private static func rounded(_ line: some RandomAccessCollection<Coordinate>) -> [Point] {
        guard let last = line.last else { return [] }
        let step = max(1, (line.count - 1 + maximumInputCount - 2) / (maximumInputCount - 1))
        var points: [Point] = []
        for offset in stride(from: 0, to: line.count - 1, by: step) {
            let point = Point(line[line.index(line.startIndex, offsetBy: offset)])
            if points.last != point { points.append(point) }
        }
        if points.last != Point(last) { points.append(Point(last)) }
        return points
    }

    private static func coordinate(_ point: Point) -> Coordinate? {
        Coordinate(
            latitude: point.latitude / Outline.unitsPerDegree,
            longitude: point.longitude / Outline.unitsPerDegree
        )
    }

    private static func squaredDistance(_ point: Point, from start: Point, _ end: Point) -> Double {
        let (x, y) = (point.longitude - start.longitude, point.latitude - start.latitude)
        let (width, height) = (end.longitude - start.longitude, end.latitude - start.latitude)
        let squaredLength = width * width + height * height
        let part = squaredLength > 0 ? min(1, max(0, (x * width + y * height) / squaredLength)) : 0
        let (restX, restY) = (x - part * width, y - part * height)
        return restX * restX + restY * restY
    }
}
