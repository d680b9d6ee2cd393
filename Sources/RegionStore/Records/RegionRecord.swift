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
    /// The bytes of the map's coverage; nil if it was not computed yet, empty if the map cannot be read.
    var coverage: [UInt8]?
    var zoomLevels: ClosedRange<Int>
    /// The time at which the map was first imported on any machine.
    var createdAt: Date

    /// The time at which the map came into this store.
    var addedAt: Date

    /// How old the map is, as it states.
    var edition: MapEdition

    /// Whether the map was read for its edition; not if an older version has stored the region, and the map cannot be read.
    private var isEditionKnown = true

    /// What the map is a part of; nil for a whole map.
    var cut: CutDescription?

    /// The file of another program that is the map; nil if the map has tiles.
    var foreign: ForeignMap?

    /// Who has imported the map and signed it, in JSON; nil if it is not known.
    ///
    /// A record that is made for another map has none. It is read when it is needed, because a store may have many regions.
    private(set) var signatureText: String?

    /// The number of tiles that the map was planned to have; some may be missing.
    var announcedTileCount: Int

    /// The number of tiles of the map.
    var tileCount: Int
    var format: TileFormat?
    var attribution: String?

    init(id: UUID, name: String, map: MapDescription, createdAt: Date, addedAt: Date = Date()) {
        self.id = id
        self.name = name
        self.boundingBox = map.boundingBox
        self.coverage = map.coverage.bytes
        self.zoomLevels = map.zoomLevels
        self.createdAt = createdAt
        self.addedAt = addedAt
        self.edition = map.edition
        self.announcedTileCount = map.tileCount
        self.tileCount = map.tileCount
        self.format = map.format
        self.attribution = map.metadata["attribution"]
    }

    /// Describes a region whose map is the file of another program.
    init(id: UUID, name: String, foreign: ForeignMap, header: ForeignHeader, createdAt: Date, addedAt: Date = Date()) {
        self.id = id
        self.name = name
        self.boundingBox = header.area ?? .earth
        self.coverage = []
        self.zoomLevels = 0...0
        self.createdAt = createdAt
        self.addedAt = addedAt
        self.edition = MapEdition(date: header.date)
        self.foreign = foreign
        self.foreign?.hasArea = header.area != nil
        self.announcedTileCount = 0
        self.tileCount = 0
        self.attribution = header.attribution
    }

    init(row: Row) throws {
        let box = BoundingBox(north: row["north"], south: row["south"], east: row["east"], west: row["west"])
        let minimumZoom: Int = row["minimumZoom"]
        let maximumZoom: Int = row["maximumZoom"]
        guard let box, minimumZoom <= maximumZoom else { throw ImpossibleValue(column: "north") }
        id = try row.id("id")
        name = row["name"]
        boundingBox = box
        coverage = (row["coverage"] as Data?).map(Array.init)
        zoomLevels = minimumZoom...maximumZoom
        createdAt = row.date("createdAt")
        addedAt = row.date("addedAt")
        edition = MapEdition(
            date: row.dateIfPresent("mapDate"),
            newestDate: row.dateIfPresent("newestMapDate"),
            version: row["mapVersion"]
        )
        isEditionKnown = (row["mapVersion"] as String?) != nil
        cut = (row["cut"] as String?).flatMap { try? JSONDecoder().decode(CutDescription.self, from: Data($0.utf8)) }
        foreign = try (row["sealed"] as String?).map { try JSONDecoder().decode(ForeignMap.self, from: Data($0.utf8)) }
        signatureText = row["signature"]
        announcedTileCount = row["announcedTileCount"]
        tileCount = row["tileCount"]
        format = (row["format"] as String?).flatMap(TileFormat.init(rawValue:))
        attribution = row["attribution"]
    }

    /// JSON, the same text for the same value on every machine; nil for nil.
    private static func text(_ value: (some Encodable)?) -> String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return value.flatMap { try? encoder.encode($0) }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Who has imported the map and signed it; nil if it is not known.
    var signature: MapSignature? {
        get { signatureText.flatMap(Self.signature) }
        set { signatureText = Self.text(newValue) }
    }

    /// Reads a signature from JSON; nil if the text is none.
    static func signature(_ text: String) -> MapSignature? {
        try? JSONDecoder().decode(MapSignature.self, from: Data(text.utf8))
    }

    /// Signs the map of a region, unless it is signed.
    static func sign(_ id: UUID, _ signature: MapSignature?, _ database: Database) throws {
        guard let signature, var record = try fetchOne(id, database), record.signature == nil else { return }
        record.signature = signature
        try record.update(database)
    }

    /// Takes over the area of a record of the same region, unless tiles have come beyond those that its map had.
    ///
    /// The area can be smaller than that of the tiles.
    mutating func keepArea(of former: RegionRecord) {
        let (now, before) = (place.coverage?.area, former.place.coverage?.area)
        if now != nil, now == before { boundingBox = former.boundingBox }
    }

    /// Where the map is.
    var place: MapPlace { MapPlace(area: boundingBox, coverage: coverage.flatMap(Coverage.init(bytes:))) }

    func encode(to container: inout PersistenceContainer) {
        container.set("id", id)
        container["name"] = name
        container["north"] = boundingBox.north
        container["south"] = boundingBox.south
        container["east"] = boundingBox.east
        container["west"] = boundingBox.west
        container["coverage"] = coverage.map { Data($0) }
        container["minimumZoom"] = zoomLevels.lowerBound
        container["maximumZoom"] = zoomLevels.upperBound
        container.set("createdAt", createdAt)
        container.set("addedAt", addedAt)
        container.set("mapDate", edition.date)
        container.set("newestMapDate", edition.newestDate)
        container["mapVersion"] = isEditionKnown ? edition.version ?? "" : nil
        container["cut"] = Self.text(cut)
        container["sealed"] = Self.text(foreign)
        container["signature"] = signatureText
        container["announcedTileCount"] = announcedTileCount
        container["tileCount"] = tileCount
        container["format"] = format?.rawValue
        container["attribution"] = attribution
    }

    static func fetchOne(_ id: UUID, _ database: Database) throws -> RegionRecord? {
        try fetchOne(database, key: id.uuidString)
    }
}
