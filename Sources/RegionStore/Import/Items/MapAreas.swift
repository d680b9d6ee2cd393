import RegionModel
import TrackFiles

/// The areas of regions.
struct MapAreas {
    let regions: [RegionSummary]
    // Of a region that has no point in its bounds, the coverage is never read.
    private var places: [MapPlace?]

    init(of regions: [RegionSummary]) {
        self.regions = regions
        places = Array(repeating: nil, count: regions.count)
    }

    /// Calls `body` with the index of each region whose area contains a point.
    ///
    /// A region whose area is unknown contains no point.
    mutating func forEach(at coordinate: Coordinate, _ body: (Int) -> Void) {
        for (index, region) in regions.enumerated() where region.hasArea && region.boundingBox.contains(coordinate) {
            let place = places[index] ?? region.place
            places[index] = place
            if place.contains(coordinate) { body(index) }
        }
    }
}
