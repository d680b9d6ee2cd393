/// What of a region's content tells of a person, in numbers, so that who sends it knows.
public struct PersonalContent: Hashable, Sendable {
    /// How many recorded hikes there are: where and when somebody walked.
    public var hikes = 0

    /// How many of the hikes have a comment.
    public var comments = 0

    /// How many of the hikes have a heart rate or calories.
    public var healthRecords = 0

    /// How many waypoints have a note.
    public var notes = 0

    /// How many photos of waypoints there are, with whatever a camera wrote into them.
    public var photos = 0

    /// Creates a count.
    package init(hikes: Int = 0, comments: Int = 0, healthRecords: Int = 0, notes: Int = 0, photos: Int = 0) {
        self.hikes = hikes
        self.comments = comments
        self.healthRecords = healthRecords
        self.notes = notes
        self.photos = photos
    }
}
