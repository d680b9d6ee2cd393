internal import FoundationEssentials
internal import RegionStore

/// The items that a page shows: the newest, so many that a browser can show them.
struct PageItems {
    let all: any RegionItems
    /// The number of items that could not be read.
    private(set) var unreadable = 0
    private let known: KnownLines?

    /// Describes the items.
    ///
    /// - Parameters:
    ///   - items: All items.
    ///   - known: Keeps the simplified lines; nil if they are needed once.
    init(_ items: any RegionItems, _ known: KnownLines? = nil) {
        all = items
        self.known = known
    }

    /// Reads the hikes and then the planned routes; returns their number.
    mutating func forEachLine(_ body: (LineData) throws -> Void) throws -> Int {
        if let counts = try known?.forEach(body) {
            unreadable += counts.unreadable
            return counts.read
        }
        let (before, known) = (unreadable, known)
        let hikeCount = min(all.region.hikeCount, MapLimits.lines)
        let routeCount = min(all.region.plannedRouteCount, MapLimits.lines - hikeCount)
        let limits = MapLine.Limits(lines: hikeCount + routeCount)
        var count = 0
        var skipped = all.region.hikeCount - hikeCount
        unreadable += try all.forEachHike { hike in
            skipped -= 1
            guard skipped < 0 else { return }
            let line = LineData(hike, limits: limits)
            known?.append(line, isFirst: count == 0)
            count += 1
            try body(line)
        }
        skipped = all.region.plannedRouteCount - routeCount
        unreadable += try all.forEachPlannedRoute { route in
            skipped -= 1
            guard skipped < 0 else { return }
            let line = LineData(route, limits: limits)
            known?.append(line, isFirst: count == 0)
            count += 1
            try body(line)
        }
        known?.finish((count, unreadable - before))
        return count
    }

    /// Reads the waypoints with their ids; returns their number.
    mutating func forEachWaypoint(_ body: (WaypointData, UUID) throws -> Void) throws -> Int {
        var count = 0
        var skipped = all.region.waypointCount - MapLimits.waypoints
        unreadable += try all.forEachWaypoint { waypoint in
            skipped -= 1
            guard skipped < 0 else { return }
            try body(WaypointData(waypoint), waypoint.id)
            count += 1
        }
        return count
    }

    /// Returns the points of the lines, in their segments.
    static func lines(of items: any RegionItems, _ known: KnownLines?) throws -> [[Coordinate]] {
        var page = PageItems(items, known)
        var lines: [[Coordinate]] = []
        _ = try page.forEachLine { line in
            lines += line.segments.map { numbers in
                stride(from: 0, to: numbers.count - 1, by: 2).compactMap { index in
                    Coordinate(latitude: numbers[index], longitude: numbers[index + 1])
                }
            }
        }
        return lines
    }
}
