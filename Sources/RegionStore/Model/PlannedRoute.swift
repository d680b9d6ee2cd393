public import FoundationEssentials

/// A route that somebody plans to take.
public struct PlannedRoute: Hashable, Sendable, Identifiable {
    /// The route's id.
    public var id: UUID
    /// What the user calls it.
    public var name: String
    /// How it is travelled.
    public var mode: RouteMode
    /// Where it begins.
    public var start: Coordinate
    /// Where it ends.
    public var end: Coordinate
    /// Places in between that the user chose.
    public var viaPoints: [Coordinate]
    /// The whole line.
    public var coordinates: [Coordinate]
    /// What to do on the way; empty for imported routes.
    public var turnInstructions: [TurnInstruction]
    /// How long the way is, in metres.
    public var totalDistance: Double
    /// How long it should take, in seconds.
    public var estimatedDuration: Double
    /// Metres to climb.
    public var elevationGain: Double
    /// Metres to descend, a positive number.
    public var elevationLoss: Double
    /// When it was made.
    public var createdAt: Date
    /// The region that it belongs to.
    public var regionID: UUID?
    /// The elevation along the way; nil with fewer than two samples.
    public var elevationProfile: [ElevationSample]?
    /// When it was last edited, if ever.
    public var modifiedAt: Date?

    /// Creates a route.
    package init(
        id: UUID,
        name: String,
        mode: RouteMode,
        start: Coordinate,
        end: Coordinate,
        viaPoints: [Coordinate] = [],
        coordinates: [Coordinate],
        turnInstructions: [TurnInstruction] = [],
        totalDistance: Double,
        estimatedDuration: Double,
        elevationGain: Double,
        elevationLoss: Double,
        createdAt: Date,
        regionID: UUID? = nil,
        elevationProfile: [ElevationSample]? = nil,
        modifiedAt: Date? = nil
    ) {
        self.id = id
        self.name = name
        self.mode = mode
        self.start = start
        self.end = end
        self.viaPoints = viaPoints
        self.coordinates = coordinates
        self.turnInstructions = turnInstructions
        self.totalDistance = totalDistance
        self.estimatedDuration = estimatedDuration
        self.elevationGain = elevationGain
        self.elevationLoss = elevationLoss
        self.createdAt = createdAt
        self.regionID = regionID
        self.elevationProfile = elevationProfile
        self.modifiedAt = modifiedAt
    }
}
