package import PeerProtocol

/// The simplified line of a recorded hike or a planned route, for a sketch of the area.
///
/// The description of an offered region has the outlines of the offered hikes and planned routes.
package struct Outline: Hashable, Sendable {
    /// The maximum number of outlines of a region.
    package static let maximumCount = 100

    /// The maximum number of points of all outlines of a region together.
    package static let maximumPointCount = 2000

    /// The kinds of resources that have lines.
    package static let kinds: Set<ResourceKind> = [.savedroutes, .plannedroutes]

    /// Positions are rounded to ten-thousandths of a degree, which are at most 11 metres.
    static let unitsPerDegree = 10_000.0

    /// The resource with the line.
    package let kind: ResourceKind

    /// The points; at least two.
    package let points: [Coordinate]

    /// Simplifies a line; nil if it has no extent.
    ///
    /// - Parameters:
    ///   - line: The points of the line.
    ///   - kind: The resource with the line.
    ///   - limit: The maximum number of points of the outline; at least two are kept.
    package init?(of line: some RandomAccessCollection<Coordinate>, kind: ResourceKind, limit: Int) {
        let points = OutlineSimplifier.simplify(line, to: limit)
        guard points.count > 1 else { return nil }
        self.kind = kind
        self.points = points
    }
}

extension Outline: Codable {
    private enum CodingKeys: String, CodingKey {
        case kind
        case points
    }

    /// Decodes an outline.
    ///
    /// - Throws: `DecodingError` if a value is missing or not in range, or if there are too many points.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        kind = try container.decode(ResourceKind.self, forKey: .kind)
        let numbers = try container.array(.points, of: Int.self, atMost: 2 * Self.maximumPointCount)
        guard numbers.count >= 4, numbers.count.isMultiple(of: 2) else {
            throw container.wrong(.points, "is not a list of two or more positions")
        }
        points = try stride(from: 0, to: numbers.count, by: 2).map { index in
            let degrees = numbers[index...(index + 1)].map { Double($0) / Self.unitsPerDegree }
            guard let point = Coordinate(latitude: degrees[0], longitude: degrees[1]) else {
                throw container.wrong(.points, "has a position that is not on Earth")
            }
            return point
        }
    }

    /// Encodes the kind, and latitudes and longitudes in turn, in ten-thousandths of a degree.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind, forKey: .kind)
        let numbers = points.flatMap { [$0.latitude, $0.longitude] }
        try container.encode(
            numbers.map { Int(exactly: ($0 * Self.unitsPerDegree).rounded()) ?? 0 },
            forKey: .points
        )
    }
}

extension KeyedDecodingContainer {
    /// Decodes the outlines of a region; outlines of unknown kinds are left out.
    func outlinesIfPresent(_ key: Key) throws -> [Outline] {
        guard contains(key), try !decodeNil(forKey: key) else { return [] }
        let outlines = try array(key, of: Outline.self, atMost: Outline.maximumCount)
        guard outlines.reduce(0, { $0 + $1.points.count }) <= Outline.maximumPointCount else {
            throw wrong(key, "has more than \(Outline.maximumPointCount) points")
        }
        return outlines.filter { Outline.kinds.contains($0.kind) }
    }
}

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

    /// Returns the first and the last point of a line, and those between them that matter most.
    ///
    /// - Parameters:
    ///   - line: The points of the line.
    ///   - limit: The maximum number of points; at least two are kept.
    /// - Returns: The points, rounded. If the line has no extent, there are fewer than two.
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
