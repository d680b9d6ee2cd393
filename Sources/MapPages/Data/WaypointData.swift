internal import RegionStore

/// A waypoint.
struct WaypointData: Encodable {
    /// The name in addresses.
    var key: String
    var label: String
    var note: String?
    var category: String
    var latitude: Double
    var longitude: Double
    var elevation: Double?

    init(_ waypoint: Waypoint) {
        key = ItemKey.text(of: waypoint.id)
        label = MapLimits.shownName(waypoint.label)
        note = waypoint.note.isEmpty ? nil : MapLimits.shorten(waypoint.note, to: MapLimits.text)
        category = waypoint.category.rawValue
        latitude = waypoint.coordinate.latitude.short
        longitude = waypoint.coordinate.longitude.short
        elevation = waypoint.elevation
    }
}
