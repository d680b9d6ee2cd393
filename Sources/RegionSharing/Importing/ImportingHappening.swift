public import FoundationEssentials
public import RegionStore
public import TrackFiles

/// What happens while files are imported.
public enum ImportingHappening: Sendable {
    /// A file cannot be imported. It does not affect the others.
    case refused(RefusedFile)
    /// The import of a map takes long, and nobody is asked about it.
    case large(LargeMap)
    /// A file is copied and checked; nil at the end.
    case working(file: String, ImportProgress?)
    /// A map is in the store.
    case map(ImportedMap)
    /// A map of another program is in the store.
    case sealedMap(ImportedSealedMap)
    /// A map of another region covers the same area, and nobody was asked whether to replace it.
    case perhapsNewer(MapReplacement)
    /// A map takes the place of another one, which loses something, and nobody was asked.
    case replacedUnasked(MapReplacement)
    /// There is a file of the same name already, as this region.
    case sameFile(RegionSummary)
    /// Several regions have the name of this new one now.
    case sameName(RegionSummary, count: Int)
    /// Maps are signed with this name for the first time.
    case signed(name: String)
    /// A routing database is in the store.
    case routing(ImportedRouting)
    /// The tracks, routes and waypoints of a file for one region are in the store.
    case tracks(ImportedTracks)
    /// A part of a file of tracks may be missing.
    case damagedTracks(file: String, TrackFileDamage)
    /// A file is outside the area of the region that a person has chosen for it.
    case tracksOutside(file: String, GPXImport)
    /// A photo is in the store.
    case photo(ImportedPhoto)
    /// A photo ends early. It was added as it is.
    case damagedPhoto(file: String)
}

/// A map that was imported.
public struct ImportedMap: Sendable {
    /// The name of the file, as the person has given it.
    public var file: String
    /// The region with the map.
    public var stored: StoredRegion
    /// Whether a routing database came with it that was not here.
    public var hasNewRouting: Bool
    /// The name that the person has given for the region; nil for none.
    public var givenName: String?
}

/// A map of another program that was imported.
public struct ImportedSealedMap: Sendable {
    /// The name of the file, as the person has given it.
    public var file: String
    /// The region with the map.
    public var stored: StoredRegion
}

/// A routing database that was added to its map.
public struct ImportedRouting: Sendable {
    /// The name of the file, as the person has given it.
    public var file: String
    /// The region with the database.
    public var region: RegionSummary
    /// Whether the database was not here before.
    public var isNew: Bool

    /// Creates it.
    package init(file: String, region: RegionSummary, isNew: Bool) {
        (self.file, self.region, self.isNew) = (file, region, isNew)
    }
}

/// The tracks, routes and waypoints of a file that were added to a region.
public struct ImportedTracks: Sendable {
    /// The name of the file, as the person has given it.
    public var file: String
    /// What was imported.
    public var imported: GPXImport
    /// Whether other items of the file went to other regions.
    public var isOneOfSeveral: Bool

    /// Creates it.
    package init(file: String, imported: GPXImport, isOneOfSeveral: Bool = false) {
        (self.file, self.imported, self.isOneOfSeveral) = (file, imported, isOneOfSeveral)
    }
}

/// A photo that was added to a waypoint.
public struct ImportedPhoto: Sendable {
    /// The name of the file, as the person has given it.
    public var file: String
    /// The region.
    public var region: RegionSummary
    /// The waypoint to which the photo was added.
    public var waypointID: UUID
    /// The name of the waypoint.
    public var label: String
    /// Whether the photo was not here before.
    public var isNew: Bool
}
