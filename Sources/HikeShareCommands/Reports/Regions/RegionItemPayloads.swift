import FoundationEssentials
import PeerCore
import RegionStore

/// A recorded hike in JSON, without its points.
struct HikePayload: Encodable {
    var type = "hike"
    var id: String
    var name: String
    var startTime: Date
    var endTime: Date
    var distance: Double
    var elevationGain: Double
    var elevationLoss: Double
    var walkingTime: Double
    var restingTime: Double
    var comment: String

    init(_ hike: SavedRoute) {
        id = hike.id.uuidString
        name = hike.name
        startTime = hike.startTime
        endTime = hike.endTime
        distance = hike.totalDistance
        elevationGain = hike.elevationGain
        elevationLoss = hike.elevationLoss
        walkingTime = hike.walkingTime
        restingTime = hike.restingTime
        comment = hike.comment
    }
}

/// A planned route in JSON, without its points.
struct PlannedRoutePayload: Encodable {
    var type = "plannedRoute"
    var id: String
    var name: String
    var mode: String
    var distance: Double
    var elevationGain: Double
    var elevationLoss: Double
    var estimatedDuration: Double
    var createdAt: Date

    init(_ route: PlannedRoute) {
        id = route.id.uuidString
        name = route.name
        mode = route.mode.rawValue
        distance = route.totalDistance
        elevationGain = route.elevationGain
        elevationLoss = route.elevationLoss
        estimatedDuration = route.estimatedDuration
        createdAt = route.createdAt
    }
}

/// A waypoint in JSON.
struct WaypointPayload: Encodable {
    var type = "waypoint"
    var id: String
    var label: String
    var category: String
    var latitude: Double
    var longitude: Double
    var elevation: Double?
    var note: String
    /// The size of its photo, if the store has one.
    var photoSize: Int?

    init(_ waypoint: Waypoint, photo: Photo?) {
        id = waypoint.id.uuidString
        label = waypoint.label
        category = waypoint.category.rawValue
        latitude = waypoint.coordinate.latitude
        longitude = waypoint.coordinate.longitude
        elevation = waypoint.elevation
        note = waypoint.note
        photoSize = photo?.size
    }
}

/// A past transfer in JSON.
struct HistoryPayload: Encodable {
    var type = "transfer"
    var direction: String
    var peerID: String?
    var peerName: String
    var outcome: String
    var startedAt: Date
    var endedAt: Date
    var bytes: UInt64

    init(_ entry: TransferHistoryEntry) {
        direction = entry.direction.rawValue
        peerID = entry.partner.id?.hex
        peerName = entry.partner.displayName
        outcome = entry.outcome.rawValue
        startedAt = entry.startedAt
        endedAt = entry.endedAt
        bytes = entry.byteCount
    }
}
