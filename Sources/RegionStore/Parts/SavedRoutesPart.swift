import PeerProtocol
import PeerStorage
import RegionModel

/// Recorded hikes.
struct SavedRoutesPart: ItemListPart {
    typealias Item = SavedRoute

    var kind: ResourceKind { .savedroutes }
    var title: String { "recorded hikes" }
    var mayHoldHealthData: Bool { true }

    func routeName(of hike: SavedRoute) -> String? { hike.name }

    func isSendable(_ hike: SavedRoute) -> Bool { (try? hike.check()) != nil }

    func withoutHealthData(_ hike: SavedRoute) -> SavedRoute { hike.withoutHealthData() }

    func count(_ hikes: [SavedRoute], in personal: inout PersonalContent) {
        personal.hikes += hikes.count
        personal.timedHikes += hikes.count { $0.startTime < $0.endTime }
        let comments = hikes.count { !$0.comment.isBlank }
        personal.comments += comments
        personal.hikeComments += comments
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
