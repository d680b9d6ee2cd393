/// The area of a region, in WGS 84 degrees.
///
/// An area can cross 180°, the antimeridian: then ``west`` is greater than ``east``, as in GeoJSON (RFC 7946, section 5.2).
public struct BoundingBox: Hashable, Sendable {
    /// The northern edge, in degrees.
    public let north: Double

    /// The southern edge, in degrees.
    public let south: Double

    /// The eastern edge, in degrees; less than the western one if the area crosses 180°.
    public let east: Double

    /// The western edge, in degrees.
    public let west: Double

    /// The most longitudes that an area across 180° has, in degrees; one that had more would rather have its edges mixed up.
    static let maximumWidthAcross180 = 180.0

    /// Creates a box; nil if an edge is not in range, or the edges are not in order.
    package init?(north: Double, south: Double, east: Double, west: Double) {
        guard Coordinate(latitude: south, longitude: west) != nil,
            Coordinate(latitude: north, longitude: east) != nil, south <= north,
            west <= east || east - west + 360 <= Self.maximumWidthAcross180
        else { return nil }
        self.init(uncheckedNorth: north, south: south, east: east, west: west)
    }

    /// The whole earth: the area of a region whose area is not known.
    package static let earth = BoundingBox(uncheckedNorth: 90, south: -90, east: 180, west: -180)

    private init(uncheckedNorth north: Double, south: Double, east: Double, west: Double) {
        self.north = north
        self.south = south
        self.east = east
        self.west = west
    }
}

extension BoundingBox {
    /// Whether the area crosses 180°.
    package var crosses180: Bool { west > east }

    /// The width in degrees, at most 360.
    package var width: Double { crosses180 ? east - west + 360 : east - west }

    /// The height in degrees.
    package var height: Double { north - south }

    /// The longitude in the middle.
    package var middleLongitude: Double {
        let middle = west + width / 2
        return middle > 180 ? middle - 360 : middle
    }

    /// The longitudes from west to east: one range, or two if the area crosses 180°.
    package var longitudes: [ClosedRange<Double>] { crosses180 ? [west...180, -180...east] : [west...east] }

    /// Returns how many degrees a longitude is east of the western edge; negative if it is nearer in the west.
    package func eastward(_ longitude: Double) -> Double {
        guard crosses180 else { return longitude - west }
        let distance = longitude - west
        return distance < (width - 360) / 2 ? distance + 360 : distance
    }

    /// Returns whether a coordinate is in the box or on its edge.
    package func contains(_ coordinate: Coordinate) -> Bool {
        (south...north).contains(coordinate.latitude) && longitudes.contains { $0.contains(coordinate.longitude) }
    }

    /// Returns whether two areas overlap or touch.
    package func overlaps(_ other: BoundingBox) -> Bool {
        south <= other.north && other.south <= north
            && longitudes.contains { range in other.longitudes.contains { range.overlaps($0) } }
    }

    /// Returns how much of the area that two areas cover together is part of both, from 0 to 1.
    package func commonPart(with other: BoundingBox) -> Double {
        let tall = min(north, other.north) - max(south, other.south)
        let wide = longitudes.reduce(0.0) { sum, range in
            other.longitudes.reduce(sum) { sum, other in
                sum + max(0, min(range.upperBound, other.upperBound) - max(range.lowerBound, other.lowerBound))
            }
        }
        guard tall > 0, wide > 0 else { return 0 }
        let common = tall * wide
        let all = height * width + other.height * other.width - common
        return all > 0 ? common / all : 0
    }
}

extension BoundingBox: Codable {
    private enum CodingKeys: String, CodingKey {
        case north, south, east, west
    }

    /// Decodes a box.
    ///
    /// - Throws: `DecodingError` if an edge is not in range, the edges are not in order, or nothing is between two of them.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let box = BoundingBox(
            north: try container.finite(.north),
            south: try container.finite(.south),
            east: try container.finite(.east),
            west: try container.finite(.west)
        )
        guard let box, box.height > 0, box.width > 0 else {
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
