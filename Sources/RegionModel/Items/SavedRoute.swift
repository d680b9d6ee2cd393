public import FoundationEssentials
import PeerStorage

/// A recorded hike.
public struct SavedRoute: Hashable, Sendable, Identifiable {
    /// The hike's id.
    public var id: UUID
    /// The name.
    public var name: String
    /// The start.
    public var start: Coordinate
    /// The end.
    public var end: Coordinate
    /// The time of the start.
    public var startTime: Date
    /// The time of the end.
    public var endTime: Date
    /// The length, in metres.
    public var totalDistance: Double
    /// The total ascent, in metres.
    public var elevationGain: Double
    /// The total descent, in metres; a positive number.
    public var elevationLoss: Double
    /// The time in motion, in seconds.
    public var walkingTime: Double
    /// The time at rest, in seconds.
    public var restingTime: Double
    /// The average heart rate, in beats per minute (health data); nil if it is unknown.
    public var averageHeartRate: Double?
    /// The highest heart rate, in beats per minute (health data); nil if it is unknown.
    public var maximumHeartRate: Double?
    /// The estimated energy, in kilocalories (health data); nil if it is unknown.
    public var estimatedCalories: Double?
    /// The comment of the user; possibly empty.
    public var comment: String
    /// The region to which the hike belongs; nil if it is unknown.
    public var regionID: UUID?
    /// The points in the encoding of `TrackCodec`; possibly empty.
    package var trackData: Data
    /// The time of the last edit; nil if the hike was never edited.
    public var modifiedAt: Date?
    /// What a GPX file says of the hike beside all this.
    package var supplement: ItemSupplement

    package init(
        id: UUID,
        name: String,
        start: Coordinate,
        end: Coordinate,
        startTime: Date,
        endTime: Date,
        totalDistance: Double,
        elevationGain: Double,
        elevationLoss: Double,
        walkingTime: Double,
        restingTime: Double,
        averageHeartRate: Double? = nil,
        maximumHeartRate: Double? = nil,
        estimatedCalories: Double? = nil,
        comment: String = "",
        regionID: UUID? = nil,
        trackData: Data,
        modifiedAt: Date? = nil,
        supplement: ItemSupplement = ItemSupplement()
    ) {
        self.id = id
        self.name = name
        self.start = start
        self.end = end
        self.startTime = startTime
        self.endTime = endTime
        self.totalDistance = totalDistance
        self.elevationGain = elevationGain
        self.elevationLoss = elevationLoss
        self.walkingTime = walkingTime
        self.restingTime = restingTime
        self.averageHeartRate = averageHeartRate
        self.maximumHeartRate = maximumHeartRate
        self.estimatedCalories = estimatedCalories
        self.comment = comment
        self.regionID = regionID
        self.trackData = trackData
        self.modifiedAt = modifiedAt
        self.supplement = supplement
    }

    /// Returns the hike without heart rates, calories and other values of sensors, which are sent only if the owner asks for it.
    package func withoutHealthData() -> SavedRoute {
        var copy = self
        copy.averageHeartRate = nil
        copy.maximumHeartRate = nil
        copy.estimatedCalories = nil
        copy.supplement.sensors = nil
        return copy
    }
}
