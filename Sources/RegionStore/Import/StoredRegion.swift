/// What came of importing a map.
public struct StoredRegion: Hashable, Sendable {
    /// The region that has the map.
    public var region: RegionSummary

    /// Whether the region is new; false if the same map was already there, under whatever name.
    public var isNew: Bool

    /// Whether one of the first tiles is an image or a vector tile; false for a map that most likely shows nothing.
    public var hasKnownTiles: Bool
}
