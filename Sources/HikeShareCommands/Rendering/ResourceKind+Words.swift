import PeerCore

extension ResourceKind {
    /// The kind in plain words.
    var words: String {
        switch self {
        case .mbtiles: "map"
        case .routing: "routing"
        case .savedroutes: "recorded hikes"
        case .plannedroutes: "planned routes"
        case .waypoints: "waypoints"
        case .photos: "photos"
        default: rawValue
        }
    }

    /// So many items of the kind: `map`, `46 waypoints`.
    func words(count: Int) -> String {
        switch self {
        case .mbtiles: "map"
        case .routing: "routing"
        case .savedroutes: Wording.count(count, "recorded hike")
        case .plannedroutes: Wording.count(count, "planned route")
        case .waypoints: Wording.count(count, "waypoint")
        case .photos: Wording.count(count, "photo")
        default: "\(rawValue) (\(count))"
        }
    }

    /// So many items of the kind, in as few letters as are understood in a list: `46 waypoints`, `1 planned`.
    func shortWords(count: Int) -> String {
        switch self {
        case .savedroutes: Wording.count(count, "hike")
        case .plannedroutes: "\(count) planned"
        default: words(count: count)
        }
    }

    /// The kinds that a region may have, in the order in which they are shown.
    static let shown: [ResourceKind] = [.mbtiles, .routing, .savedroutes, .plannedroutes, .waypoints, .photos]
}
