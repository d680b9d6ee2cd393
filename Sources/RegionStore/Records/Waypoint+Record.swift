import Crypto
import FoundationEssentials
import GRDB
import RegionModel
import TrackFiles

extension Waypoint: RegionItem {
    static var tableName: String { "waypoint" }
    static var orderColumn: String { "time" }

    static var emptyValues: [String: String] {
        ["gpx": "NULL"]
    }

    var effectiveDate: Date { modifiedAt ?? time }

    init(row: Row) throws {
        self.init(
            id: try row.id("id"),
            coordinate: try row.coordinate("latitude", "longitude"),
            elevation: row["elevation"],
            time: row.date("time"),
            label: row["label"],
            note: row["note"],
            category: WaypointCategory(rawValue: row["category"]) ?? .custom,
            hasPhoto: row["hasPhoto"],
            hikeID: try row.idIfPresent("hikeID"),
            modifiedAt: row.dateIfPresent("modifiedAt"),
            supplement: ItemSupplement(words: try row.gpxWords())
        )
    }

    func encode(to container: inout PersistenceContainer) throws {
        container.set("id", id)
        container.set("latitude", "longitude", coordinate)
        container["elevation"] = elevation
        container.set("time", time)
        container["label"] = label
        container["note"] = note
        container["category"] = category.rawValue
        container["hasPhoto"] = hasPhoto
        container.set("hikeID", hikeID)
        container.set("modifiedAt", modifiedAt)
        try container.set(supplement.words)
    }

    func belonging(to regionID: UUID) -> Waypoint { self }

    func filled(from other: Waypoint) -> Waypoint {
        var copy = self
        if label.isEmpty { copy.label = other.label }
        if note.isEmpty { copy.note = other.note }
        copy.hasPhoto = hasPhoto || other.hasPhoto
        copy.hikeID = hikeID ?? other.hikeID
        copy.supplement = supplement.filled(from: other.supplement, hasSameLine: true)
        return copy
    }
}

// The texts of a GPX file are stored as the JSON that is sent.
extension Row {
    func gpxWords() throws -> GPXWords? {
        guard let text: String = self["gpx"] else { return nil }
        return try JSONDecoder().decode(GPXWords.self, from: Data(text.utf8))
    }
}

extension PersistenceContainer {
    mutating func set(_ words: GPXWords?) throws {
        self["gpx"] = try words.map { String(decoding: try SharedJSON.encoder().encode($0), as: UTF8.self) }
    }
}

extension ItemSupplement {
    /// Checks that the tables can be read, without keeping them.
    ///
    /// - Throws: `RegionStoreError` if one cannot be read.
    func checkTables() throws(RegionStoreError) {
        for table in [track, sensors] {
            guard let table else { continue }
            _ = try TrackColumns(decoding: table)
        }
    }
}

/// The rows of the items of a region, by which any change of them is noticed.
enum ItemRows {
    /// Returns a digest of all values of all rows.
    static func digest(of regionID: UUID, _ database: Database) throws -> SHA256.Digest {
        var hasher = SHA256()
        for table in [SavedRoute.tableName, PlannedRoute.tableName, Waypoint.tableName] {
            let sql = "SELECT * FROM \(table) WHERE regionID = ? ORDER BY id"
            let rows = try Row.fetchCursor(database, sql: sql, arguments: [regionID.uuidString])
            while let row = try rows.next() {
                for (column, value) in row {
                    hasher.update(data: Data(column.utf8))
                    add(value.storage, to: &hasher)
                }
            }
        }
        return hasher.finalize()
    }

    private static func add(_ value: DatabaseValue.Storage, to hasher: inout SHA256) {
        func add(_ type: UInt8, _ bytes: Data) {
            // With its length, so that no two rows have the same bytes.
            let head = [type] + withUnsafeBytes(of: bytes.count.littleEndian) { Array($0) }
            hasher.update(data: head)
            hasher.update(data: bytes)
        }
        switch value {
        case .null: add(0, Data())
        case .int64(let number): add(1, withUnsafeBytes(of: number.littleEndian) { Data($0) })
        case .double(let number): add(2, withUnsafeBytes(of: number.bitPattern.littleEndian) { Data($0) })
        case .string(let text): add(3, Data(text.utf8))
        case .blob(let bytes): add(4, bytes)
        }
    }
}
