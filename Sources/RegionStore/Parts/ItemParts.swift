import PeerProtocol
import PeerStorage
import RegionModel

/// Waypoints.
struct WaypointsPart: ItemListPart {
    typealias Item = Waypoint

    var kind: ResourceKind { .waypoints }
    var title: String { "waypoints" }

    func count(_ waypoints: [Waypoint], in personal: inout PersonalContent) {
        personal.notes += waypoints.count { !$0.note.isBlank }
        personal.comments += waypoints.count(where: \.supplement.hasComment)
        personal.links += waypoints.count(where: \.supplement.hasLinks)
    }
}

extension Waypoint {
    static var wireLength: String {
        """
        500 + 6 * (length(CAST(label AS BLOB)) + length(CAST(note AS BLOB))) + coalesce(length(CAST(gpx AS BLOB)), 0)
        """
    }

    static var leastWireLength: String { "length(CAST(label AS BLOB)) + length(CAST(note AS BLOB))" }

    var leastWireLength: Int { label.utf8.count + note.utf8.count }
}

/// Planned routes.
struct PlannedRoutesPart: ItemListPart {
    typealias Item = PlannedRoute

    var kind: ResourceKind { .plannedroutes }
    var title: String { "planned routes" }

    func routeName(of route: PlannedRoute) -> String? { route.name }

    func isSendable(_ route: PlannedRoute) -> Bool { (try? route.check()) != nil }

    func count(_ routes: [PlannedRoute], in personal: inout PersonalContent) {
        personal.comments += routes.count(where: \.supplement.hasComment)
        personal.links += routes.count(where: \.supplement.hasLinks)
        personal.pointTexts += routes.count(where: \.supplement.hasPointTexts)
    }

    func add(_ route: PlannedRoute, to outlines: inout OutlineSelection) { outlines.add(route) }
}

extension PlannedRoute {
    static var wireLength: String {
        """
        900 + length(CAST(coordinates AS BLOB)) + length(CAST(viaPoints AS BLOB))
            + length(CAST(turnInstructions AS BLOB)) + coalesce(length(CAST(elevationProfile AS BLOB)), 0)
            + 6 * length(CAST(name AS BLOB)) + coalesce(length(trackDetail), 0) * 4 / 3
            + coalesce(length(CAST(pointTexts AS BLOB)), 0) + coalesce(length(CAST(gpx AS BLOB)), 0)
        """
    }

    static var leastWireLength: String {
        """
        length(CAST(coordinates AS BLOB)) + length(CAST(viaPoints AS BLOB)) + length(CAST(turnInstructions AS BLOB))
            + coalesce(length(CAST(elevationProfile AS BLOB)), 0) + coalesce(length(CAST(pointTexts AS BLOB)), 0)
        """
    }

    /// `{"latitude":0,"longitude":0}` for each point.
    var leastWireLength: Int { 28 * coordinates.count }
}

/// Recorded hikes.
struct SavedRoutesPart: ItemListPart {
    typealias Item = SavedRoute

    var kind: ResourceKind { .savedroutes }
    var title: String { "recorded hikes" }
    var mayHoldHealthData: Bool { true }

    func routeName(of hike: SavedRoute) -> String? { hike.name }

    func isSendable(_ hike: SavedRoute) -> Bool {
        (try? hike.check()) != nil
    }

    func withoutHealthData(_ hike: SavedRoute) -> SavedRoute { hike.withoutHealthData() }

    func count(_ hikes: [SavedRoute], in personal: inout PersonalContent) {
        personal.hikes += hikes.count
        personal.comments += hikes.count { !$0.comment.isBlank }
        personal.links += hikes.count(where: \.supplement.hasLinks)
        personal.healthRecords += hikes.count { $0 != $0.withoutHealthData() }
    }

    func add(_ hike: SavedRoute, to outlines: inout OutlineSelection) { outlines.add(hike) }
}

extension SavedRoute {
    static var wireLength: String {
        """
        900 + length(trackData) * 4 / 3 + 6 * (length(CAST(name AS BLOB)) + length(CAST(comment AS BLOB)))
            + (coalesce(length(trackDetail), 0) + coalesce(length(trackSensors), 0)) * 4 / 3
            + coalesce(length(CAST(gpx AS BLOB)), 0)
        """
    }

    static var leastWireLength: String { "length(trackData) + coalesce(length(trackDetail), 0)" }

    var leastWireLength: Int { trackData.count }
}
