import PeerProtocol
import PeerStorage
import RegionModel

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
