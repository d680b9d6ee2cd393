import RegionModel
package import TrackFiles

/// In which regions points are.
struct PointPlaces {
    /// The number of all points.
    private(set) var pointCount = 0

    /// The number of points in the area of each region.
    private(set) var counts: [(region: RegionSummary, count: Int)]

    /// Counts points; all in one pass, because each costs the unpacking of its track.
    init(_ coordinates: some Sequence<Coordinate>, in regions: [RegionSummary]) {
        counts = regions.map { ($0, 0) }
        var areas = MapAreas(of: regions)
        for coordinate in coordinates {
            pointCount += 1
            areas.forEach(at: coordinate) { counts[$0].count += 1 }
        }
    }
}

extension SavedRoute {
    /// The coordinates of all points.
    var coordinates: [Coordinate] {
        // What the conversion has just encoded can be decoded.
        (try? fileTrack.points.map(\.coordinate)) ?? [start, end]
    }
}

extension TrackDocument {
    /// The number of items.
    var itemCount: Int { waypoints.count + plannedRoutes.count + savedRoutes.count }

    /// Returns whether most of the points are outside the area of a region.
    package func isOutside(_ region: RegionSummary) -> Bool {
        let places = PointPlaces(coordinates, in: [region])
        return region.hasArea && (places.counts.first?.count ?? 0) * 2 <= places.pointCount
    }

    /// The coordinates of all points of all items.
    var coordinates: some Sequence<Coordinate> {
        let places = AnySequence(waypoints.lazy.map(\.coordinate))
        let routes = AnySequence(plannedRoutes.lazy.flatMap(\.coordinates))
        return [places, routes, AnySequence(savedRoutes.lazy.flatMap(\.coordinates))].joined()
    }
}
