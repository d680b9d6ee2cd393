package import FoundationEssentials
import PeerCore
package import RegionStore
package import Routing

/// Plans routes on the routing databases of regions, and keeps them as planned routes.
package actor RoutePlanner {
    private let store: RegionStore
    private let reading = AsyncLock()
    /// The routing database that was used last, which takes up to 64 MB.
    private var kept: (region: UUID, digest: ContentDigest, graph: RoutingGraph)?

    /// Creates a planner for the regions of a store.
    package init(store: RegionStore) { self.store = store }

    /// Plans ways through places; without a routing database, a straight line.
    ///
    /// The routing database is kept for the next request, until another region is planned on or the database changes.
    ///
    /// - Parameters:
    ///   - places: The start, places between, and the end.
    ///   - count: The most ways; there are several only between two places.
    /// - Throws: ``RouteError`` if there is no way, `RegionStoreError` if the region or its routing database cannot be read.
    package func ways(
        through places: [Coordinate],
        in regionID: UUID,
        atMost count: Int = 3
    ) async throws -> PlannedWays {
        let region = try store.region(regionID)
        let places = places.enumerated().filter { $0.offset == 0 || $0.element != places[$0.offset - 1] }.map(\.element)
        do {
            guard places.count > 1 else { throw PlanningError.tooFewPlaces }
            guard let graph = try await graph(of: region) else {
                return PlannedWays([.straight(through: places)], hasGraph: false, in: region)
            }
            return try await OwnThread.run {
                PlannedWays(try graph.ways(through: places, atMost: count), hasGraph: true, in: region)
            }
        } catch let error as PlanningError {
            throw RouteError.noWay(error, placeCount: places.count, in: region)
        }
    }

    /// Keeps a way as a planned route of the region, like one that was imported.
    ///
    /// - Throws: ``RouteError`` if a hike or planned route has the name, `RegionStoreError` if the name is not possible or the region
    ///   has no room.
    package func save(
        _ way: PlannedWay,
        called name: String,
        in regionID: UUID,
        pace: Pace = .din33466
    ) throws -> PlannedRoute {
        let region = try store.region(regionID)
        if let other = try store.routes(of: region).first(where: { $0.name.lowercased() == name.lowercased() }) {
            throw RouteError.nameTaken(other, in: region)
        }
        let route = way.route(called: name, id: UUID(), of: regionID, at: Date(), pace: pace)
        return try store.addPlannedRoute(route, to: regionID)
    }

    /// Returns the place that a person names: a waypoint, coordinates as `42.57,1.48`, or the start or the end of a hike or planned
    /// route, as `NAME start` or `NAME end`.
    ///
    /// - Throws: ``RouteError`` if there is no such place or several have the name.
    package func place(_ text: String, in regionID: UUID) throws -> NamedPlace {
        let region = try store.region(regionID)
        let text = text.split(separator: " ").joined(separator: " ")
        switch try RegionPlaces(of: region, in: store).place(text) {
        case .position(let position): return NamedPlace(name: text, coordinate: position)
        case .waypoint(let waypoint): return NamedPlace(name: waypoint.name, coordinate: waypoint.coordinate)
        case .end(let route, let isStart):
            let points = try store.points(of: route, in: region)
            return NamedPlace(
                name: "\(route.name) \(isStart ? "start" : "end")",
                coordinate: (isStart ? points.first : points.last) ?? route.coordinate
            )
        }
    }

    /// The routing database of a region; nil if it has none.
    private func graph(of region: RegionSummary) async throws -> RoutingGraph? {
        guard let digest = region.routingDigest else { return nil }
        return try await reading.take {
            if let kept, kept.region == region.id, kept.digest == digest { return kept.graph }
            // Two of them would take twice the memory.
            kept = nil
            let store = store
            let graph = try await OwnThread.run {
                try store.withRoutingDatabase(of: region.id) { try RoutingGraph(reading: $0) }
            }
            if let graph { kept = (region.id, digest, graph) }
            return graph
        }
    }
}
