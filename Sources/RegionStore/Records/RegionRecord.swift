import FoundationEssentials
import GRDB
import MapFiles
import RegionModel

/// A region's row.
struct RegionRecord: FetchableRecord, PersistableRecord {
    static let databaseTableName = "region"

    var id: UUID
    var name: String
    var boundingBox: BoundingBox
    var zoomLevels: ClosedRange<Int>
    /// The time at which the map was first imported on any machine.
    var createdAt: Date

    /// The time at which the map came into this store.
    var addedAt: Date

    /// The date that the map states; nil if it states none.
    var mapDate: Date?

    /// The number of tiles that the map was planned to have; some may be missing.
    var announcedTileCount: Int

    /// The number of tiles of the map.
    var tileCount: Int
    var format: TileFormat?
    var attribution: String?

    init(id: UUID, name: String, map: MBTilesFile, createdAt: Date, addedAt: Date = Date()) {
        self.id = id
        self.name = name
        self.boundingBox = map.boundingBox
        self.zoomLevels = map.zoomLevels
        self.createdAt = createdAt
        self.addedAt = addedAt
        self.mapDate = map.date
        self.announcedTileCount = map.tileCount
        self.tileCount = map.tileCount
        self.format = map.format
        self.attribution = map.metadata["attribution"]
    }

    init(row: Row) throws {
        let box = BoundingBox(north: row["north"], south: row["south"], east: row["east"], west: row["west"])
        let minimumZoom: Int = row["minimumZoom"]
        let maximumZoom: Int = row["maximumZoom"]
        guard let box, minimumZoom <= maximumZoom else { throw ImpossibleValue(column: "north") }
        id = try row.id("id")
        name = row["name"]
        boundingBox = box
        zoomLevels = minimumZoom...maximumZoom
        createdAt = row.date("createdAt")
        addedAt = row.date("addedAt")
        mapDate = row.dateIfPresent("mapDate")
        announcedTileCount = row["announcedTileCount"]
        tileCount = row["tileCount"]
        format = (row["format"] as String?).flatMap(TileFormat.init(rawValue:))
        attribution = row["attribution"]
    }

    func encode(to container: inout PersistenceContainer) {
        container.set("id", id)
        container["name"] = name
        container["north"] = boundingBox.north
        container["south"] = boundingBox.south
        container["east"] = boundingBox.east
        container["west"] = boundingBox.west
        container["minimumZoom"] = zoomLevels.lowerBound
        container["maximumZoom"] = zoomLevels.upperBound
        container.set("createdAt", createdAt)
        container.set("addedAt", addedAt)
        container.set("mapDate", mapDate)
        container["announcedTileCount"] = announcedTileCount
        container["tileCount"] = tileCount
        container["format"] = format?.rawValue
        container["attribution"] = attribution
    }

    static func fetchOne(_ id: UUID, _ database: Database) throws -> RegionRecord? {
        try fetchOne(database, key: id.uuidString)
    }
}
