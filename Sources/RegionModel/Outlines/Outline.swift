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

    /// Simplifies a line to at most `limit` points, but at least two; nil if it has no extent.
    package init?(of line: some RandomAccessCollection<Coordinate>, kind: ResourceKind, limit: Int) {
        let points = OutlineSimplifier.simplify(line, to: limit)
        guard points.count > 1 else { return nil }
        self.kind = kind
        self.points = points
    }
}

extension Outline: Codable {
    private enum CodingKeys: String, CodingKey {
        case kind, points
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        kind = try container.decode(ResourceKind.self, forKey: .kind)
        let numbers: [Int] = try container.array(.points, atMost: 2 * Self.maximumPointCount)
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
        let outlines: [Outline] = try arrayIfPresent(key, atMost: Outline.maximumCount) ?? []
        guard outlines.reduce(0, { $0 + $1.points.count }) <= Outline.maximumPointCount else {
            throw wrong(key, "has more than \(Outline.maximumPointCount) points")
        }
        return outlines.filter { Outline.kinds.contains($0.kind) }
    }
}
