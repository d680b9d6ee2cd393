public import FoundationEssentials
import PeerProtocol

/// A planned route.
public struct PlannedRoute: Hashable, Sendable, Identifiable {
    /// The route's id.
    public var id: UUID
    /// The name.
    public var name: String
    /// The mode of travel.
    public var mode: RouteMode
    /// The start.
    public var start: Coordinate
    /// The end.
    public var end: Coordinate
    /// The via points that the user has chosen.
    public var viaPoints: [Coordinate]
    /// The points of the whole route.
    public var coordinates: [Coordinate]
    /// The turn instructions; empty for imported routes.
    public var turnInstructions: [TurnInstruction]
    /// The length, in metres.
    public var totalDistance: Double
    /// The estimated duration, in seconds.
    public var estimatedDuration: Double
    /// The total ascent, in metres.
    public var elevationGain: Double
    /// The total descent, in metres; a positive number.
    public var elevationLoss: Double
    /// The time at which the route was created.
    public var createdAt: Date
    /// The region to which the route belongs; nil if it is unknown.
    public var regionID: UUID?
    /// The elevation along the route; nil if there are fewer than two samples.
    public var elevationProfile: [ElevationSample]?
    /// The time of the last edit; nil if the route was never edited.
    public var modifiedAt: Date?
    /// What a GPX file says of the route beside all this.
    package var supplement: ItemSupplement

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
        modifiedAt: Date? = nil,
        supplement: ItemSupplement = ItemSupplement()
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
        self.supplement = supplement
    }
}
