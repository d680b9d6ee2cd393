import PeerProtocol
import PeerStorage
import RegionModel

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
