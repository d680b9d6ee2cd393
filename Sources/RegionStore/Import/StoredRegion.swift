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
}
