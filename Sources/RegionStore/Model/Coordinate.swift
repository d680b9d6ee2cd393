/// A place on Earth, in WGS 84 degrees; always finite and in range.
public struct Coordinate: Hashable, Sendable {
    /// Degrees north of the equator, -90 to 90.
    public let latitude: Double

    /// Degrees east of Greenwich, -180 to 180.
    public let longitude: Double

    /// Creates a coordinate; nil unless both numbers are finite and in range.
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

    /// Reads a coordinate from an object with `latitude` and `longitude`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self = try container.coordinate(.latitude, .longitude)
    }

    /// Writes an object with `latitude` and `longitude`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(latitude, forKey: .latitude)
        try container.encode(longitude, forKey: .longitude)
    }
}
