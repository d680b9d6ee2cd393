import FoundationEssentials
import PeerProtocol

/// The hikes and planned routes of which a region has outlines.
///
/// These are the longest ones. Tracks are read one at a time, and no more than there are outlines.
package struct OutlineSelection {
    /// The maximum number of points of an outline.
    ///
    /// A sketch in a terminal would show no more of them.
    private static let maximumPointCount = 200

    private struct Line {
        var kind: ResourceKind
        var length: Double
        /// Where the line is among all lines that were added.
        var position: Int
        var outline: (_ limit: Int) -> Outline?
    }

    private var lines: [Line] = []
    private var count = 0

    /// Creates a selection without lines.
    package init() {}

    /// Adds recorded hikes.
    package mutating func add(_ hikes: [SavedRoute]) {
        add(hikes.filter { !$0.trackData.isEmpty }, .savedroutes, length: \.totalDistance) { hike, limit in
            let points = (try? TrackCodec.decode(hike.trackData, startTime: nil)) ?? []
            return Outline(of: points.lazy.map(\.coordinate), kind: .savedroutes, limit: limit)
        }
    }

    /// Adds planned routes.
    package mutating func add(_ routes: [PlannedRoute]) {
        add(routes.filter { $0.coordinates.count > 1 }, .plannedroutes, length: \.totalDistance) { route, limit in
            Outline(of: route.coordinates, kind: .plannedroutes, limit: limit)
        }
    }

    /// Returns the outlines, in the order in which the items were added.
    package func outlines() -> [Outline] {
        guard !lines.isEmpty else { return [] }
        let limit = min(Self.maximumPointCount, Outline.maximumPointCount / lines.count)
        return lines.sorted { $0.position < $1.position }.compactMap { $0.outline(limit) }
    }

    private mutating func add<Item>(
        _ items: [Item],
        _ kind: ResourceKind,
        length: (Item) -> Double,
        outline: @escaping (Item, _ limit: Int) -> Outline?
    ) {
        let ranked = items.enumerated().map { offset, item in
            let length = length(item)
            return (offset: offset, length: length.isFinite ? length : 0)
        }
        // Only the items that may be selected are kept.
        let longest = ranked.sorted { ($1.length, $0.offset) < ($0.length, $1.offset) }.prefix(Outline.maximumCount)
        lines += longest.map { rank in
            let item = items[rank.offset]
            return Line(kind: kind, length: rank.length, position: count + rank.offset) { outline(item, $0) }
        }
        count += items.count
        lines.sort { ($1.length, $0.position) < ($0.length, $1.position) }
        lines.removeLast(max(0, lines.count - Outline.maximumCount))
    }
}
