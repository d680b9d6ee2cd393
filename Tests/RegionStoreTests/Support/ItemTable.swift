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
        /// It was removed here, and the removal is not older.
        case staysRemoved
    }

    var kind: ResourceKind
    var name: String
    /// When an item that was never edited was made.
    var madeAt: String
    /// What is not erased by its absence.
    var words: Set<String>
    /// What is left out unless asked for.
    var health: Set<String> = []
    /// What is not erased by its absence if another column, to which it belongs, has the same value.
    var attached: [String: String] = [:]

    static let all = [
        ItemTable(
            kind: .savedroutes,
            name: "hike",
            madeAt: "startTime",
            words: [
                "name", "comment", "averageHeartRate", "maximumHeartRate", "estimatedCalories", "trackData", "gpx",
            ],
            health: ["averageHeartRate", "maximumHeartRate", "estimatedCalories", "trackSensors"],
            attached: ["trackDetail": "trackData", "trackSensors": "trackData"]
        ),
        ItemTable(
            kind: .plannedroutes,
            name: "plannedRoute",
            madeAt: "createdAt",
            words: ["name", "gpx"],
            attached: ["trackDetail": "coordinates", "pointTexts": "coordinates"]
        ),
        ItemTable(kind: .waypoints, name: "waypoint", madeAt: "time", words: ["label", "note", "hasPhoto", "gpx"]),
    ]

    /// Reads the rows, by the items' ids.
    func rows(_ database: Database) throws -> [String: Row] {
        let rows = try GRDB.Row.fetchAll(database.cachedStatement(sql: "SELECT * FROM \(name)"))
        return Dictionary(uniqueKeysWithValues: rows.map { ($0["id"], Dictionary($0.map { ($0, $1) }) { $1 }) })
    }

    /// Reads when items were removed, by their ids.
    func removed(_ database: Database) throws -> [String: Double] {
        let sql = "SELECT id, removedAt FROM removedItem WHERE kind = ?"
        let rows = try GRDB.Row.fetchAll(database.cachedStatement(sql: sql), arguments: [name])
        return Dictionary(uniqueKeysWithValues: rows.map { ($0["id"], $0["removedAt"]) })
    }

    /// When an item was edited last, or made.
    func date(_ row: Row) -> Double {
        row["modifiedAt"].flatMap(Double.fromDatabaseValue) ?? row[madeAt].flatMap(Double.fromDatabaseValue) ?? .nan
    }

    /// Whether a clock must have been wrong.
    func isFromTheFuture(_ row: Row) -> Bool { Self.isInTheFuture(date(row)) }

    static func isInTheFuture(_ seconds: Double) -> Bool { seconds > Date().timeIntervalSince1970 + 86_400 }

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
    func merge(_ local: Row?, removedAt: Double?, _ incoming: Row, replacing: Bool) -> (Row?, Fate) {
        guard let local else {
            guard let removedAt else { return (incoming, .added) }
            let isEditedLater = date(incoming) > removedAt || Self.isInTheFuture(removedAt)
            let comesBack = replacing && isEditedLater && !isFromTheFuture(incoming)
            return comesBack ? (incoming, .added) : (nil, .staysRemoved)
        }
        var merged = incoming
        for column in words where Self.isNothing(merged[column]) { merged[column] = local[column] }
        for (column, key) in attached where Self.isNothing(merged[column]) && merged[key] == local[key] {
            merged[column] = local[column]
        }
        let isNewer = (date(incoming) > date(local) || isFromTheFuture(local)) && !isFromTheFuture(incoming)
        if isNewer, merged != local { return replacing ? (merged, .updated) : (local, .kept) }
        merged["modifiedAt"] = local["modifiedAt"]
        return (local, merged == local ? .unchanged : .kept)
    }
}
