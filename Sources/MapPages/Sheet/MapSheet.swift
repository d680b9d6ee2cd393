internal import Glibc
package import PeerStorage
package import RegionStore

/// A region as one sheet of paper: the map with its hikes, routes and waypoints, a scale, and a legend beside it.
package struct MapSheet {
    /// Where the parts of a sheet are, in points.
    private struct Layout {
        /// The width and height of the paper.
        var paper: (width: Double, height: Double)
        var map: (left: Double, top: Double, width: Double, height: Double)
        var legend: (left: Double, top: Double, width: Double, height: Double)
        /// The points of the map for each point of the picture.
        var scale: Double
    }

    /// A4, in points.
    private static let paper = (short: 595.28, long: 841.89)
    private static let margin = 28.0
    private static let titleHeight = 44.0
    private static let footHeight = 14.0
    /// The pixels of a picture that is printed on A4; a larger one is printed on A3.
    private static let pixelsOfA4 = 3000.0
    private static let columnWidth = 170.0
    private static let rowHeight = 21.0
    private static let denseRowHeight = 10.5

    /// Whether this machine has what makes sheets.
    package static var isPossible: Bool { SheetCanvas.isPossible }

    private let content: SheetContent
    private let frame: PictureFrame
    private let forEachTile: (_ body: (MapTile) throws -> Void) throws -> Void

    /// Creates a sheet.
    ///
    /// - Parameters:
    ///   - content: What is on it, but the tiles.
    ///   - forEachTile: Reads the tiles one by one.
    init(_ content: SheetContent, forEachTile: @escaping (_ body: (MapTile) throws -> Void) throws -> Void) {
        self.content = content
        frame = content.frame
        self.forEachTile = forEachTile
    }

    /// Reads what is on the sheet, but not the tiles.
    ///
    /// - Throws: ``RegionStoreError`` if the region cannot be read, or with ``RegionStoreError/Code/invalidArgument`` if there is no
    ///   picture of its map.
    package init(of content: any RegionContent) throws {
        let format = try content.withItems { $0.region.format }
        guard Self.draws(format) else {
            throw RegionStoreError(.invalidArgument, "Only maps with PNG or JPEG tiles can be put on a sheet.")
        }
        let file = try MapFile(of: content)
        guard let tiles = file.picture(upToZoom: .max) else {
            throw RegionStoreError(.invalidArgument, "There is no picture of this map that fits on one sheet.")
        }
        self.init(try content.withItems { try SheetContent($0, tiles, file.known) }) { body in
            var (count, size) = (0, UInt64(0))
            try content.openTiles()?.forEachTile(atZoom: tiles.zoomLevel, along: tiles.strip) { tile in
                // They stay in memory. The map may have changed since they were counted, and a text may be longer than it says.
                (count, size) = (count + 1, size + UInt64(tile.data.count))
                guard count <= StillPage.maximumCount, size <= StillPage.maximumSize else {
                    throw RegionStoreError(
                        .invalidFile,
                        "The tiles of the map are larger than when they were counted.",
                        remedy: "Try again."
                    )
                }
                try body(tile)
            }
        }
    }

    /// Returns whether there are sheets of maps with tiles of a format.
    static func draws(_ format: TileFormat?) -> Bool { format == .png || format == .jpg }

    /// Writes what another process needs to draw the sheet: ``init(describedIn:)`` reads it.
    ///
    /// - Throws: ``RegionStoreError`` if the map cannot be read; an error if the file cannot be written.
    package func describe(to file: OpenFile) throws {
        var writer = RecordWriter(to: file)
        try writer.append(SheetPart.head(content.head))
        for line in content.lines { try writer.append(SheetPart.line(line)) }
        for marker in content.markers { try writer.append(SheetPart.marker(marker)) }
        try forEachTile { try writer.append(SheetPart($0)) }
    }

    /// Reads what is on a sheet of which another process has the region.
    ///
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/invalidFile`` if the file is not a description of a sheet.
    package init(describedIn file: OpenFile) throws {
        var parts = RecordReader<SheetPart>(of: file)
        guard case .head(let head) = try parts.next(), var content = SheetContent(head: head) else {
            throw RecordFile.error
        }
        var tiles = parts
        reading: while let part = try parts.next() {
            switch part {
            case .head: throw RecordFile.error
            case .line(let line): content.lines.append(line)
            case .marker(let marker): content.markers.append(marker)
            case .tile: break reading
            }
            tiles = parts
        }
        self.init(content) { [tiles] body in
            var rest = tiles
            while let part = try rest.next() {
                guard let tile = part.tile(atZoom: head.zoomLevel) else { throw RecordFile.error }
                try body(tile)
            }
        }
    }

    private var layout: Layout {
        let isWide = frame.width > frame.height * 1.1
        let factor = max(frame.width, frame.height) > Self.pixelsOfA4 ? 2.0.squareRoot() : 1
        let (short, long) = (Self.paper.short * factor, Self.paper.long * factor)
        let paper = isWide ? (width: long, height: short) : (width: short, height: long)
        let (left, top) = (Self.margin, Self.margin + Self.titleHeight)
        let (width, height) = (
            paper.width - 2 * Self.margin, paper.height - top - Self.margin - Self.footHeight
        )
        let hasLegend = !content.lines.isEmpty || !content.markers.isEmpty
        // Beside the map, or below it.
        let room =
            !hasLegend ? (width, height) : isWide ? (width - Self.columnWidth - 10, height) : (width, height * 0.72)
        let scale = min(room.0 / frame.width, room.1 / frame.height)
        let map = (left: left, top: top, width: frame.width * scale, height: frame.height * scale)
        let legend =
            isWide
            ? (left: left + map.width + 10, top: top, width: width - map.width - 10, height: height)
            : (left: left, top: top + map.height + 10, width: width, height: height - map.height - 10)
        return Layout(paper: paper, map: map, legend: legend, scale: scale)
    }

    /// Writes the sheet as a PDF file.
    ///
    /// - Parameter output: Called with one piece of the file after the other.
    /// - Throws: ``RegionStoreError`` if the map cannot be read, or if this machine has not what makes sheets; the error of `output`.
    package func write(to output: @escaping ([UInt8]) throws -> Void) throws {
        let layout = layout
        let name = content.head.title
        guard
            let canvas = SheetCanvas(
                width: layout.paper.width,
                height: layout.paper.height,
                title: name,
                to: output
            )
        else {
            throw RegionStoreError(
                .invalidArgument,
                "PDF files need the library Pango and a font, which are not installed."
            )
        }
        let width = layout.paper.width - 2 * Self.margin
        canvas.write(name, Self.margin, Self.margin, size: 18, limit: width, isBold: true)
        canvas.write(content.head.facts, Self.margin, Self.margin + 25, size: 8.5, limit: width)
        let map = layout.map
        try canvas.within(left: map.left, top: map.top, width: map.width, height: map.height, scale: layout.scale) {
            try drawMap(on: canvas, unit: 1 / layout.scale)
        }
        drawScale(on: canvas, layout)
        drawLegend(on: canvas, layout)
        if let attribution = content.head.attribution {
            let foot = layout.paper.height - Self.margin - 9
            canvas.write(attribution, Self.margin, foot, size: 7, limit: width)
        }
        guard try canvas.finish() else {
            throw RegionStoreError(.invalidFile, "The map cannot be put on a sheet.")
        }
    }

    /// Draws the map; lengths in points of the paper are multiplied by `unit`.
    private func drawMap(on canvas: SheetCanvas, unit: Double) throws {
        try forEachTile { tile in
            let corner = frame.corner(of: tile.address)
            guard frame.shows(corner), let image = SheetImage(tile, canvas.functions) else { return }
            // A little larger than its place, or a light line stays between tiles.
            canvas.draw(image, x: corner.x, y: corner.y, length: PictureFrame.tileLength + 0.5)
        }
        for line in content.lines {
            canvas.stroke(line.segments, .white, width: 3.2 * unit)
            let dashes = line.isDashed ? [6 * unit, 3.5 * unit] : []
            canvas.stroke(line.segments, .init(line.color), width: 1.7 * unit, dashes: dashes)
        }
        var places = NamePlaces()
        for marker in content.markers {
            let (x, y, letters) = (marker.point.x, marker.point.y, 5.5 * unit)
            canvas.disc(x, y, radius: 3.6 * unit, .init(marker.color))
            canvas.write("\(marker.number)", x, y, size: 4 * unit, .white, isCentered: true)
            let name = MapLimits.shorten(marker.name, to: 24)
            let width = Double(name.count) * letters * 0.55
            let (left, top) = (x + 5 * unit, y - letters * 0.7)
            guard left + width < frame.width, places.take(left: left, top: top, width: width, height: letters * 1.4)
            else { continue }
            canvas.write(name, left, top, size: letters, hasPaper: true)
        }
    }

    private func drawScale(on canvas: SheetCanvas, _ layout: Layout) {
        let (map, edge) = (layout.map, 8.0)
        let metres = frame.scale(atMost: min(200, map.width / 3) / layout.scale)
        let length = metres / frame.metresPerPoint * layout.scale
        let (left, bottom) = (map.left + edge, map.top + map.height - edge)
        let line = [(0, -4), (0, 0), (length, 0), (length, -4)].map {
            PictureFrame.Point(x: left + $0.0, y: bottom + $0.1)
        }
        canvas.stroke([line], .white, width: 3)
        canvas.stroke([line], .ink, width: 1)
        canvas.write(PageWords.scale(metres), left + 4, bottom - 12, size: 8, hasPaper: true)
        let frame = [(0, 0), (map.width, 0), (map.width, map.height), (0, map.height), (0, 0)].map {
            PictureFrame.Point(x: map.left + $0.0, y: map.top + $0.1)
        }
        canvas.stroke([frame], .ink, width: 0.5)
    }

    /// Writes the hikes, routes and waypoints in columns, as far as there is room; if they are many, without their facts.
    private func drawLegend(on canvas: SheetCanvas, _ layout: Layout) {
        let legend = layout.legend
        let columns = max(1, Int(legend.width / Self.columnWidth))
        let (width, count) = (legend.width / Double(columns), content.lines.count + content.markers.count)
        func rows(_ height: Double) -> Int { max(0, Int(legend.height / height)) }
        let isDense = count > columns * rows(Self.rowHeight)
        let height = isDense ? Self.denseRowHeight : Self.rowHeight
        let room = columns * rows(height)
        guard room > 0 else { return }
        let shown = count <= room ? count : room - 1
        for index in 0..<min(count, shown + 1) {
            let left = legend.left + Double(index / rows(height)) * width
            let top = legend.top + Double(index % rows(height)) * height
            guard index < shown else {
                canvas.write("and \(count - shown) more", left + 18, top, size: 7, limit: width - 22)
                break
            }
            let facts =
                index < content.lines.count
                ? drawLine(index, on: canvas, left, top) : drawMarker(index, on: canvas, left, top)
            canvas.write(facts.name, left + 18, top, size: isDense ? 7 : 8, limit: width - 22)
            if !isDense { canvas.write(facts.facts, left + 18, top + 10, size: 6, limit: width - 22) }
        }
    }

    private func drawLine(
        _ index: Int,
        on canvas: SheetCanvas,
        _ left: Double,
        _ top: Double
    ) -> (name: String, facts: String) {
        let line = content.lines[index]
        let sample = [PictureFrame.Point(x: left, y: top + 5), PictureFrame.Point(x: left + 14, y: top + 5)]
        canvas.stroke([sample], .init(line.color), width: 2, dashes: line.isDashed ? [4, 3.5] : [])
        return (line.name, line.facts)
    }

    private func drawMarker(
        _ index: Int,
        on canvas: SheetCanvas,
        _ left: Double,
        _ top: Double
    ) -> (name: String, facts: String) {
        let marker = content.markers[index - content.lines.count]
        canvas.disc(left + 7, top + 5, radius: 4, .init(marker.color))
        canvas.write("\(marker.number)", left + 7, top + 5, size: 4.5, .white, isCentered: true)
        return (marker.name, marker.facts)
    }
}
