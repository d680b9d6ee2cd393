import PeerProtocol

/// An instruction for a turn of a planned route.
public struct TurnInstruction: Hashable, Sendable {
    /// The position of the turn.
    public var coordinate: Coordinate

    /// The direction of the turn.
    public var direction: TurnDirection

    /// The bearing after the turn, in degrees from north; 0 on arrival.
    public var bearing: Double

    /// The distance from the previous instruction, in metres.
    public var distanceFromPrevious: Double

    /// The distance from the start, in metres.
    public var cumulativeDistance: Double

    /// The name of the trail; nil if it has none.
    public var trailName: String?

    /// The instruction as text.
    public var description: String

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
    /// Decodes an instruction.
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
