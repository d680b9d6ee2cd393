public import RegionStore
public import TrackFiles

/// What happens while files are imported.
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum ImportingHappening: Sendable {
    /// A file cannot be imported. It does not affect the others.
    case refused(RefusedFile)
    /// The import of a map takes long, and starts without a question.
    case large(LargeMap)
    /// A file is copied and checked; nil at the end.
    case working(file: String, ImportProgress?)
    /// A map is in the store.
    case map(ImportedMap)
    /// A map of another program is in the store.
    case foreignMap(ImportedForeignMap)
    /// A map of another region covers the same area, and was not replaced because there was no person to ask.
    case perhapsNewer(MapReplacement)
    /// A map replaces another one without a question, although something is lost.
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

/// A routing database that was added to its map.
public struct ImportedRouting: Sendable {
    /// The name of the file, as the person has given it.
    public var file: String
    /// The region with the database.
    public var region: RegionSummary
    /// Whether the database was not here before.
    public var isNew: Bool

    package init(file: String, region: RegionSummary, isNew: Bool) {
        (self.file, self.region, self.isNew) = (file, region, isNew)
    }
}
