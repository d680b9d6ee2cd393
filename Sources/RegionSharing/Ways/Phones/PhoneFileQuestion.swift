package import RegionStore
package import TrackFiles

/// Whether to do something with a file of a phone; nil without an answer in time.
package struct PhoneFileQuestion: Question {
    /// What would be done.
    package enum Matter: Sendable {
        /// The file comes. What is in it is asked about later.
        case comes
        /// The file is examined, which takes this. It is asked about again before it is added.
        case examination(ImportCost)
        /// These tracks, routes and waypoints are added, with this result.
        case tracks(TrackDocument, GPXImport)
        /// A map with this name is added.
        case map(name: String, area: BoundingBox)
        /// A map of another program is added.
        case foreignMap(ForeignFormat)
        /// A routing database is added to this region, or replaces the one that it has.
        case routing(RegionSummary)
        /// A photo is added to this waypoint of a region, or replaces the one that it has.
        case photo(Waypoint, RegionSummary)
    }

    /// How long the question waits whether a file may come.
    package static let usualPatience: Duration = .seconds(60)
    /// How long a question about a file waits that has come: as long as the page.
    package static let longPatience: Duration = .seconds(1_000_000)

    package var file: PhoneFile
    package var matter: Matter
    /// The time in which it must be answered.
    package var patience: Duration

    package var defaultAnswer: Bool? { nil }

    package init(_ file: PhoneFile, _ matter: Matter) {
        (self.file, self.matter) = (file, matter)
        patience = if case .comes = matter { Self.usualPatience } else { Self.longPatience }
    }
}

/// Whether a map of a phone replaces another one; nil without an answer in time.
package struct PhoneMapQuestion: Question {
    package var file: PhoneFile
    package var name: String
    package var area: BoundingBox
    /// The two maps.
    package var replacement: MapReplacement
    /// The time in which it must be answered.
    package var patience = PhoneFileQuestion.longPatience

    package var defaultAnswer: MapReplacement.Decision? { nil }

    package init(_ file: PhoneFile, name: String, area: BoundingBox, _ replacement: MapReplacement) {
        (self.file, self.name, self.area, self.replacement) = (file, name, area, replacement)
    }
}
