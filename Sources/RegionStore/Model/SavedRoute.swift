public import FoundationEssentials

/// A recorded hike.
public struct SavedRoute: Hashable, Sendable, Identifiable {
    /// The hike's id.
    public var id: UUID
    /// What the user calls it.
    public var name: String
    /// Where it began.
    public var start: Coordinate
    /// Where it ended.
    public var end: Coordinate
    /// When it began.
    public var startTime: Date
    /// When it ended.
    public var endTime: Date
    /// How long the way was, in metres.
    public var totalDistance: Double
    /// Metres climbed.
    public var elevationGain: Double
    /// Metres descended, a positive number.
    public var elevationLoss: Double
    /// Seconds on the move.
    public var walkingTime: Double
    /// Seconds at rest.
    public var restingTime: Double
    /// The average heart rate, in beats a minute; health data.
    public var averageHeartRate: Double?
    /// The highest heart rate, in beats a minute; health data.
    public var maximumHeartRate: Double?
    /// What it burnt, in kilocalories; health data.
    public var estimatedCalories: Double?
    /// The user's words, possibly none.
    public var comment: String
    /// The region that it belongs to.
    public var regionID: UUID?
    /// Its points, as ``TrackCodec`` writes them; possibly empty.
    package var trackData: Data
    /// When it was last edited, if ever.
    public var modifiedAt: Date?

    /// Creates a hike.
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
        modifiedAt: Date? = nil
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
    }

    /// Returns the hike without heart rates and calories, which leave a machine only when its owner asks for it.
    package func withoutHealthData() -> SavedRoute {
        var copy = self
        copy.averageHeartRate = nil
        copy.maximumHeartRate = nil
        copy.estimatedCalories = nil
        return copy
    }
}
