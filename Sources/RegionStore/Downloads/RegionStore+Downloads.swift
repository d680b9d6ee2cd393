package import FoundationEssentials
import PeerProtocol

extension RegionStore {
    /// Makes files for other programs of what a source offers.
    ///
    /// - Parameters:
    ///   - source: The source.
    ///   - regionID: The region of the source.
    ///   - routes: The hikes and planned routes that the source offers.
    ///   - includesPersonal: Whether hikes, comments, notes, photos, and whatever a person has written, are part of them.
    ///   - includesHealth: Whether heart rates, calories and other values of sensors are part of the hikes.
    /// - Returns: The files, which are not made yet.
    /// - Throws: ``RegionStoreError`` if the region does not exist, or the store cannot be written.
    package func downloads(
        of source: RegionSource,
        for regionID: UUID,
        routes: RouteSelection,
        includesPersonal: Bool,
        includesHealth: Bool
    ) throws -> RegionDownloads {
        var content = try content(of: regionID)
        func isOffered(_ kind: ResourceKind) -> Bool { source.manifest.entry(of: kind) != nil }
        content.hikes = content.hikes.filter { hike in
            includesPersonal && isOffered(.savedroutes) && routes.contains(hike.name, hike.id)
                && (try? hike.check()) != nil
        }
        if !includesHealth { content.hikes = content.hikes.map { $0.withoutHealthData() } }
        content.plannedRoutes = content.plannedRoutes.filter { route in
            isOffered(.plannedroutes) && routes.contains(route.name, route.id)
        }
        if !isOffered(.waypoints) { content.waypoints = [] }
        if !(includesPersonal && isOffered(.photos)) { content.photos = [] }
        if !includesPersonal {
            content.plannedRoutes = content.plannedRoutes.map { $0.withoutTexts() }
            content.waypoints = content.waypoints.map { $0.withoutTexts() }
        }
        content.unreadable = []
        content.region.hikeCount = content.hikes.count
        content.region.plannedRouteCount = content.plannedRoutes.count
        content.region.waypointCount = content.waypoints.count
        return try RegionDownloads(content, of: self, offeredBy: source)
    }
}

extension PlannedRoute {
    /// Returns the route with its name and line, and nothing else that a person may have written.
    func withoutTexts() -> PlannedRoute {
        var copy = self
        copy.supplement.words = nil
        copy.supplement.pointTexts = nil
        return copy
    }
}

extension Waypoint {
    /// Returns the waypoint with its label, place and category, and nothing else that a person may have written.
    func withoutTexts() -> Waypoint {
        var copy = self
        copy.note = ""
        copy.hikeID = nil
        copy.hasPhoto = false
        copy.supplement = ItemSupplement()
        return copy
    }
}
