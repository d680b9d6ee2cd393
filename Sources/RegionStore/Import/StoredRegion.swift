/// The result of the import of a map.
public struct StoredRegion: Hashable, Sendable {
    /// The region that has the map.
    public var region: RegionSummary

    /// Whether the region is new; false if a region of the store already had the map, or was updated.
    public var isNew: Bool

    /// Whether one of the first tiles has a known format.
    ///
    /// If not, map programs most likely cannot show the map.
    public var hasKnownTiles: Bool

    /// Whether the map has replaced an older one of the region.
    public var isUpdate = false

    /// What is odd about the map.
    package var oddities = MapOddities()
}

/// What is odd about a map that was imported nevertheless.
package struct MapOddities: Hashable, Sendable {
    /// The rows that are no tiles, and are left out of everything.
    package var strays = StrayTiles()

    /// The number of tiles without data, as far as it is known.
    package var emptyTileCount = 0

    /// Whether the metadata state an area that has none of the tiles of the highest zoom level.
    package var hasMisplacedBounds = false

    /// Creates a value for a map without oddities.
    package init() {}

    init(of map: MBTilesFile, emptyTileCount: Int) {
        self.strays = map.strays
        self.emptyTileCount = emptyTileCount
        self.hasMisplacedBounds = map.hasMisplacedBounds
    }
}
