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

        /// What the receipt calls it.
        var outcome: ItemChange.Outcome? {
            switch self {
            case .added: .added
            case .updated: .replaced
            case .unchanged: nil
            case .kept: .kept
            case .staysRemoved: .staysRemoved
            }
        }
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
            attached: [
                "trackDetail": "coordinates", "pointTexts": "coordinates", "viaPoints": "coordinates",
                "turnInstructions": "coordinates", "elevationProfile": "coordinates",
            ]
        ),
        ItemTable(
            kind: .waypoints,
            name: "waypoint",
            madeAt: "time",
            words: ["label", "note", "hasPhoto", "hikeID", "gpx"]
        ),
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
        case .string(let text): text.isEmpty || text == "[]"
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
        var merged = filled(incoming, from: local)
        let isNewer = (date(incoming) > date(local) || isFromTheFuture(local)) && !isFromTheFuture(incoming)
        if isNewer, merged != local { return replacing ? (merged, .updated) : (local, .kept) }
        merged["modifiedAt"] = local["modifiedAt"]
        guard merged != local else { return (local, .unchanged) }
        let filled = date(incoming) == date(local) && replacing ? self.filled(local, from: incoming) : local
        return (filled, filled == local ? .kept : .updated)
    }

    /// What a version lacks, another one gives.
    private func filled(_ row: Row, from other: Row) -> Row {
        var row = row
        for column in words where Self.isNothing(row[column]) { row[column] = other[column] }
        for (column, key) in attached where Self.isNothing(row[column]) && row[key] == other[key] {
            row[column] = other[column]
        }
        if let texts = row["gpx"].flatMap(String.fromDatabaseValue),
            let more = other["gpx"].flatMap(String.fromDatabaseValue)
        {
            row["gpx"] = Self.filled(texts, from: more).databaseValue
        }
        return row
    }

    /// Whether two values of `gpx` differ only in texts that one of them lacks.
    static func hasNoConflict(_ one: DatabaseValue, _ other: DatabaseValue?) -> Bool {
        guard let one = String.fromDatabaseValue(one), let other = other.flatMap(String.fromDatabaseValue) else {
            return false
        }
        func common(_ text: String, with other: String) -> NSDictionary {
            let keys = Self.values(other).keys
            return Self.values(text).filter { keys.contains($0.key) && $0.key != "time" } as NSDictionary
        }
        return common(one, with: other) == common(other, with: one)
    }

    private static func values(_ text: String) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any] ?? [:]
    }

    /// The texts of a GPX file, each by its key.
    private static func filled(_ text: String, from other: String) -> String {
        var values = Self.values(text)
        for (key, value) in Self.values(other) where values[key] == nil && key != "time" { values[key] = value }
        let data = try? JSONSerialization.data(withJSONObject: values, options: [.sortedKeys, .withoutEscapingSlashes])
        return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
