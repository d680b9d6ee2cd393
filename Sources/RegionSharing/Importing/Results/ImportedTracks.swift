public import RegionStore
import TrackFiles

/// The tracks, routes and waypoints of a file that were added to a region.
public struct ImportedTracks: Sendable {
    /// The name of the file, as the person has given it.
    public var file: String
    /// What was imported.
    public var imported: GPXImport
    /// Whether other items of the file went to other regions.
    public var isOneOfSeveral: Bool

    package init(file: String, imported: GPXImport, isOneOfSeveral: Bool = false) {
        (self.file, self.imported, self.isOneOfSeveral) = (file, imported, isOneOfSeveral)
    }

    /// Returns what was imported into each region.
    package static func all(_ imported: GPXImport, of file: String) -> [ImportedTracks] {
        let parts = [imported] + imported.elsewhere
        return parts.map { ImportedTracks(file: file, imported: $0, isOneOfSeveral: parts.count > 1) }
    }
}
