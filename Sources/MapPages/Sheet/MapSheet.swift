internal import Glibc
package import PeerStorage
package import RegionStore
package import Sentences

/// A region as a sheet of paper: the map with its hikes, routes and waypoints, a scale, and a legend, which goes on on further pages.
package struct MapSheet {
    /// Where the parts of a sheet are, in points.
    private struct Layout {
        var paper: (width: Double, height: Double)
        var map: PictureFrame.Box
        var legend: PictureFrame.Box
        /// Where the legend is on further pages.
        var further: PictureFrame.Box
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
    /// The height of the letters of the numbers on the map.
    private static let numberHeight = 4.4
    private static let nameHeight = 5.5
    /// Whether this machine has the libraries and a font that sheets need.
    package static var isPossible: Bool { SheetCanvas.isPossible }
    private let content: SheetContent
    private let frame: PictureFrame
    private let language: Language
    private let forEachTile: (_ body: (MapTile) throws -> Void) throws -> Void

    init(_ content: SheetContent, forEachTile: @escaping (_ body: (MapTile) throws -> Void) throws -> Void) {
        self.content = content
        frame = content.frame
        language = Language.named(content.head.language) ?? .english
        self.forEachTile = forEachTile
    }

    /// Reads what is on the sheet, but not the tiles.
    ///
    /// - Parameter language: The language of its words.
    /// - Throws: ``RegionStoreError`` if the region cannot be read, or with ``RegionStoreError/Code/invalidArgument`` if there is
    ///   no picture of its map.
    package init(of content: any RegionContent, in language: Language = .ofProcess) throws {
        let format = try content.withItems { $0.region.format }
        guard Self.draws(format) else {
            throw RegionStoreError(.invalidArgument, "Only maps with PNG or JPEG tiles can be put on a sheet.")
        }
        let file = try OfflinePage(of: content)
        guard let tiles = file.picture(upToZoom: .max) else {
            throw RegionStoreError(.invalidArgument, "There is no picture of this map that fits on one sheet.")
        }
        self.init(try content.withItems { try SheetContent($0, tiles, file.known, in: language) }) { body in
            var (count, size) = (0, UInt64(0))
            try content.openTiles()?.forEachTile(ofZooms: tiles.zoomLevel...tiles.zoomLevel, along: tiles.strip) {
                tile in
                // They stay in memory. The map may have changed since they were counted, and a text may be longer than it says.
                (count, size) = (count + 1, size + UInt64(tile.data.count))
                guard count <= PictureTiles.maximumCount, size <= PictureTiles.maximumSize else {
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
        var writer = ValueFile.Writer(to: file)
        try writer.append(SheetContent.Entry.head(content.head))
        for line in content.items.lines { try writer.append(SheetContent.Entry.line(line)) }
        for marker in content.items.markers { try writer.append(SheetContent.Entry.marker(marker)) }
        try forEachTile { try writer.append(SheetContent.Entry($0)) }
    }

    /// Reads the description that another process, which has the region, has written of a sheet.
    ///
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/invalidFile`` if the file is not a description of a sheet.
    package init(describedIn file: OpenFile) throws {
        var entries = ValueFile.Reader<SheetContent.Entry>(of: file)
        guard case .head(let head) = try entries.next(), var content = SheetContent(head: head) else {
            throw ValueFile.error
        }
        var tiles = entries
        reading: while let entry = try entries.next() {
            switch entry {
            case .head: throw ValueFile.error
            case .line(let line): content.items.lines.append(line)
            case .marker(let marker): content.items.markers.append(marker)
            case .tile: break reading
            }
            tiles = entries
        }
        self.init(content) { [tiles] body in
            var rest = tiles
            while let entry = try rest.next() {
                guard let tile = entry.tile(atZoom: head.zoomLevel) else { throw ValueFile.error }
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
        let (width, height) = (paper.width - 2 * Self.margin, paper.height - top - Self.margin - Self.footHeight)
        let hasLegend = !content.items.lines.isEmpty || !content.items.markers.isEmpty
        // Beside the map, or below it.
        let room =
            !hasLegend
            ? (width, height) : isWide ? (width - SheetLegend.columnWidth - 10, height) : (width, height * 0.72)
        let scale = min(room.0 / frame.width, room.1 / frame.height)
        let map = PictureFrame.Box(left: left, top: top, width: frame.width * scale, height: frame.height * scale)
        var legend = PictureFrame.Box(left: left, top: top, width: width, height: height)
        let further = legend
        if isWide {
            (legend.left, legend.width) = (left + map.width + 10, width - map.width - 10)
        } else {
            (legend.top, legend.height) = (top + map.height + 10, height - map.height - 10)
        }
        return Layout(paper: paper, map: map, legend: legend, further: further, scale: scale)
    }

    /// Writes the sheet as a PDF file.
    ///
    /// - Parameter output: Called with one piece of the file after the other.
    /// - Throws: ``RegionStoreError`` if the map cannot be read, or if this machine cannot make sheets; the error of `output`.
    package func write(to output: @escaping ([UInt8]) throws -> Void) throws {
        let layout = layout
        let name = content.head.title
        guard let canvas = SheetCanvas(layout.paper, title: name, to: output) else {
            throw RegionStoreError(
                .invalidArgument,
                "PDF files need the library Pango and a font, which are not installed."
            )
        }
        let width = layout.paper.width - 2 * Self.margin
        canvas.write(name, Self.margin, Self.margin, size: 18, limit: width, isBold: true)
        canvas.write(content.head.facts, Self.margin, Self.margin + 25, size: 8.5, limit: width)
        let unit = 1 / layout.scale
        // Fonts are as wide as they are drawn only at the same scale.
        let marked = canvas.within(layout.map, scale: layout.scale) {
            let (letters, nameLetters) = (Self.numberHeight * unit, Self.nameHeight * unit)
            let style = MarkedMap.Style(letters: letters, nameLetters: nameLetters) { canvas.width(of: $0, size: $1) }
            return MarkedMap(content.items, in: frame, style, besides: [scaleBox(layout)])
        }
        try canvas.within(layout.map, scale: layout.scale) { try drawMap(on: canvas, unit: unit) }
        drawScale(on: canvas, layout)
        canvas.within(layout.map, scale: layout.scale) { draw(marked, on: canvas, unit: unit) }
        if let attribution = content.head.attribution {
            let foot = layout.paper.height - Self.margin - 9
            canvas.write(attribution, Self.margin, foot, size: 7, limit: width)
        }
        drawLegend(of: marked, on: canvas, layout)
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
        for line in content.items.lines {
            canvas.stroke(line.segments, .white, width: 3.2 * unit)
            let dashes = line.isDashed ? [6 * unit, 3.5 * unit] : []
            canvas.stroke(line.segments, .init(line.color), width: 1.7 * unit, dashes: dashes)
        }
    }

    /// Draws the waypoints and their names.
    private func draw(_ marked: MarkedMap, on canvas: SheetCanvas, unit: Double) {
        for mark in marked.marks {
            canvas.pill(mark.box, edge: 0.9 * unit, .init(mark.color))
            let (middle, letters) = (mark.middle, Self.numberHeight * unit)
            canvas.write(mark.text, middle.x, middle.y, size: letters, .white, isCentered: true)
        }
        let letters = Self.nameHeight * unit
        for name in marked.names {
            canvas.write(name.text, name.left, name.middle - letters * 0.7, size: letters, hasPaper: true)
        }
    }

    /// Where the scale is, in points of the picture.
    private func scaleBox(_ layout: Layout) -> PictureFrame.Box {
        let (width, height) = (min(200, layout.map.width / 3) + 20, 24.0)
        return PictureFrame.Box(
            left: 0,
            top: frame.height - height / layout.scale,
            width: width / layout.scale,
            height: height / layout.scale
        )
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
        canvas.write(language(.scale(metres)), left + 4, bottom - 12, size: 8, hasPaper: true)
        let frame = [(0, 0), (map.width, 0), (map.width, map.height), (0, map.height), (0, 0)].map {
            PictureFrame.Point(x: map.left + $0.0, y: map.top + $0.1)
        }
        canvas.stroke([frame], .ink, width: 0.5)
    }

    /// Writes the hikes, routes and waypoints in columns; if they are many, each in one row, and on further pages.
    private func drawLegend(of marked: MarkedMap, on canvas: SheetCanvas, _ layout: Layout) {
        let entries = legend(of: marked)
        let places = SheetLegend(of: entries.count, in: layout.legend, further: layout.further)
        if let place = places.continuation {
            canvas.write(language(Sentence("More on page 2")), place.left, place.top, size: 7, limit: place.width)
        }
        var page = 0
        for (entry, place) in zip(entries, places.places) {
            if place.page > page {
                page = place.page
                canvas.beginPage()
                let (left, number, count) = (Self.margin, page + 1, places.pageCount)
                let title = language(Sentence("page \(number) of \(count)"))
                canvas.write(content.head.title, left, Self.margin, size: 12, limit: layout.further.width, isBold: true)
                canvas.write(title, left, Self.margin + 18, size: 8.5, limit: layout.further.width)
            }
            let (left, limit) = (place.left + 22, place.width - 26)
            let size = page > 0 ? 6.5 : places.isDense ? 7 : 8
            switch entry {
            case .words(let words): canvas.write(words, place.left, place.top, size: 7, limit: place.width)
            case .line(let line):
                let sample = [place.left, place.left + 16].map { PictureFrame.Point(x: $0, y: place.top + 5) }
                canvas.stroke([sample], .init(line.color), width: 2, dashes: line.isDashed ? [4, 3.5] : [])
                write(line.name, line.facts)
            case .marker(let marker):
                let box = PictureFrame.Box(left: place.left, top: place.top + 1, width: 18, height: 8)
                canvas.pill(box, edge: 0, .init(marker.color))
                canvas.write("\(marker.number)", box.left + 9, box.top + 4, size: 5, .white, isCentered: true)
                write(marker.name, places.isDense ? marker.facts : "\(marker.facts) · \(marker.place)")
            }
            func write(_ name: String, _ facts: String) {
                let text = places.isDense ? "\(name) · \(facts)" : name
                canvas.write(text, left, place.top, size: size, limit: limit)
                if !places.isDense { canvas.write(facts, left, place.top + 10, size: 6, limit: limit) }
            }
        }
    }

    private enum LegendEntry {
        case line(PictureItems.Line)
        case marker(PictureItems.Marker)
        case words(String)
    }

    /// Everything that the legend has: what is on the map, and what is not.
    private func legend(of marked: MarkedMap) -> [LegendEntry] {
        let (shown, others) = (marked.markers.prefix(marked.shownCount), marked.markers.dropFirst(marked.shownCount))
        let heading: [LegendEntry] = others.isEmpty ? [] : [.words(language(Sentence("Not on this map:")))]
        return content.items.lines.map { .line($0) } + shown.map { .marker($0) } + heading
            + others.map { .marker($0) } + content.head.leftOut.map { .words($0) }
    }
}
