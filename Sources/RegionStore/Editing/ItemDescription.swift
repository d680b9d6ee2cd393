package import FoundationEssentials
import GRDB
import PeerProtocol
package import RegionModel

/// What a person needs to know of an item to tell it apart from others of the same name.
package struct ItemDescription: Hashable, Sendable, Identifiable {
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
