public import FoundationEssentials
public import RegionStore

/// A photo that was added to a waypoint.
public struct ImportedPhoto: Sendable {
    /// The name of the file, as the person has given it.
    public var file: String
    /// The region.
    public var region: RegionSummary
    /// The waypoint to which the photo was added.
    public var waypointID: UUID
    /// The name of the waypoint.
    public var label: String
    /// Whether the photo was not here before.
    public var isNew: Bool
}
