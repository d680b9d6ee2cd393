/// What an element of a TCX file means at its place.
enum TCXElement {
    case activity
    case course
    case lap
    case track
    case trackPoint
    case coursePoint
    case position
    case latitude
    case longitude
    case elevation
    case time
    case heartRate
    case sensor(TrackSensor)
    case extensions
    case name
    case notes
    case pointType
    /// What holds what is read.
    case container
    /// What is left out with all that is in it, by its name.
    case leftOut(String)
    /// What can be computed, and what tells of the device.
    case ignored

    /// Finds the meaning of an element.
    ///
    /// - Parameters:
    ///   - name: The name without its prefix.
    ///   - parent: The surrounding element.
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
        case (.trackPoint, _), (.coursePoint, _): self = Self.point(name)
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

    private static func point(_ name: String) -> TCXElement {
        switch name {
        case "Time": .time
        case "Position": .position
        case "AltitudeMeters": .elevation
        case "HeartRateBpm": .heartRate
        case "Cadence": .sensor(.cadence)
        case "Extensions": .extensions
        default: .ignored
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
