internal import FoundationEssentials
internal import RegionStore

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
    }

    /// A hike or planned route.
    struct Line: Codable {
        var name: String
        var facts: String
        var color: String
        var isDashed: Bool
        /// The points of each segment.
        var segments: [[PictureFrame.Point]]
    }

    /// A waypoint.
    struct Marker: Codable {
        /// The number beside the marker and in the legend.
        var number: Int
        var name: String
        var facts: String
        var color: String
        var point: PictureFrame.Point
    }

    /// The maximum length of the attribution, in Unicode scalars.
    private static let attributionLength = 300

    let head: Head
    /// Where things are in the picture.
    let frame: PictureFrame
    var lines: [Line] = []
    var markers: [Marker] = []

    /// Begins with a head; nil if its edges are not those of an area.
    init?(head: Head) {
        guard head.edges.count == 4,
            let area = BoundingBox(
                north: head.edges[0],
                south: head.edges[1],
                east: head.edges[2],
                west: head.edges[3]
            )
        else { return nil }
        self.head = head
        frame = PictureFrame(area, zoomLevel: head.zoomLevel)
    }

    /// Reads the items of a region.
    ///
    /// - Parameters:
    ///   - items: The region with its items.
    ///   - tiles: The tiles of the picture.
    ///   - known: Keeps the simplified lines; nil if they are needed once.
    /// - Throws: `RegionStoreError` if they cannot be read.
    init(_ items: any RegionItems, _ tiles: PictureTiles, _ known: KnownLines? = nil) throws {
        let region = items.region
        frame = PictureFrame(of: tiles, of: region)
        let counts = [
            (region.hikeCount, "recorded hike"), (region.plannedRouteCount, "planned route"),
            (region.waypointCount, "waypoint"),
        ]
        head = Head(
            title: MapLimits.shownName(region.name),
            facts: counts.filter { $0.0 > 0 }.map { PageWords.count($0.0, $0.1) }.joined(separator: ", "),
            attribution: region.attribution.map { MapLimits.shorten($0, to: Self.attributionLength) },
            edges: [frame.area.north, frame.area.south, frame.area.east, frame.area.west],
            zoomLevel: frame.zoomLevel
        )
        let picture = try PictureItems(items, in: frame, known)
        lines = picture.lines.map {
            Line(name: $0.name, facts: $0.facts, color: $0.color, isDashed: $0.isDashed, segments: $0.segments)
        }
        markers = picture.markers.map {
            Marker(number: $0.number, name: $0.name, facts: $0.facts, color: $0.color, point: $0.point)
        }
    }
}

/// A part of the description of a sheet.
///
/// The head comes first, and the tiles last.
enum SheetPart: Codable {
    case head(SheetContent.Head)
    case line(SheetContent.Line)
    case marker(SheetContent.Marker)
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
