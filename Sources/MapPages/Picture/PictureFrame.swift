internal import Glibc
internal import RegionStore

/// Where things are in a picture, in points: a tile has 256 points on each side.
struct PictureFrame: Hashable, Sendable {
    /// A position in the picture; x grows to the east, y to the south.
    struct Point: Hashable, Sendable {
        var x: Double
        var y: Double
    }

    /// A rectangle in the picture, or on a sheet.
    struct Box: Hashable {
        var left: Double
        var top: Double
        var width: Double
        var height: Double

        func covers(_ other: Box) -> Bool {
            left < other.left + other.width && other.left < left + width && top < other.top + other.height
                && other.top < top + height
        }
    }

    static let tileLength = 256.0
    let width: Double
    let height: Double
    /// The metres that a point has in the middle of the picture.
    let metresPerPoint: Double
    /// The area that the picture shows.
    let area: BoundingBox
    private let grid: TileGrid
    private let left: Double
    private let top: Double
    /// The latitude beyond which there are no tiles.
    private static let lastLatitude = 85.05

    /// Creates the frame of an area at a zoom level.
    init(_ area: BoundingBox, zoomLevel: Int) {
        grid = TileGrid(zoomLevel: zoomLevel)
        self.area = area
        let world = Double(grid.length) * Self.tileLength
        left = (area.west + 180) / 360 * world
        top = Self.down(area.north) * world
        // A picture of nothing has a size, too.
        width = max(1, area.width / 360 * world)
        height = max(1, Self.down(area.south) * world - top)
        let middle = (area.north + area.south) / 2 * .pi / 180
        metresPerPoint = 40_075_016.7 * max(0.01, cos(middle)) / world
    }

    /// Creates the frame of a picture of a region: its area, or that of the strip in the picture.
    init(of tiles: PictureTiles?, of region: RegionSummary) {
        let area = region.boundingBox
        let strip = area.crosses180 ? nil : tiles?.strip.flatMap { BoundingBox(around: $0.lines) }
        self.init(strip ?? area, zoomLevel: tiles?.zoomLevel ?? region.zoomLevels.upperBound)
    }

    var zoomLevel: Int { grid.zoomLevel }

    /// The share of the world that is north of a latitude.
    private static func down(_ latitude: Double) -> Double {
        let angle = min(lastLatitude, max(-lastLatitude, latitude)) * .pi / 180
        return (1 - asinh(tan(angle)) / .pi) / 2
    }

    /// Returns where a place is, possibly outside the picture.
    func point(latitude: Double, longitude: Double) -> Point {
        let world = Double(grid.length) * Self.tileLength
        return Point(x: area.eastward(longitude) / 360 * world, y: Self.down(latitude) * world - top)
    }

    /// Returns where the north-western corner of a tile is.
    func corner(of tile: TileAddress) -> Point {
        let world = Double(grid.length) * Self.tileLength
        var x = Double(tile.column) * Self.tileLength - left
        // Across 180°, columns begin anew.
        if x + Self.tileLength <= 0 && x + world < width { x += world }
        return Point(x: x, y: Double(tile.row) * Self.tileLength - top)
    }

    /// Returns whether a tile at a position has a part of the picture.
    func shows(_ corner: Point) -> Bool {
        corner.x < width && corner.y < height && corner.x + Self.tileLength > 0 && corner.y + Self.tileLength > 0
    }

    /// Returns a round length for a scale that is at most a number of points long, in metres.
    func scale(atMost points: Double) -> Double {
        let metres = max(1, points * metresPerPoint)
        let power = pow(10, floor(log10(metres)))
        return [5, 2, 1].lazy.map { $0 * power }.first { $0 <= metres } ?? power
    }
}

extension BoundingBox {
    /// The area of lines, with a part of its size around it; nil if there are no points.
    init?(around lines: [[Coordinate]]) {
        let all = lines.joined()
        guard let first = all.first else { return nil }
        var (south, north) = (first.latitude, first.latitude)
        var (west, east) = (first.longitude, first.longitude)
        for place in all {
            (south, north) = (min(south, place.latitude), max(north, place.latitude))
            (west, east) = (min(west, place.longitude), max(east, place.longitude))
        }
        let (tall, wide) = (0.1 * (north - south) + 0.01, 0.1 * (east - west) + 0.01)
        self.init(
            north: min(90, north + tall),
            south: max(-90, south - tall),
            east: min(180, east + wide),
            west: max(-180, west - wide)
        )
    }
}
