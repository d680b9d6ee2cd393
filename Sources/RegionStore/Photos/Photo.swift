public import FoundationEssentials

/// What a store knows of a waypoint's photo, without its bytes.
public struct Photo: Hashable, Sendable {
    /// The waypoint that it shows; it has at most this one.
    public var waypointID: UUID

    /// When it was put there, in whole seconds.
    public var modifiedAt: Date

    /// How it is written.
    public var format: PhotoFormat

    /// Its size in bytes, 1 to ``maximumSize``.
    public var size: Int

    /// The largest photo, in bytes.
    package static let maximumSize = 16 << 20
}
