package import FoundationEssentials
import GRDB
package import PeerProtocol
package import RegionModel

/// What a person needs to know of an item to tell it apart from others of the same name.
package struct ItemDescription: Hashable, Sendable, Identifiable {
    /// The kind of the item.
    package var kind: ItemKind

    /// The item's id.
    package var id: UUID

    /// The number of the item in its region, as lists show it.
    ///
    /// Recorded hikes and planned routes are counted together from 1, hikes first; waypoints are counted from 1. Within a kind,
    /// the oldest item comes first. The numbers change when items are added or removed.
    package var number: Int

    /// The name; possibly empty.
    package var name: String

    /// The position of a waypoint, or the start of a hike or route.
    package var coordinate: Coordinate

    /// The length of a hike or route, in metres; nil for waypoints.
    package var distance: Double?

    /// What distinguishes the item from others of its name: `5.2 km`, or `47.2000, 11.4000`.
    package var distinction: String {
        if let distance {
            return distance < 1000 ? "\(Self.text(distance, 1)) m" : "\(Self.text(distance / 1000, 10)) km"
        }
        return "\(Self.text(coordinate.latitude, 10_000)), \(Self.text(coordinate.longitude, 10_000))"
    }

    private static func text(_ value: Double, _ scale: Double) -> String {
        let rounded = (value * scale).rounded()
        guard rounded.magnitude < 1e15 else { return "?" }
        return scale == 1 ? "\(Int64(rounded))" : "\(rounded / scale)"
    }
}

extension ItemDescription {
    fileprivate init(_ row: Row, _ kind: ItemKind, number: Int) throws {
        self.init(
            kind: kind,
            id: try row.id("id"),
            number: number,
            name: row["name"],
            coordinate: try row.coordinate("latitude", "longitude"),
            distance: row["distance"]
        )
    }

    /// Reads the description of one item, without its number.
    static func fetchOne(
        _ id: UUID,
        _ kind: ItemKind,
        of regionID: UUID,
        _ database: Database
    ) throws -> ItemDescription? {
        let sql = "SELECT \(kind.descriptionColumns) FROM \(kind.tableName) WHERE regionID = ? AND id = ?"
        return try Row.fetchOne(database, sql: sql, arguments: [regionID.uuidString, id.uuidString]).map { row in
            try ItemDescription(row, kind, number: 0)
        }
    }

    /// Reads the descriptions of a region's items, in the order of their numbers.
    ///
    /// An item that cannot be read is missing, but has a number.
    static func fetchAll(_ kind: ItemKind, of regionID: UUID, _ database: Database) throws -> [ItemDescription] {
        let sql = """
            SELECT \(kind.descriptionColumns) FROM \(kind.tableName) WHERE regionID = ?
            ORDER BY \(kind.timeColumn), id
            """
        let hikeCount =
            kind == .plannedRoute ? try RegionItemRecord<SavedRoute>.count(of: regionID, database) : 0
        let rows = try Row.fetchCursor(database, sql: sql, arguments: [regionID.uuidString])
        var descriptions: [ItemDescription] = []
        var number = hikeCount
        while let row = try rows.next() {
            number += 1
            if let description = try? ItemDescription(row, kind, number: number) { descriptions.append(description) }
        }
        return descriptions
    }
}

/// A text that a person types to select an item of a region.
struct ItemQuery {
    private static let shortestID = 4

    private let text: String

    init(_ text: String) {
        self.text = text.lowercased()
    }

    /// Returns the matching items: those with that name; else the one with that number; else those whose id begins with the
    /// text.
    func matches(_ items: [ItemDescription]) -> [ItemDescription] {
        first(of: [isName, isNumber, isStartOfID], items) { $0 }
    }

    /// Returns the matching ones of the items of several regions, in which a number has no meaning.
    func matches<Element>(_ elements: [Element], _ item: (Element) -> ItemDescription) -> [Element] {
        first(of: [isName, isStartOfID], elements, item)
    }

    /// Returns the matching items as ``matches(_:)``, or else those with the text in their names.
    ///
    /// For what nothing is changed or removed by.
    func matchesPartly(_ items: [ItemDescription]) -> [ItemDescription] {
        first(of: [isName, isNumber, isStartOfID, { isPart(of: $0.name) }], items) { $0 }
    }

    /// Returns the matching ones of the items of several regions, in which a number has no meaning, as ``matchesPartly(_:)``.
    func matchesPartly<Element>(_ elements: [Element], _ item: (Element) -> ItemDescription) -> [Element] {
        first(of: [isName, isStartOfID, { isPart(of: $0.name) }], elements, item)
    }

    /// Whether a name has the text in it, whatever is between the letters: “Coma Pedrosa” is in “Arinsal - Comapedrosa”.
    func isPart(of name: String) -> Bool {
        let letters = Self.letters(text)
        return letters.count >= Self.shortestPart && Self.letters(name.lowercased()).contains(letters)
    }

    private static let shortestPart = 2

    private static func letters(_ text: String) -> String { text.filter { $0.isLetter || $0.isNumber } }

    private func first<Element>(
        of rules: [(ItemDescription) -> Bool],
        _ elements: [Element],
        _ item: (Element) -> ItemDescription
    ) -> [Element] {
        for isMeant in rules {
            let found = elements.filter { isMeant(item($0)) }
            guard found.isEmpty else { return found }
        }
        return []
    }

    private func isName(of item: ItemDescription) -> Bool {
        !text.isEmpty && item.name.lowercased() == text
    }

    private func isNumber(of item: ItemDescription) -> Bool {
        text == "\(item.number)" || text == "#\(item.number)"
    }

    private func isStartOfID(of item: ItemDescription) -> Bool {
        text.utf8.count >= Self.shortestID && item.id.uuidString.lowercased().hasPrefix(text)
    }
}

/// A kind of items that a person can name, rename and remove one by one.
package enum ItemKind: String, CaseIterable, Hashable, Sendable, Codable {
    /// Recorded hikes.
    case hike
    /// Planned routes.
    case plannedRoute
    /// Waypoints.
    case waypoint

    /// The name of one item in messages, such as `recorded hike`.
    package var noun: String {
        switch self {
        case .hike: "recorded hike"
        case .plannedRoute: "planned route"
        case .waypoint: "waypoint"
        }
    }

    /// The name of several items in messages.
    package var pluralNoun: String { noun + "s" }

    /// The kind of the resource that holds the items.
    package var resourceKind: ResourceKind {
        switch self {
        case .hike: .savedroutes
        case .plannedRoute: .plannedroutes
        case .waypoint: .waypoints
        }
    }

    var tableName: String { rawValue }

    var nameColumn: String { self == .waypoint ? "label" : "name" }

    /// The column with the time of the creation, by which items are sorted.
    var timeColumn: String {
        switch self {
        case .hike: SavedRoute.orderColumn
        case .plannedRoute: PlannedRoute.orderColumn
        case .waypoint: Waypoint.orderColumn
        }
    }

    /// The columns of ``ItemDescription``, in SQL.
    var descriptionColumns: String {
        self == .waypoint
            ? "id, label AS name, latitude, longitude, NULL AS distance"
            : "id, name, startLatitude AS latitude, startLongitude AS longitude, totalDistance AS distance"
    }
}
