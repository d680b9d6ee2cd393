import FoundationEssentials
import GRDB
import PeerProtocol

/// The row of a waypoint's photo.
struct PhotoRecord: FetchableRecord, PersistableRecord {
    static let databaseTableName = "photo"

    var regionID: UUID
    var waypointID: UUID
    var modifiedAt: Date
    var data: Data

    init(regionID: UUID, waypointID: UUID, modifiedAt: Date, data: Data) {
        self.regionID = regionID
        self.waypointID = waypointID
        self.modifiedAt = modifiedAt
        self.data = data
    }

    init(row: Row) throws {
        self.init(
            regionID: try row.id("regionID"),
            waypointID: try row.id("waypointID"),
            modifiedAt: row.date("modifiedAt"),
            data: row["data"]
        )
    }

    func encode(to container: inout PersistenceContainer) {
        container.set("regionID", regionID)
        container.set("waypointID", waypointID)
        container.set("modifiedAt", modifiedAt)
        container["data"] = data
    }

    /// The photos of a region, in the order of their waypoints' ids, one after the other.
    static func all(of regionID: UUID) -> QueryInterfaceRequest<PhotoRecord> {
        filter(Column("regionID") == regionID.uuidString).order(Column("waypointID"))
    }

    /// Returns the descriptions of a region's photos, without reading the photos.
    static func summaries(of regionID: UUID, _ database: Database) throws -> [Photo] {
        let sql = """
            SELECT waypointID, modifiedAt, length(data) AS size, substr(data, 1, \(PhotoFormat.signatureLength)) AS beginning
            FROM photo WHERE regionID = ? ORDER BY waypointID
            """
        return try Row.fetchAll(database, sql: sql, arguments: [regionID.uuidString]).map { row in
            guard let format = PhotoFormat(beginning: row["beginning"] as Data) else {
                throw ImpossibleValue(column: "data")
            }
            return Photo(
                waypointID: try row.id("waypointID"),
                modifiedAt: row.date("modifiedAt"),
                format: format,
                size: row["size"]
            )
        }
    }

    /// The location of a photo in the database.
    struct Place {
        var rowID: Int64
        var waypointID: UUID
        var modifiedAt: Date
        var size: Int

        init(row: Row) throws {
            rowID = row["rowid"]
            waypointID = try row.id("waypointID")
            modifiedAt = row.date("modifiedAt")
            size = row["size"]
        }

        static let columns = "SELECT rowid, waypointID, modifiedAt, length(data) AS size FROM photo WHERE regionID = ?"

        static func fetchOne(of waypointID: UUID, in regionID: UUID, _ database: Database) throws -> Place? {
            let statement = try database.cachedStatement(sql: columns + " AND waypointID = ?")
            return try Row.fetchOne(statement, arguments: [regionID.uuidString, waypointID.uuidString])
                .map(Place.init(row:))
        }
    }

    /// Stores the photo of a waypoint, and replaces an existing one.
    func save(_ database: Database) throws {
        try upsert(database)
        try Self.note(waypointID, in: regionID, database)
    }

    /// Records that a waypoint has a photo.
    static func note(_ waypointID: UUID, in regionID: UUID, _ database: Database) throws {
        let sql = "UPDATE waypoint SET hasPhoto = 1 WHERE regionID = ? AND id = ?"
        try database.execute(sql: sql, arguments: [regionID.uuidString, waypointID.uuidString])
    }
}

/// A merged photo archive, whose partial file is no longer needed.
enum MergedPhotoArchive {
    /// Records that an archive was merged, in the transaction that merges it.
    static func note(_ digest: ContentDigest, _ database: Database) throws {
        let sql = "INSERT OR IGNORE INTO mergedPhotoArchive (digest) VALUES (?)"
        try database.execute(sql: sql, arguments: [Data(digest.bytes)])
    }

    /// Removes the record of an archive, before the archive is received again.
    static func forget(_ digest: ContentDigest, _ store: StoreDatabase) throws {
        guard try store.read(digests).contains(digest) else { return }
        try store.write { database in
            let sql = "DELETE FROM mergedPhotoArchive WHERE digest = ?"
            try database.execute(sql: sql, arguments: [Data(digest.bytes)])
        }
    }

    static func digests(_ database: Database) throws -> Set<ContentDigest> {
        let rows = try Data.fetchAll(database, sql: "SELECT digest FROM mergedPhotoArchive")
        return Set(rows.compactMap { bytes in bytes.withUnsafeBytes { ContentDigest(bytes: $0) } })
    }
}
