import RegionModel

/// The numbers of offered items that concern a person, to show before sending.
public struct PersonalContent: Hashable, Sendable {
    /// The number of recorded hikes, which contain times and places.
    public var hikes = 0

    /// The number of hikes that say when they began and ended.
    package var timedHikes = 0

    /// The number of hikes with a comment: pages show no other comments.
    package var hikeComments = 0

    /// The number of hikes with a comment, and of planned routes and waypoints with a comment or a description beside their notes.
    public var comments = 0

    /// The number of hikes, planned routes and waypoints with links.
    public var links = 0

    /// The number of planned routes with names or other texts of their points.
    public var pointTexts = 0

    /// The number of hikes with heart rates, calories or other values of sensors.
    public var healthRecords = 0

    /// The number of hikes whose heart rates, calories and other values of sensors are not sent.
    public var withheldHealthRecords = 0

    /// The number of waypoints with a note.
    public var notes = 0

    /// The number of photos, which may contain data of the camera such as the place.
    public var photos = 0

    /// The number of photos that say something of the camera, the place or the time.
    package var detailedPhotos = 0

    /// What these say.
    package var photoDetails: PhotoDetails = []

    /// The number of photos that cannot be examined, and may say anything.
    package var unexaminedPhotos = 0

    /// The number of photos that are not sent, because what they say of the camera, the place and the time cannot be taken out.
    package var withheldPhotos = 0

    package init(
        hikes: Int = 0,
        comments: Int = 0,
        links: Int = 0,
        pointTexts: Int = 0,
        healthRecords: Int = 0,
        withheldHealthRecords: Int = 0,
        notes: Int = 0,
        photos: Int = 0
    ) {
        self.hikes = hikes
        self.comments = comments
        self.links = links
        self.pointTexts = pointTexts
        self.healthRecords = healthRecords
        self.withheldHealthRecords = withheldHealthRecords
        self.notes = notes
        self.photos = photos
    }
}

extension PersonalContent {
    /// Counts a photo that is sent.
    mutating func add(_ photo: PhotoReader) throws {
        photos += 1
        guard let details = try photo.details() else {
            unexaminedPhotos += 1
            return
        }
        detailedPhotos += details.isEmpty ? 0 : 1
        photoDetails.formUnion(details)
    }

    /// Adds the photos of another count.
    package mutating func addPhotos(of other: PersonalContent) {
        photos += other.photos
        detailedPhotos += other.detailedPhotos
        photoDetails.formUnion(other.photoDetails)
        unexaminedPhotos += other.unexaminedPhotos
        withheldPhotos += other.withheldPhotos
    }
}

extension ItemSupplement {
    /// Whether there are links.
    var hasLinks: Bool { words?.links.isEmpty == false }

    /// Whether there is a comment or a description that the item itself does not have.
    var hasComment: Bool { [words?.comment, words?.description].contains { $0?.isBlank == false } }

    /// Whether points have names or other texts.
    var hasPointTexts: Bool {
        pointTexts?.contains { texts in
            [texts.name, texts.comment, texts.description].contains { $0?.isBlank == false }
        } == true
    }
}

extension String {
    /// Whether there is nothing to read.
    var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
