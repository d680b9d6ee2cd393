/// A folder with the files of a region that map programs of a desktop open.
package struct DesktopFolder: Hashable, Sendable {
    /// The path of the folder.
    package var path: String
    /// The name of the map: an MBTiles file, or the file of another program.
    package var map: String
    /// The name of the GPX file; nil if the region has no hikes, planned routes and waypoints.
    package var gpx: String?
    /// Short descriptions of what is missing in the GPX file, because the store cannot read it.
    package var leftOut: [String] = []
    /// Whether the folder was written anew, because it did not exist or the region has changed.
    package var isNew = true

    /// The names of all files.
    package var files: [String] { [map] + [gpx].compactMap { $0 } }

    /// Returns the path of one of the files.
    package func path(of file: String) -> String { path + "/" + file }

    /// What has become of a folder for map programs whose region, or an item of it, was removed.
    package enum Removal: Hashable, Sendable {
        /// There was none.
        case none
        /// Its files were removed.
        case removed
        /// Files stay in this folder, because a person or a program has changed or added them.
        case kept(folder: String)
        /// Its files in this folder could not be removed.
        case failed(folder: String)
    }
}
