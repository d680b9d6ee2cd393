import Foundation
import GRDB
import PeerCore

@testable import RegionStore

/// The items of a kind as the database has them, and the rules of merging, told once more in columns.
struct ItemTable {
    typealias Row = [String: DatabaseValue]

    /// What becomes of an item that comes.
    enum Fate: Hashable {
        case added
        case updated
        case unchanged
        case kept
    }

    var kind: ResourceKind
    var name: String
    /// When an item that was never edited was made.
    var madeAt: String
    /// What is not erased by its absence.
    var words: Set<String>
    /// What is left out unless asked for.
    var health: Set<String> = []

    static let all = [
        ItemTable(
            kind: .savedroutes,
            name: "hike",
            madeAt: "startTime",
            words: ["name", "comment", "averageHeartRate", "maximumHeartRate", "estimatedCalories", "trackData"],
            health: ["averageHeartRate", "maximumHeartRate", "estimatedCalories"]
        ),
        ItemTable(kind: .plannedroutes, name: "plannedRoute", madeAt: "createdAt", words: ["name"]),
        ItemTable(kind: .waypoints, name: "waypoint", madeAt: "time", words: ["label", "note", "hasPhoto"]),
    ]

    /// Reads the rows, by the items' ids.
    func rows(_ database: Database) throws -> [String: Row] {
        let rows = try GRDB.Row.fetchAll(database.cachedStatement(sql: "SELECT * FROM \(name)"))
        return Dictionary(uniqueKeysWithValues: rows.map { ($0["id"], Dictionary($0.map { ($0, $1) }) { $1 }) })
    }

    /// When an item was edited last, or made.
    func date(_ row: Row) -> Double {
        row["modifiedAt"].flatMap(Double.fromDatabaseValue) ?? row[madeAt].flatMap(Double.fromDatabaseValue) ?? .nan
    }

    /// Whether a clock must have been wrong.
    func isFromTheFuture(_ row: Row) -> Bool {
        date(row) > Date().timeIntervalSince1970 + 86_400
    }

    /// Whether a value says nothing.
    static func isNothing(_ value: DatabaseValue?) -> Bool {
        switch value?.storage {
        case nil, .null: true
        case .string(let text): text.isEmpty
        case .blob(let data): data.isEmpty
        case .int64(let number): number == 0
        case .double: false
        }
    }

    /// What the rules say of an item that comes; the date of one that is added from the future is left open.
    func merge(_ local: Row?, _ incoming: Row, replacing: Bool) -> (Row, Fate) {
        guard let local else { return (incoming, .added) }
        var merged = incoming
        for column in words where Self.isNothing(merged[column]) { merged[column] = local[column] }
        let isNewer = (date(incoming) > date(local) || isFromTheFuture(local)) && !isFromTheFuture(incoming)
        if isNewer, merged != local { return replacing ? (merged, .updated) : (local, .kept) }
        merged["modifiedAt"] = local["modifiedAt"]
        return (local, merged == local ? .unchanged : .kept)
    }
}
