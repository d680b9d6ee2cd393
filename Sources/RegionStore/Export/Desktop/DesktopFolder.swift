/// A folder with a region in the forms that map programs of a desktop open.
package struct DesktopFolder: Hashable, Sendable {
    /// The path of the folder.
    package var path: String
    /// The name of the map, an MBTiles file.
    package var map: String
    /// The name of the GPX file; nil if the region has no hikes, planned routes and waypoints.
    package var gpx: String?
    /// The name of the project for Viking; nil if the tiles are not images.
    package var vikingProject: String?
    /// The name of the description of the map for GDAL, and so for QMapShack and QGIS; nil if the tiles are not images.
    package var virtualDataset: String?
    /// The name of the settings for QMapShack; nil if the tiles are not images.
    package var qmapshackSettings: String?
    /// Short descriptions of what is missing in the GPX file, because the store cannot read it.
    package var leftOut: [String] = []
    /// Whether the folder was written anew, because it did not exist or the region has changed.
    package var isNew = true

    /// The names of all files.
    package var files: [String] {
        [map, gpx, vikingProject, virtualDataset, qmapshackSettings].compactMap { $0 }
    }

    /// Returns the path of one of the files.
    package func path(of file: String) -> String { path + "/" + file }
}
