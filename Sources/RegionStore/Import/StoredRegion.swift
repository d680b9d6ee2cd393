package import MapFiles
import PeerProtocol
import PeerStorage
import RegionModel

/// The result of the import of a map.
///
/// ```swift
/// let imported = try store.importMap(at: "coma-pedrosa.mbtiles")
/// print(imported.isNew ? "Imported \(imported.region.name)." : "\(imported.region.name) is in the store already.")
/// ```
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

    /// Whether the map is a part, whose tiles were added to the map of the region.
    public var isPart = false

    /// The number of tiles that the older map does not have in the same place; nil if there is none, or if it is not known.
    public var newTileCount: Int?

    /// How the map differs from that which the region had; nil if it had none, or if that is not known.
    package var difference: MapDifference?

    /// What became of the tiles of a part; nil if the map is none.
    package var union: MapUnion.Counts?

    /// The hikes and planned routes on which such tiles lie; nil if there are none, or if that is not known.
    package var changedRoutes: ChangedRoutes?

    /// What is odd about the map.
    package var oddities = MapOddities()
}

extension StoredRegion {
    /// Describes a region that has a map already, of which nothing was stored.
    package init(known region: RegionSummary) {
        self.init(region: region, isNew: false, hasKnownTiles: true)
    }
}
