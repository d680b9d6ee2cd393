import PeerProtocol
import PeerStorage
import RegionModel
package import TrackFiles

/// The result of the import of a GPX file.
///
/// ```swift
/// let imported = try store.importGPX(at: "hike.gpx")
/// print("To \(imported.region.name): \(imported.hikes.imported) hikes, left out: \(imported.leftOut)")
/// ```
public struct GPXImport: Hashable, Sendable {
    /// The region, with the imported items.
    public var region: RegionSummary

    /// The numbers of hikes, which are the tracks of the file with times.
    public var hikes: MergeCounts

    /// The numbers of planned routes, which are the routes of the file and its tracks without times.
    public var plannedRoutes: MergeCounts

    /// The numbers of waypoints.
    public var waypoints: MergeCounts

    /// Short descriptions of what the file has and the store does not keep, such as `1 track or route without points`.
    public var leftOut: [String] = []

    /// The number of points of the file, those of waypoints, routes and tracks together.
    public var pointCount = 0

    /// The number of points in the area of the region.
    public var pointsInArea = 0

    /// The number of points at 0° N, 0° E outside the area of the region.
    ///
    /// Programs put points there whose position they do not know.
    public var pointsAtZero = 0

    /// What is wrong with the file, of which a part may be missing; nil if it is whole.
    package var damage: TrackFileDamage?

    /// The results for other regions on whose maps items of the file lie.
    public var elsewhere: [GPXImport] = []

    /// The names of the items that were left out because they lie on no map.
    public var outside: [String] = []

    /// The number of items of the region that it changes.
    package var changes: Int { [hikes, plannedRoutes, waypoints].reduce(0) { $0 + $1.updated } }

    /// Whether most of the points are outside the area of the region.
    public var isOutsideArea: Bool { region.hasArea && pointsInArea * 2 <= pointCount }
}
