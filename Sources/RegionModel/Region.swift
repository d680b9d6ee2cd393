public import FoundationEssentials

/// The description of a region in an offer: `offer.manifest` contains it.
public struct Region: Hashable, Sendable, Identifiable {
    /// The valid zoom levels.
    package static let possibleZoomLevels = 0...30

    /// The region's id, the same on every machine.
    public var id: UUID

    /// The name.
    public var name: String

    /// The area.
    public var boundingBox: BoundingBox

    /// The zoom levels of the map, including both bounds.
    public var zoomLevels: ClosedRange<Int>

    /// The time at which the map was first imported on any machine.
    public var createdAt: Date

    /// The number of tiles of the map.
    public var tileCount: Int

    /// The size of the map, in bytes.
    public var fileSizeBytes: Int64

    /// Whether the region has a routing database.
    public var hasRoutingData: Bool

    /// How old the map is, as its metadata say.
    package var edition: MapEdition

    /// The date of the map, from its metadata; nil if the metadata have none.
    public var mapDate: Date? {
        get { edition.date }
        set { edition.date = newValue }
    }

    /// What the map is a part of; nil for a whole map.
    package var cut: CutDescription?

    /// The file of another program that is the map; nil if the map has tiles.
    package var foreign: ForeignMap?

    /// Who imported and signed the map, as ``Manifest/region()`` has checked; nil if it is not signed.
    package var signature: MapSignature?

    /// The outlines of the offered hikes and planned routes; empty if there are none, or if the sender does not know outlines.
    package var outlines: [Outline]

    /// Where the map has tiles; nil if the sender does not say so.
    package var coverage: Coverage?

    /// What the sender has edited and removed, the latest first; empty if there is nothing, or if the sender does not know edits.
    package var edits: [ItemEdit]

    /// Creates a region; the zoom levels are limited to valid ones.
    package init(
        id: UUID,
        name: String,
        boundingBox: BoundingBox,
        zoomLevels: ClosedRange<Int>,
        createdAt: Date,
        tileCount: Int,
        fileSizeBytes: Int64,
        hasRoutingData: Bool,
        edition: MapEdition = MapEdition(),
        coverage: Coverage? = nil,
        cut: CutDescription? = nil,
        foreign: ForeignMap? = nil,
        signature: MapSignature? = nil,
        outlines: [Outline] = [],
        edits: [ItemEdit] = []
    ) {
        self.id = id
        self.name = name
        self.boundingBox = boundingBox
        self.zoomLevels = zoomLevels.clamped(to: Self.possibleZoomLevels)
        self.createdAt = createdAt
        self.tileCount = tileCount
        self.fileSizeBytes = fileSizeBytes
        self.hasRoutingData = hasRoutingData
        self.edition = edition
        self.coverage = coverage
        self.cut = cut
        self.foreign = foreign
        self.signature = signature
        self.outlines = outlines
        self.edits = edits
    }
}

extension Region {
    /// Where the map is.
    package var place: MapPlace { MapPlace(area: boundingBox, coverage: coverage) }

    /// The zoom levels that have tiles, the lowest first.
    package var zooms: [Int] { foreign == nil ? coverage?.zoomLevels ?? Array(zoomLevels) : [] }

    /// Whether the area is known.
    package var hasArea: Bool { foreign?.hasArea ?? true }
}

extension Region: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name, boundingBox, zoomLevels
        case minimumZoom = "minZoom"
        case maximumZoom = "maxZoom"
        case createdAt, tileCount, fileSizeBytes, hasRoutingData, mapDate, newestMapDate, mapVersion, coverage
        case cut = "part"
        case foreign = "sealed"
        case signature, outlines, edits
    }

    /// Decodes a region.
    ///
    /// The form of OpenHiker for Android is supported: `minZoom` and `maxZoom` instead of `zoomLevels`, no time (1970 is
    /// used) and no size (0 is used). The form of old versions, without `hasRoutingData`, is supported too.
    ///
    /// - Throws: `DecodingError` if a value is missing or not in range.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(UUID.self, forKey: .id)
        name = try container.text(.name, atMost: ModelLimits.maximumNameLength)
        boundingBox = try container.decode(BoundingBox.self, forKey: .boundingBox)
        tileCount = try container.decode(Int.self, forKey: .tileCount)
        hasRoutingData = try container.decodeIfPresent(Bool.self, forKey: .hasRoutingData) ?? false
        edition = MapEdition(
            date: try container.dateIfPresent(.mapDate),
            newestDate: try container.dateIfPresent(.newestMapDate),
            version: try container.textIfPresent(.mapVersion, atMost: MapEdition.maximumVersionLength)
        )
        foreign = try container.decodeIfPresent(ForeignMap.self, forKey: .foreign)
        outlines = try container.outlinesIfPresent(.outlines)
        // Edits that cannot be read only leave a question without them: what is merged is in the lists.
        edits = (try? container.array(.edits, of: ItemEdit.self, atMost: ItemEdit.maximumCount)) ?? []

        let lowest: Int
        let highest: Int
        let zoomKey: CodingKeys
        if !container.contains(.zoomLevels), container.contains(.minimumZoom) {
            zoomKey = .minimumZoom
            lowest = try container.decode(Int.self, forKey: .minimumZoom)
            highest = try container.decode(Int.self, forKey: .maximumZoom)
            createdAt = try container.dateIfPresent(.createdAt) ?? Date(timeIntervalSince1970: 0)
            fileSizeBytes = try container.decodeIfPresent(Int64.self, forKey: .fileSizeBytes) ?? 0
        } else {
            zoomKey = .zoomLevels
            var levels = try container.nestedUnkeyedContainer(forKey: .zoomLevels)
            lowest = try levels.decode(Int.self)
            highest = try levels.decode(Int.self)
            createdAt = try container.date(.createdAt)
            fileSizeBytes = try container.decode(Int64.self, forKey: .fileSizeBytes)
        }
        guard lowest <= highest, Self.possibleZoomLevels.contains(lowest), Self.possibleZoomLevels.contains(highest)
        else { throw container.wrong(zoomKey, "is not a range of zoom levels between 0 and 30") }
        zoomLevels = lowest...highest
        guard (0...ModelLimits.maximumTileCount).contains(tileCount) else {
            throw container.wrong(.tileCount, "is not a count of tiles")
        }
        guard fileSizeBytes >= 0 else { throw container.wrong(.fileSizeBytes, "is not a size") }
        coverage = Self.coverage(in: container, for: boundingBox, zoomLevels)
        // It is for people and for the merge; a false one is as good as none.
        cut = (try? container.decodeIfPresent(CutDescription.self, forKey: .cut)) ?? nil
        signature = (try? container.decodeIfPresent(MapSignature.self, forKey: .signature)) ?? nil
    }

    /// The maximum length of a coverage in base64.
    private static let maximumCoverageLength = (Coverage.maximumLength + 2) / 3 * 4

    /// Reads the coverage; nil if there is none, or if it cannot be read or contradicts the rest.
    ///
    /// The coverage only adds precision, so a region without it is valid.
    private static func coverage(
        in container: KeyedDecodingContainer<CodingKeys>,
        for area: BoundingBox,
        _ zoomLevels: ClosedRange<Int>
    ) -> Coverage? {
        guard let text = try? container.decodeIfPresent(String.self, forKey: .coverage),
            text.utf8.count <= maximumCoverageLength, let data = Data(base64Encoded: text),
            let coverage = Coverage(bytes: Array(data)), coverage.zoomLevels.allSatisfy(zoomLevels.contains),
            !coverage.isApart(from: area)
        else { return nil }
        return coverage
    }

    /// Encodes the region in the form of OpenHiker.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encode(boundingBox, forKey: .boundingBox)
        try container.encode([zoomLevels.lowerBound, zoomLevels.upperBound], forKey: .zoomLevels)
        try container.encode(date: createdAt, forKey: .createdAt)
        try container.encode(tileCount, forKey: .tileCount)
        try container.encode(fileSizeBytes, forKey: .fileSizeBytes)
        try container.encode(hasRoutingData, forKey: .hasRoutingData)
        try container.encodeIfPresent(date: edition.date, forKey: .mapDate)
        try container.encodeIfPresent(date: edition.newestDate, forKey: .newestMapDate)
        try container.encodeIfPresent(edition.version, forKey: .mapVersion)
        try container.encodeIfPresent(coverage.map { Data($0.bytes).base64EncodedString() }, forKey: .coverage)
        try container.encodeIfPresent(cut, forKey: .cut)
        try container.encodeIfPresent(foreign, forKey: .foreign)
        try container.encodeIfPresent(signature, forKey: .signature)
        if !outlines.isEmpty { try container.encode(outlines, forKey: .outlines) }
        if !edits.isEmpty { try container.encode(edits, forKey: .edits) }
    }
}
