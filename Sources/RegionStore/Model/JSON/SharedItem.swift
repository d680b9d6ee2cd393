/// Something of which a resource holds an array.
package protocol SharedItem: Codable, Sendable {
    /// What one is called in a message.
    static var noun: String { get }

    /// What several are called in a message.
    static var pluralNoun: String { get }

    /// The values that may be long, which are read and written piece by piece.
    static var largeValues: [LargeValue<Self>] { get }
}

extension SavedRoute: SharedItem {
    package static var noun: String { "hike" }
    package static var pluralNoun: String { "hikes" }
}

extension PlannedRoute: SharedItem {
    package static var noun: String { "planned route" }
    package static var pluralNoun: String { "planned routes" }
}

extension Waypoint: SharedItem {
    package static var noun: String { "waypoint" }
    package static var pluralNoun: String { "waypoints" }
    package static var largeValues: [LargeValue<Waypoint>] { [] }
}
