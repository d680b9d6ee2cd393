internal import FoundationEssentials
internal import RegionStore
internal import Sentences

/// The items that a page shows: the newest, so many that a browser can show them.
final class PageItems {
    let all: any RegionItems
    /// The number of items that could not be read.
    private(set) var unreadable = 0
    private let known: KnownLines?
    private let waypointLimit: Int

    /// Describes the items; `known` keeps the simplified lines, if they are needed more than once.
    init(_ items: any RegionItems, _ known: KnownLines? = nil, waypointLimit: Int = MapLimits.waypoints) {
        (all, self.known, self.waypointLimit) = (items, known, waypointLimit)
    }

    /// Reads the hikes and then the planned routes; returns their number.
    func forEachLine(_ body: (LineData) throws -> Void) throws -> Int {
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
        func pass(_ line: @autoclosure () -> LineData) throws {
            skipped -= 1
            guard skipped < 0 else { return }
            let line = line()
            known?.append(line, isFirst: count == 0)
            count += 1
            try body(line)
        }
        unreadable += try all.forEachHike { try pass(LineData($0, limits: limits)) }
        skipped = all.region.plannedRouteCount - routeCount
        unreadable += try all.forEachPlannedRoute { try pass(LineData($0, limits: limits)) }
        known?.finish((count, unreadable - before))
        return count
    }

    /// Reads the waypoints with their ids; returns their number.
    func forEachWaypoint(_ body: (WaypointData, UUID) throws -> Void) throws -> Int {
        var count = 0
        var skipped = all.region.waypointCount - waypointLimit
        unreadable += try all.forEachWaypoint { waypoint in
            skipped -= 1
            guard skipped < 0 else { return }
            try body(WaypointData(waypoint), waypoint.id)
            count += 1
        }
        return count
    }

    /// What is not shown, in sentences, if so many lines and waypoints are.
    func leftOut(_ lines: Int, _ waypoints: Int) -> [Sentence] {
        let (region, all) = (self.all.region, self.all.region.hikeCount + self.all.region.plannedRouteCount)
        var sentences: [Sentence] = []
        if lines + unreadable < all {
            sentences.append(Sentence("Only \(lines) of \(all) hikes and routes are shown, the newest."))
        }
        if waypoints + unreadable < region.waypointCount {
            let all = region.waypointCount
            sentences.append(Sentence("Only \(waypoints) of \(all) waypoints are shown, the newest."))
        }
        if unreadable > 0 { sentences.append(Sentence("Items that cannot be read are not shown: \(unreadable).")) }
        return sentences
    }

    /// Returns the points of the lines, in their segments.
    static func lines(of items: any RegionItems, _ known: KnownLines?) throws -> [[Coordinate]] {
        let page = PageItems(items, known)
        var lines: [[Coordinate]] = []
        _ = try page.forEachLine { line in
            lines += line.segments.map { numbers in
                LineData.points(of: numbers).compactMap { Coordinate(latitude: $0.latitude, longitude: $0.longitude) }
            }
        }
        return lines
    }
}
