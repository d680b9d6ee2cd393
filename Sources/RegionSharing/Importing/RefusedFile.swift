package import RegionStore

/// A file that cannot be imported.
public struct RefusedFile: Sendable {
    /// What was done with it.
    package enum Work: Sendable {
        /// It was looked at. By its name, it was meant to be of this kind; nil if the name does not say that.
        case reading(meant: ImportKind?)
        /// A map was imported.
        case map
        /// Tracks were imported; whether a person has chosen the region.
        case tracks(hasRegion: Bool)
        /// A photo was added to a waypoint.
        case photo
        /// A routing database was added to its map.
        case routing
    }

    /// The name of the file, as the person has given it.
    public var file: String
    /// Why it cannot be imported.
    public var error: any Error
    package var work: Work
}
