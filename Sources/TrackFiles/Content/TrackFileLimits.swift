import RegionModel

/// What a GPX file may hold.
package struct TrackFileLimits: Hashable, Sendable {
    /// The limits on a file that a person imports.
    package static let file = TrackFileLimits()

    /// The limits on a file that another machine uploads: it is read before a person has agreed to it.
    package static let upload = TrackFileLimits(
        fileSize: 16_000_000,
        pointCount: 100_000,
        waypointCount: 2000,
        heldLength: 16 << 20
    )

    /// The maximum size, in bytes.
    package var fileSize = 200_000_000

    /// The maximum number of points, those of waypoints, routes and tracks together.
    package var pointCount = 1_000_000

    /// The maximum number of waypoints.
    package var waypointCount = ModelLimits.maximumItemCount

    /// The maximum memory of the content, in bytes, as estimated.
    package var heldLength = 100 << 20

    /// The maximum memory of the texts of points of one route, in bytes; further texts are left out.
    var pointTextLength: Int { heldLength / 8 }
}
