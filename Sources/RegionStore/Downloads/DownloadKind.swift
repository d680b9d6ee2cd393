/// A file that other programs read, made of a region.
package enum DownloadKind: String, CaseIterable, Sendable {
    /// The map, as it was imported.
    case mbtiles
    /// The map in the form that OsmAnd reads.
    case sqlitedb
    /// Hikes, planned routes and waypoints.
    case gpx
    /// The map as MBTiles, the GPX file and the photos in one file.
    case zip

    /// The extension of the file's name.
    package var fileExtension: String { rawValue }

    /// The media type.
    ///
    /// Only ZIP has a registered one that phones know; an unknown one keeps a browser from opening the file itself.
    package var contentType: String {
        switch self {
        case .mbtiles: "application/octet-stream"
        case .sqlitedb: "application/octet-stream"
        case .gpx: "application/gpx+xml"
        case .zip: "application/zip"
        }
    }
}
