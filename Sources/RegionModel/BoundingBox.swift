/// The area of a region, in WGS 84 degrees; it does not cross the antimeridian.
public struct BoundingBox: Hashable, Sendable {
    /// The northern edge, in degrees.
    public let north: Double

    /// The southern edge, in degrees.
    public let south: Double

    /// The eastern edge, in degrees.
    public let east: Double

    /// The western edge, in degrees.
    public let west: Double

    /// Creates a box; nil if an edge is not in range, or the edges are not in order.
    package init?(north: Double, south: Double, east: Double, west: Double) {
        guard Coordinate(latitude: south, longitude: west) != nil,
            Coordinate(latitude: north, longitude: east) != nil,
            south <= north, west <= east
        else { return nil }
        self.north = north
        self.south = south
        self.east = east
        self.west = west
    }

    /// Returns whether a coordinate is in the box or on its edge.
    package func contains(_ coordinate: Coordinate) -> Bool {
        (south...north).contains(coordinate.latitude) && (west...east).contains(coordinate.longitude)
    }

    /// Returns whether two areas overlap or touch.
    package func overlaps(_ other: BoundingBox) -> Bool {
        south <= other.north && other.south <= north && west <= other.east && other.west <= east
    }
}

extension BoundingBox: Codable {
    private enum CodingKeys: String, CodingKey {
        case north
        case south
        case east
        case west
    }

    /// Decodes a box.
    ///
    /// - Throws: `DecodingError` if an edge is not in range, or the edges are not in order.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let box = BoundingBox(
            north: try container.finite(.north),
            south: try container.finite(.south),
            east: try container.finite(.east),
            west: try container.finite(.west)
        )
        guard let box else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: container.codingPath, debugDescription: "is not an area on Earth")
            )
        }
        self = box
    }

    /// Encodes the four edges.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(north, forKey: .north)
        try container.encode(south, forKey: .south)
        try container.encode(east, forKey: .east)
        try container.encode(west, forKey: .west)
    }
}
