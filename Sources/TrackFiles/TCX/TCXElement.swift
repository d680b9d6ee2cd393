/// What an element of a TCX file means at its place.
enum TCXElement {
    case activity, course, lap, track, trackPoint, coursePoint, position, latitude, longitude, elevation
    case time, heartRate
    case sensor(TrackSensor)
    case extensions, name, notes, pointType
    /// An element around others that are read.
    case container
    /// An element that is left out with all its content, by its name.
    case leftOut(String)
    /// A value that can be computed, or that describes the device.
    case ignored

    /// Finds the meaning of an element.
    init(_ name: String, in parent: TCXElement) {
        switch (parent, name) {
        case (.container, "Activity"): self = .activity
        case (.container, "Course"): self = .course
        // `Activities`, `Courses`, and what is around the activities of a race of several sports.
        case (.container, "Workouts"), (.container, "History"): self = .leftOut(name)
        case (.container, "Author"), (.container, "Folders"), (.container, "Id"), (.container, "Transition"):
            self = .ignored
        case (.container, _): self = .container
        case (.activity, "Lap"): self = .lap
        case (.lap, "Track"), (.course, "Track"): self = .track
        case (.track, "Trackpoint"): self = .trackPoint
        case (.course, "CoursePoint"): self = .coursePoint
        case (.course, "Name"), (.coursePoint, "Name"): self = .name
        case (.course, "Notes"), (.activity, "Notes"), (.lap, "Notes"), (.coursePoint, "Notes"): self = .notes
        case (.coursePoint, "PointType"): self = .pointType
        case (.trackPoint, "Time"), (.coursePoint, "Time"): self = .time
        case (.trackPoint, "Position"), (.coursePoint, "Position"): self = .position
        case (.trackPoint, "AltitudeMeters"), (.coursePoint, "AltitudeMeters"): self = .elevation
        case (.trackPoint, "HeartRateBpm"): self = .heartRate
        case (.trackPoint, "Cadence"): self = .sensor(.cadence)
        case (.trackPoint, "Extensions"), (.coursePoint, "Extensions"): self = .extensions
        case (.position, "LatitudeDegrees"): self = .latitude
        case (.position, "LongitudeDegrees"): self = .longitude
        case (.heartRate, "Value"): self = .sensor(.heartRate)
        case (.extensions, "TPX"): self = .extensions
        case (.extensions, "Speed"): self = .sensor(.speed)
        case (.extensions, "RunCadence"): self = .sensor(.cadence)
        case (.extensions, _): self = .leftOut(name)
        case (.activity, "Training"): self = .leftOut(name)
        default: self = .ignored
        }
    }

    /// Whether the text in the element is wanted as a whole.
    var hasText: Bool {
        switch self {
        case .latitude, .longitude, .elevation, .time, .sensor, .name, .notes, .pointType: true
        default: false
        }
    }
}
