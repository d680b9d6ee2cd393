/// The area of a region, in WGS 84 degrees; it does not cross the antimeridian.
public struct BoundingBox: Hashable, Sendable {
    /// The northern edge.
    public let north: Double

    /// The southern edge, not north of the northern one.
    public let south: Double

    /// The eastern edge.
    public let east: Double

    /// The western edge, not east of the eastern one.
    public let west: Double

    /// Creates a box; nil unless all edges are finite, in range and in order.
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

    /// Tells whether a place is in the box or on its edge.
    package func contains(_ coordinate: Coordinate) -> Bool {
        (south...north).contains(coordinate.latitude) && (west...east).contains(coordinate.longitude)
    }
}

extension BoundingBox: Codable {
    private enum CodingKeys: String, CodingKey {
        case north
        case south
        case east
        case west
    }

    /// Reads a box; throws unless its edges are in range and in order.
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

    /// Writes the four edges.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(north, forKey: .north)
        try container.encode(south, forKey: .south)
        try container.encode(east, forKey: .east)
        try container.encode(west, forKey: .west)
    }
}
