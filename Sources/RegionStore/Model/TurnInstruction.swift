/// What to do at a place of a planned route.
public struct TurnInstruction: Hashable, Sendable {
    /// Where.
    public var coordinate: Coordinate

    /// Which way.
    public var direction: TurnDirection

    /// The bearing of the way out, in degrees from north; 0 on arrival.
    public var bearing: Double

    /// Metres from the instruction before.
    public var distanceFromPrevious: Double

    /// Metres from the start.
    public var cumulativeDistance: Double

    /// What the trail is called, if it has a name.
    public var trailName: String?

    /// The instruction in words.
    public var description: String

    /// Creates an instruction.
    package init(
        coordinate: Coordinate,
        direction: TurnDirection,
        bearing: Double,
        distanceFromPrevious: Double,
        cumulativeDistance: Double,
        trailName: String? = nil,
        description: String
    ) {
        self.coordinate = coordinate
        self.direction = direction
        self.bearing = bearing
        self.distanceFromPrevious = distanceFromPrevious
        self.cumulativeDistance = cumulativeDistance
        self.trailName = trailName
        self.description = description
    }
}

extension TurnInstruction: Codable {
    private enum CodingKeys: String, CodingKey {
        case coordinate
        case direction
        case bearing
        case distanceFromPrevious
        case cumulativeDistance
        case trailName
        case description
    }

    /// Reads an instruction.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        coordinate = try container.decode(Coordinate.self, forKey: .coordinate)
        direction = try container.decode(TurnDirection.self, forKey: .direction)
        bearing = try container.finite(.bearing)
        distanceFromPrevious = try container.finite(.distanceFromPrevious)
        cumulativeDistance = try container.finite(.cumulativeDistance)
        trailName = try container.textIfPresent(.trailName, atMost: ModelLimits.maximumNameLength)
        description = try container.text(.description, atMost: ModelLimits.maximumTextLength)
    }
}
