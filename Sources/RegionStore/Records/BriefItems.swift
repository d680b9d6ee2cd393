package import FoundationEssentials
import GRDB
package import RegionModel

/// An item as lists show it: without its points, its tables and the texts of its file.
package enum BriefItem: Sendable {
    /// A recorded hike without its track.
    case hike(SavedRoute)
    /// A planned route without its line.
    case plannedRoute(PlannedRoute)
    case waypoint(Waypoint)
    /// An item that cannot be read.
    case unreadable(ItemKind, name: String)
}

/// The items of a region in the order of their numbers, which are read some at a time.
///
/// An item that cannot be read has a number, too.
package struct BriefItems: Sendable {
    private let store: RegionStore
    private let rows: [ItemKind: [(position: Int, id: Int64)]]

    fileprivate init(_ store: RegionStore, _ rows: [ItemKind: [(position: Int, id: Int64)]]) {
        self.store = store
        self.rows = rows
    }

    /// Returns the number of items of a kind.
    package func count(_ kind: ItemKind) -> Int { rows[kind, default: []].count }

    /// Reads some of the items of a kind, given by their positions.
    ///
    /// Items that were removed in the meantime are missing.
    package func items(_ kind: ItemKind, _ range: Range<Int>) throws -> [(position: Int, item: BriefItem)] {
        let rows = rows[kind, default: []][range]
        return try store.database.read { database in
            switch kind {
            case .hike: try Self.read(SavedRoute.self, kind, rows, database) { .hike($0) }
            case .plannedRoute: try Self.read(PlannedRoute.self, kind, rows, database) { .plannedRoute($0) }
            case .waypoint: try Self.read(Waypoint.self, kind, rows, database) { .waypoint($0) }
            }
        }
    }

    private static func read<Item: RegionItem>(
        _ type: Item.Type,
        _ kind: ItemKind,
        _ rows: ArraySlice<(position: Int, id: Int64)>,
        _ database: Database,
        _ item: (Item) -> BriefItem
    ) throws -> [(position: Int, item: BriefItem)] {
        let columns = try database.columns(in: Item.tableName).map { column in
            Item.emptyValues[column.name].map { "\($0) AS \(column.name)" } ?? column.name
        }
        let sql = "SELECT \(columns.joined(separator: ", ")) FROM \(Item.tableName) WHERE rowid = ?"
        let statement = try database.makeStatement(sql: sql)
        return try rows.compactMap { position, id in
            guard let row = try Row.fetchOne(statement, arguments: [id]) else { return nil }
            guard let read = try? Item(row: row) else {
                return (position, .unreadable(kind, name: row[kind.nameColumn] as String? ?? ""))
            }
            return (position, item(read))
        }
    }
}

extension RegionStore {
    /// Returns the items of a region, which are not read yet.
    ///
    /// - Parameter byCategory: Whether waypoints come in the order of their categories and names, and not in that of their numbers.
    package func briefItems(of regionID: UUID, byCategory: Bool = false) throws -> BriefItems {
        try database.read { database in
            var rows: [ItemKind: [(position: Int, id: Int64)]] = [:]
            let categories = WaypointCategory.ordered.map(\.rawValue).joined(separator: " ")
            let byCategory =
                byCategory ? "coalesce(nullif(instr('\(categories)', category), 0), 1000), label COLLATE NOCASE, " : ""
            for kind in ItemKind.allCases {
                let sql = """
                    SELECT row_number() OVER (ORDER BY \(kind.timeColumn), id) - 1 AS position, rowid AS number
                    FROM \(kind.tableName) WHERE regionID = ? ORDER BY \(kind == .waypoint ? byCategory : "")position
                    """
                rows[kind] = try Row.fetchAll(database, sql: sql, arguments: [regionID.uuidString]).map { row in
                    (row["position"], row["number"])
                }
            }
            return BriefItems(self, rows)
        }
    }

    /// Returns the outlines of the longest hikes and planned routes of a region.
    package func outlines(of regionID: UUID) throws -> [Outline] {
        // A line of one point has no second object in its list.
        let lines: [(ItemKind, condition: String)] = [
            (.hike, "length(trackData) > 0"), (.plannedRoute, "instr(coordinates, '},{') > 0"),
        ]
        return try database.read { database in
            var selection = OutlineSelection()
            for (kind, condition) in lines {
                let sql = """
                    SELECT id, totalDistance FROM \(kind.tableName) WHERE regionID = ? AND \(condition)
                    ORDER BY \(kind.timeColumn), id
                    """
                let rows = try Row.fetchCursor(database, sql: sql, arguments: [regionID.uuidString])
                while let row = try rows.next() {
                    selection.add(try row.id("id"), kind.resourceKind, length: row["totalDistance"])
                }
            }
            return selection.outlines(of: regionID, database)
        }
    }
}
