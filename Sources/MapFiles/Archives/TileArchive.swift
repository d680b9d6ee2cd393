import RegionModel

/// The tiles of a map that is not an MBTiles file: an archive of another kind, or a folder of images.
///
/// An import makes an MBTiles file of it. Nothing of an archive is trusted. What is wrong with the archive as a whole ends
/// the reading with an error that names the archive; single entries that cannot be used are left out and counted.
package protocol TileArchive {
    /// The metadata, by the keys that MBTiles files use.
    var metadata: [String: String] { get }

    /// Whether the archive has a statement by which some programs count its rows from the south, while it is read from the north.
    var mayCountRowsFromSouth: Bool { get }

    /// What the import takes at most, by the directories of the archive; no tile is read.
    func cost() throws -> ImportCost

    /// Reads all tiles, in ascending order of zoom level, column and row from the south.
    ///
    /// - Parameter progress: Called with how many tiles are done and the number of all tiles; the latter is 0 while unknown.
    func forEachTile(
        progress: (_ done: Int, _ total: Int) throws -> Void,
        _ body: (MapTile) throws -> Void
    ) throws -> OmittedEntries
}

extension TileArchive {
    /// Most kinds of archives say how they count.
    package var mayCountRowsFromSouth: Bool { false }
}
