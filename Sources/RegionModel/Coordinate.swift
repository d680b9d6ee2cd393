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

    private init() { (latitude, longitude) = (0, 0) }

    /// Where the equator meets the prime meridian.
    package static let origin = Coordinate()
}

extension Coordinate: Codable {
    private enum CodingKeys: String, CodingKey {
        case latitude, longitude
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
