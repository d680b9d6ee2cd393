/// A point of a planned route's elevation profile.
public struct ElevationSample: Hashable, Sendable, Codable {
    /// The distance from the start, in metres.
    public var distance: Double

    /// The elevation above sea level, in metres.
    public var elevation: Double

    package init(distance: Double, elevation: Double) {
        self.distance = distance
        self.elevation = elevation
    }

    /// Decodes a sample.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        distance = try container.finite(.distance)
        elevation = try container.finite(.elevation)
    }
}
