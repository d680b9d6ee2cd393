public import RegionStore

/// A map that was imported.
public struct ImportedMap: Sendable {
    /// The name of the file, as the person has given it.
    public var file: String
    /// The region with the map.
    public var stored: StoredRegion
    /// Whether a routing database came with it that was not here.
    public var hasNewRouting: Bool
    /// The name that the person has given for the region; nil for none.
    public var givenName: String?
}

/// A map of another program that was imported.
public struct ImportedForeignMap: Sendable {
    /// The name of the file, as the person has given it.
    public var file: String
    /// The region with the map.
    public var stored: StoredRegion
}
