internal import FoundationEssentials
internal import RegionStore
internal import Sentences

/// What is on a sheet, but the tiles.
struct SheetContent {
    /// What is said of the whole map, and where the picture is.
    struct Head: Codable {
        var title: String
        var facts: String
        var attribution: String?
        /// The northern, southern, eastern and western edge of the picture, in degrees.
        var edges: [Double]
        var zoomLevel: Int
        /// What is not shown, in sentences.
        var leftOut: [String]
        /// The language of the sheet: its tag.
        var language: String
    }

    /// A value of the description of a sheet: the head comes first, and the tiles last.
    enum Entry: Codable {
        case head(Head)
        case line(PictureItems.Line)
        case marker(PictureItems.Marker)
        case tile(column: Int, row: Int, data: Data)

        init(_ tile: MapTile) {
            self = .tile(column: tile.address.column, row: tile.address.row, data: Data(tile.data))
        }

        /// Returns the tile; nil if it is something else, or if the zoom level does not have it.
        func tile(atZoom zoomLevel: Int) -> MapTile? {
            guard case .tile(let column, let row, let data) = self else { return nil }
            return TileAddress(zoomLevel: zoomLevel, column: column, row: row).map { MapTile($0, data: Array(data)) }
        }
    }

    /// The maximum length of the attribution, in Unicode scalars.
    private static let attributionLength = 300
    let head: Head
    /// Where things are in the picture.
    let frame: PictureFrame
    /// The items, without what only lists show.
    var items = PictureItems()

    /// Begins with a head; nil if its edges are not those of an area.
    init?(head: Head) {
        let edges = head.edges
        guard edges.count == 4,
            let area = BoundingBox(north: edges[0], south: edges[1], east: edges[2], west: edges[3])
        else { return nil }
        self.head = head
        frame = PictureFrame(area, zoomLevel: head.zoomLevel)
    }

    /// Reads the items of a region; `known` keeps the simplified lines, if they are needed more than once.
    init(
        _ all: any RegionItems,
        _ tiles: PictureTiles,
        _ known: KnownLines? = nil,
        in language: Language = .english
    ) throws {
        let region = all.region
        frame = PictureFrame(of: tiles, of: region)
        let limit = MapLimits.waypointsOnPaper
        var items = try PictureItems(all, in: frame, known, waypointLimit: limit, in: language)
        for index in items.lines.indices { (items.lines[index].comment, items.lines[index].profile) = (nil, []) }
        for index in items.markers.indices { items.markers[index].note = nil }
        self.items = items
        head = Head(
            title: MapLimits.shownName(region.name),
            facts: Sentence.items(of: region).map { language($0) } ?? "",
            attribution: region.attribution.map { MapLimits.shorten($0, to: Self.attributionLength) },
            edges: [frame.area.north, frame.area.south, frame.area.east, frame.area.west],
            zoomLevel: frame.zoomLevel,
            leftOut: items.leftOut,
            language: language.tag
        )
    }
}

extension PictureFrame.Point: Codable {
    init(from decoder: any Decoder) throws {
        var values = try decoder.unkeyedContainer()
        self.init(x: try values.decode(Double.self), y: try values.decode(Double.self))
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.unkeyedContainer()
        try values.encode(x)
        try values.encode(y)
    }
}
