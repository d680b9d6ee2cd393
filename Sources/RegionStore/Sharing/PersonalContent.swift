/// The numbers of offered items that concern a person, to show before sending.
public struct PersonalContent: Hashable, Sendable {
    /// The number of recorded hikes, which contain times and places.
    public var hikes = 0

    /// The number of hikes with a comment.
    public var comments = 0

    /// The number of hikes with heart rates, calories or other values of sensors.
    public var healthRecords = 0

    /// The number of hikes whose heart rates, calories and other values of sensors are not sent.
    public var withheldHealthRecords = 0

    /// The number of waypoints with a note.
    public var notes = 0

    /// The number of photos, which may contain data of the camera such as the place.
    public var photos = 0

    /// Creates a count.
    package init(
        hikes: Int = 0,
        comments: Int = 0,
        healthRecords: Int = 0,
        withheldHealthRecords: Int = 0,
        notes: Int = 0,
        photos: Int = 0
    ) {
        self.hikes = hikes
        self.comments = comments
        self.healthRecords = healthRecords
        self.withheldHealthRecords = withheldHealthRecords
        self.notes = notes
        self.photos = photos
    }
}
