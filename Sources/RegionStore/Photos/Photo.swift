public import FoundationEssentials

/// The description of a waypoint's photo.
public struct Photo: Hashable, Sendable {
    /// The waypoint to which the photo belongs.
    ///
    /// A waypoint has at most one photo.
    public var waypointID: UUID

    /// The time at which the photo was added or replaced, in whole seconds.
    public var modifiedAt: Date

    /// The format.
    public var format: PhotoFormat

    /// The size, from 1 byte to 16 MiB.
    public var size: Int

    /// The maximum size of a photo, in bytes.
    package static let maximumSize = 16 << 20
}
