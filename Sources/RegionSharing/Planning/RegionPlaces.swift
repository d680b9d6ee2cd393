package import RegionStore

/// A place that a person has named.
package struct NamedPlace: Hashable, Sendable {
    /// The name of the waypoint, of the hike or planned route with the word `start` or `end`, or the coordinates as they were typed.
    package var name: String
    package var coordinate: Coordinate
}

/// The places of a region that a person can name.
///
/// They are its waypoints, and the starts and ends of its hikes and planned routes.
package struct RegionPlaces: Hashable, Sendable {
    package let region: RegionSummary
    package let waypoints: [ItemDescription]
    /// The hikes and the planned routes.
    package let routes: [ItemDescription]

    /// What a text names.
    enum Place: Hashable {
        case position(Coordinate)
        case waypoint(ItemDescription)
        /// The start of a hike or planned route, or its end.
        case end(of: ItemDescription, isStart: Bool)
    }

    init(region: RegionSummary, waypoints: [ItemDescription], routes: [ItemDescription]) {
        (self.region, self.waypoints, self.routes) = (region, waypoints, routes)
    }

    init(of region: RegionSummary, in store: RegionStore) throws {
        try self.init(
            region: region,
            waypoints: store.items(.waypoint, of: region.id),
            routes: store.routes(of: region)
        )
    }

    /// Finds what a person means: a waypoint, a position, `NAME start` or `NAME end` of a hike or planned route, or else the only
    /// waypoint with the text, or all its words, in the name.
    func place(_ text: String) throws(RouteError) -> Place {
        let query = ItemQuery(text)
        if let waypoint = try only(query.matches(waypoints), text) { return .waypoint(waypoint) }
        if let position = Coordinate(text: text) { return .position(position) }
        let words = text.split(separator: " ")
        if words.count > 1, let last = words.last?.lowercased(), ["start", "end"].contains(last) {
            let name = words.dropLast().joined(separator: " ")
            let found = ItemQuery(name).matchesPartly(routes)
            if let route = try only(found, text) { return .end(of: route, isStart: last == "start") }
        }
        for found in [query.matchesPartly(waypoints), waypoints.filter { Self.hasWords(of: text, $0.name) }] {
            if let waypoint = try only(found, text) { return .waypoint(waypoint) }
        }
        if let route = query.matchesPartly(routes).first { throw .neitherEnd(route) }
        throw .unknownPlace(text, self)
    }

    /// Whether all words of a text are in a name: “refugi coma” is in “Refugi de la Comapedrosa”.
    private static func hasWords(of text: String, _ name: String) -> Bool {
        let words = text.split(separator: " ")
        return !words.isEmpty && words.allSatisfy { ItemQuery(String($0)).isPart(of: name) }
    }

    /// Returns the only one of what was found, or one of several waypoints at the same place; nil if nothing was found.
    private func only(_ found: [ItemDescription], _ text: String) throws(RouteError) -> ItemDescription? {
        let isOnePlace = found.allSatisfy { $0.kind == .waypoint } && Set(found.map(\.coordinate)).count == 1
        guard found.count <= 1 || isOnePlace else { throw .ambiguousPlace(text, found, in: region) }
        return found.first
    }
}
