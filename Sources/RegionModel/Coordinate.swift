import Glibc

/// A position on Earth, in WGS 84 degrees.
public struct Coordinate: Hashable, Sendable {
    /// The latitude, from -90 to 90 degrees.
    public let latitude: Double

    /// The longitude, from -180 to 180 degrees.
    public let longitude: Double

    /// Creates a coordinate; nil if a number is not in range.
    package init?(latitude: Double, longitude: Double) {
        // NaN is in no range.
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }
}

extension Coordinate: Codable {
    private enum CodingKeys: String, CodingKey {
        case latitude
        case longitude
    }

    /// Decodes an object with `latitude` and `longitude`.
    ///
    /// - Throws: `DecodingError` if a number is missing or not in range.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self = try container.coordinate(.latitude, .longitude)
    }

    /// Encodes an object with `latitude` and `longitude`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(latitude, forKey: .latitude)
        try container.encode(longitude, forKey: .longitude)
    }
}

/// Distances on Earth, taken as a sphere.
package enum Geodesy {
    // The mean radius, as OpenHiker's and most GPX programs have it.
    private static let radius = 6_371_000.0

    /// Returns the metres between two places (haversine).
    package static func distance(_ start: Coordinate, _ end: Coordinate) -> Double {
        let degree = Double.pi / 180
        let latitude = sin((end.latitude - start.latitude) * degree / 2)
        let longitude = sin((end.longitude - start.longitude) * degree / 2)
        let cosines = cos(start.latitude * degree) * cos(end.latitude * degree)
        let chord = latitude * latitude + cosines * longitude * longitude
        return 2 * radius * asin(min(1, chord.squareRoot()))
    }
}

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
