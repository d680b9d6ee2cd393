import RegionModel
package import TrackFiles

/// In which regions the points of a file are.
struct PointPlaces {
    /// The number of all points.
    private(set) var pointCount = 0

    /// The number of points in the area of each region.
    private(set) var counts: [(region: RegionSummary, count: Int)]

    /// Counts points; all in one pass, because each costs the unpacking of its track.
    init(_ coordinates: some Sequence<Coordinate>, in regions: [RegionSummary]) {
        counts = regions.map { ($0, 0) }
        // Of a region that has no point in its area, the coverage is never read.
        var places = [MapPlace?](repeating: nil, count: regions.count)
        for coordinate in coordinates {
            pointCount += 1
            // A region of which nobody knows the area contains no point.
            for (index, region) in regions.enumerated()
            where region.hasArea && region.boundingBox.contains(coordinate) {
                let place = places[index] ?? region.place
                places[index] = place
                if place.contains(coordinate) { counts[index].count += 1 }
            }
        }
    }

    /// The region whose area contains most of the points, the smallest of several; nil if no region contains more than half.
    var region: RegionSummary? { most.flatMap { isMostly(in: $0.region.id) ? $0.region : nil } }

    /// The region whose area contains more points than others, the smallest of several; nil if no region contains any.
    var most: (region: RegionSummary, count: Int)? {
        let most = counts.max { one, other in
            (one.count, -one.region.boundingBox.extent) < (other.count, -other.region.boundingBox.extent)
        }
        return most.flatMap { $0.count > 0 ? $0 : nil }
    }

    /// Returns whether more than half of the points are in the area of a region.
    func isMostly(in id: RegionSummary.ID) -> Bool {
        counts.contains { $0.region.id == id && $0.count > pointCount / 2 }
    }
}

extension BoundingBox {
    fileprivate var extent: Double { height * width }
}

extension GPXDocument {
    /// Returns whether most of the items are outside the area of a region.
    package func isOutside(_ region: RegionSummary) -> Bool {
        region.hasArea && !PointPlaces(coordinates, in: [region]).isMostly(in: region.id)
    }

    /// The coordinates of all points of all items.
    var coordinates: some Sequence<Coordinate> {
        let places = AnySequence(waypoints.lazy.map(\.coordinate))
        let routes = AnySequence(plannedRoutes.lazy.flatMap(\.coordinates))
        let hikes = AnySequence(
            // What the conversion has just encoded can be decoded.
            savedRoutes.lazy.flatMap { hike in (try? hike.fileTrack.points.map(\.coordinate)) ?? [hike.start, hike.end]
            }
        )
        return [places, routes, hikes].joined()
    }
}
