import FoundationEssentials
import GRDB
import RegionModel
import TrackFiles

extension Waypoint: RegionItem {
    static var tableName: String { "waypoint" }
    static var orderColumn: String { "time" }

    static var emptyValues: [String: String] { ["gpx": "NULL"] }

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
    func gpxWords() throws -> ItemWords? {
        guard let text: String = self["gpx"] else { return nil }
        return try JSONDecoder().decode(ItemWords.self, from: Data(text.utf8))
    }
}

extension PersistenceContainer {
    mutating func set(_ words: ItemWords?) throws {
        self["gpx"] = try words.map { String(decoding: try SharedJSON.encoder().encode($0), as: UTF8.self) }
    }
}

extension ItemSupplement {
    /// Checks that the tables can be read, without keeping them.
    func checkTables() throws(RegionStoreError) {
        for table in [track, sensors] {
            guard let table else { continue }
            _ = try TrackColumns(decoding: table)
        }
    }
}
