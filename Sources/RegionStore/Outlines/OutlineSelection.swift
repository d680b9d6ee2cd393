import FoundationEssentials
import GRDB
import PeerProtocol
import RegionModel
import TrackFiles

/// The hikes and planned routes whose outlines a region shows.
///
/// These are the longest ones. Their points are read at the end, one item after the other.
struct OutlineSelection {
    /// The maximum number of points of an outline.
    ///
    /// A sketch in a terminal would show no more of them.
    private static let maximumPointCount = 200

    private struct Line {
        var kind: ResourceKind
        var id: UUID
        var length: Double
        /// Where the line is among all lines that were added.
        var position: Int
    }

    /// The longest lines, the longest first.
    private var lines: [Line] = []
    private var count = 0

    /// Adds an item with a line.
    mutating func add(_ id: UUID, _ kind: ResourceKind, length: Double) {
        let line = Line(kind: kind, id: id, length: length.isFinite ? length : 0, position: count)
        count += 1
        // Of equally long ones, the first stay first.
        let index = lines.firstIndex { $0.length < line.length } ?? lines.count
        guard index < Outline.maximumCount else { return }
        lines.insert(line, at: index)
        if lines.count > Outline.maximumCount { lines.removeLast() }
    }

    /// Adds a recorded hike, if it has a track.
    mutating func add(_ hike: SavedRoute) {
        if !hike.trackData.isEmpty { add(hike.id, .savedroutes, length: hike.totalDistance) }
    }

    /// Adds a planned route, if it has a line.
    mutating func add(_ route: PlannedRoute) {
        if route.coordinates.count > 1 { add(route.id, .plannedroutes, length: route.totalDistance) }
    }

    /// Returns the outlines, in the order in which the items were added.
    ///
    /// - Parameter points: Returns the points of an item; nil if they cannot be read.
    func outlines(_ points: (_ id: UUID, _ kind: ResourceKind) throws -> [Coordinate]?) rethrows -> [Outline] {
        guard !lines.isEmpty else { return [] }
        let limit = min(Self.maximumPointCount, Outline.maximumPointCount / lines.count)
        return try lines.sorted { $0.position < $1.position }.compactMap { line in
            try points(line.id, line.kind).flatMap { Outline(of: $0, kind: line.kind, limit: limit) }
        }
    }

    /// Returns the outlines of items of a region.
    func outlines(of regionID: UUID, _ database: Database) -> [Outline] {
        // An item that cannot be read has no outline.
        outlines { id, kind in Self.points(of: id, kind, in: regionID, database) }
    }

    /// Returns the points of a hike or planned route; nil if they cannot be read.
    static func points(
        of id: UUID,
        _ kind: ResourceKind,
        in regionID: UUID,
        _ database: Database
    ) -> [Coordinate]? {
        switch kind {
        case .savedroutes:
            let hike = try? RegionItemRecord<SavedRoute>.fetchOne(id, of: regionID, database)
            return hike.flatMap { try? TrackCodec.decode($0.trackData, startTime: nil).map(\.coordinate) }
        case .plannedroutes:
            return (try? RegionItemRecord<PlannedRoute>.fetchOne(id, of: regionID, database))?.coordinates
        default:
            return nil
        }
    }
}
