import FoundationEssentials
import RegionModel
import TrackFiles

/// The regions to which the items of a file belong.
///
/// An item belongs to the region that has it already, or else to the map that has most of its points. If several maps have as many,
/// the one counts that has most points of the whole file, then the smallest. An item lies on maps only if more than half of its
/// points do.
struct ItemPlaces {
    /// The items for one region.
    struct Part {
        var region: RegionSummary
        var document: TrackDocument
        var pointCount = 0
        var pointsInArea = 0
    }

    /// The items for each region; the region that gets most of them is first.
    private(set) var parts: [Part] = []

    /// The names of the items that lie on none of the maps.
    private(set) var outside: [String] = []

    /// The number of points of the file.
    private(set) var pointCount = 0

    /// The region that has more points than others, the smallest of several; nil if no region has any.
    private(set) var most: (region: RegionSummary, count: Int)?

    /// Finds the regions of items.
    ///
    /// - Parameter preferredID: The region that gets the items that mostly lie in its area, whatever else has them.
    init(
        _ document: TrackDocument,
        in regions: [RegionSummary],
        known: [UUID: Set<RegionSummary.ID>],
        preferring preferredID: RegionSummary.ID?
    ) {
        var counter = Counter(regions)
        let waypoints = document.waypoints.map { counter.place(of: $0.id, [$0.coordinate]) }
        let routes = document.plannedRoutes.map { counter.place(of: $0.id, $0.coordinates) }
        let hikes = document.savedRoutes.map { counter.place(of: $0.id, $0.coordinates) }
        pointCount = counter.pointCount
        let ranks = Ranks(regions, counter.totals, known, preferredID)
        if let first = ranks.order.first, counter.totals[first] > 0 { most = (regions[first], counter.totals[first]) }
        var divided: [Int: Part] = [:]
        func add<Item>(
            _ items: [Item],
            _ places: [Counter.Place],
            _ name: (Item) -> String,
            to list: WritableKeyPath<TrackDocument, [Item]>
        ) {
            for (item, place) in zip(items, places) {
                guard let index = ranks.region(of: place) else {
                    outside.append(name(item))
                    continue
                }
                var part =
                    divided.removeValue(forKey: index)
                    ?? Part(region: regions[index], document: TrackDocument(name: document.name))
                part.document[keyPath: list].append(item)
                part.document.pointsAtZero += place.pointsAtZero
                part.pointCount += place.pointCount
                part.pointsInArea += place.counts.first { $0.region == index }?.count ?? 0
                divided[index] = part
            }
        }
        add(document.waypoints, waypoints, \.label, to: \.waypoints)
        add(document.plannedRoutes, routes, \.name, to: \.plannedRoutes)
        add(document.savedRoutes, hikes, \.name, to: \.savedRoutes)
        parts = divided.sorted { one, other in
            (other.value.document.itemCount, ranks.place(one.key)) < (
                one.value.document.itemCount, ranks.place(other.key)
            )
        }.map(\.value)
        for index in parts.indices {
            parts[index].document.unnamed = document.unnamed
            parts[index].document.cut = document.cut
        }
        // What the file lacks is told once.
        guard !parts.isEmpty else { return }
        parts[0].document.leftOut = document.leftOut
        parts[0].document.damage = document.damage
    }

    /// Counts the points of items in each region.
    private struct Counter {
        /// Where an item is.
        struct Place {
            var id: UUID
            var pointCount = 0
            var pointsAtZero = 0
            /// The number of points that are on any map.
            var pointsOnMaps = 0
            /// The regions with points of the item.
            var counts: [(region: Int, count: Int)] = []
        }

        private var areas: MapAreas
        /// The points of all items in each region.
        private(set) var totals: [Int]
        private(set) var pointCount = 0

        init(_ regions: [RegionSummary]) {
            areas = MapAreas(of: regions)
            totals = Array(repeating: 0, count: regions.count)
        }

        mutating func place(of id: UUID, _ coordinates: [Coordinate]) -> Place {
            var place = Place(id: id)
            for coordinate in coordinates {
                place.pointCount += 1
                if coordinate.latitude == 0, coordinate.longitude == 0 { place.pointsAtZero += 1 }
                var isOnMap = false
                areas.forEach(at: coordinate) { index in
                    isOnMap = true
                    totals[index] += 1
                    if let known = place.counts.firstIndex(where: { $0.region == index }) {
                        place.counts[known].count += 1
                    } else {
                        place.counts.append((index, 1))
                    }
                }
                if isOnMap { place.pointsOnMaps += 1 }
            }
            pointCount += place.pointCount
            return place
        }
    }

    /// Decides between regions.
    private struct Ranks {
        private let ids: [RegionSummary.ID]
        private let known: [UUID: Set<RegionSummary.ID>]
        private let preferred: Int?
        /// The indices of the regions; those that come first win.
        let order: [Int]
        private let places: [Int: Int]

        init(
            _ regions: [RegionSummary],
            _ totals: [Int],
            _ known: [UUID: Set<RegionSummary.ID>],
            _ preferredID: RegionSummary.ID?
        ) {
            ids = regions.map(\.id)
            self.known = known
            preferred = ids.firstIndex { $0 == preferredID }
            order = regions.indices.sorted { one, other in
                let (first, second) = (regions[one], regions[other])
                return (totals[other], first.boundingBox.extent, first.id.uuidString)
                    < (totals[one], second.boundingBox.extent, second.id.uuidString)
            }
            places = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
        }

        /// The place of a region in the order.
        func place(_ region: Int) -> Int { places[region] ?? order.count }

        /// Returns the region of an item; nil if it lies on no map.
        func region(of item: Counter.Place) -> Int? {
            if let preferred, item.counts.contains(where: { $0.region == preferred && $0.count * 2 > item.pointCount })
            {
                return preferred
            }
            let best = item.counts.sorted { ($1.count, place($0.region)) < ($0.count, place($1.region)) }.map(\.region)
            if let owners = known[item.id] {
                return (best + order).first { owners.contains(ids[$0]) }
            }
            return item.pointsOnMaps * 2 > item.pointCount ? best.first : nil
        }
    }
}

extension BoundingBox {
    fileprivate var extent: Double { height * width }
}
