package import MapFiles
import PeerProtocol
import PeerStorage
import RegionModel

/// What is odd about a map that was imported nevertheless.
package struct MapOddities: Hashable, Sendable {
    /// The rows that are no tiles, and are left out of everything.
    package var strays = OmittedEntries()

    /// The entries of an archive of tiles that are left out.
    package var omitted = OmittedEntries()

    /// The number of tiles without data, as far as it is known.
    package var emptyTileCount = 0

    /// Whether the metadata state an area in which the map is not.
    package var hasMisplacedBounds = false

    /// Whether the rows of the file count from the north, so that those of the copy were turned.
    package var hasTurnedRows = false

    /// Whether the file has a statement by which some programs count rows from the south, though they were read from the north.
    package var mayBeUpsideDown = false

    /// Creates a value for a map without oddities.
    package init() {}

    init(
        of map: MapDescription,
        from original: MapDescription,
        emptyTileCount: Int,
        mayBeUpsideDown: Bool,
        omitted: OmittedEntries
    ) {
        self.omitted = omitted
        self.strays = original.strays
        self.emptyTileCount = emptyTileCount
        self.hasMisplacedBounds = map.hasMisplacedBounds
        self.hasTurnedRows = original.countsRowsFromNorth
        self.mayBeUpsideDown = mayBeUpsideDown
    }
}
