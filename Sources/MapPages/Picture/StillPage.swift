internal import FoundationEssentials
internal import RegionStore
internal import Sentences

/// What an HTML file shows where scripts do not run: a picture of the map with its lines and markers, and the items as lists.
///
/// iPhones show files so. The picture is one SVG element: its presentation attributes are no styles, so the content security
/// policy of the file holds as it is.
struct StillPage {
    private let region: RegionSummary
    private let frame: PictureFrame
    private let items: PictureItems
    /// The marks in the picture, and the waypoints as the list has them.
    private let marked: MarkedMap
    private let hasPicture: Bool
    /// Whether the picture has the highest zoom level of the file.
    private let isSharpest: Bool
    /// A sentence about missing map data; nil if the map is complete.
    private let lack: Sentence?
    private let language: Language
    private let output: ([UInt8]) throws -> Void
    /// The length that marks and letters are measured by: what a picture has if it is as wide as a phone.
    private var unit: Double { Self.unit(of: frame) }

    /// Prepares the page of a file with tiles up to a zoom level; nil if it has none.
    init(
        _ items: any RegionItems,
        _ tiles: PictureTiles?,
        highestZoom: Int?,
        lack: Sentence? = nil,
        _ known: KnownLines? = nil,
        in language: Language = .english,
        to output: @escaping ([UInt8]) throws -> Void
    ) throws {
        region = items.region
        frame = PictureFrame(of: tiles, of: items.region)
        self.items = try PictureItems(items, in: frame, known, in: language)
        let unit = Self.unit(of: frame)
        let style = MarkedMap.Style(letters: 3.6 * unit, nameLetters: 5 * unit, width: LabelLayout.width)
        marked = MarkedMap(self.items, in: frame, style, besides: [Self.scaleBox(in: frame)])
        hasPicture = tiles != nil
        isSharpest = tiles?.zoomLevel == highestZoom
        (self.lack, self.language) = (lack, language)
        self.output = output
    }

    /// Writes everything before the tiles.
    func writeStart() throws {
        let name = MapLimits.shownName(region.name).escapedInHTML
        try add(#"<div class="still"\#(attributes)><h1>\#(name)</h1>"#)
        try add("<p>\(Sentence.items(of: region).map(html) ?? "")</p>")
        guard hasPicture else { return try add("<p>\(html(Self.withoutPicture))</p>") }
        let sentences = [isSharpest ? Self.sharpestPicture : Self.picture, lack].compactMap { $0 }
        try add("<p>\(sentences.map(html).joined(separator: " "))</p>\n")
        if let many = marked.marks.first(where: { $0.numbers.count > 1 }) {
            let numbers = many.text
            let sentence = Sentence(
                "A dark mark such as \(numbers) stands for the waypoints with these numbers in the list below."
            )
            try add("<p>\(html(sentence))</p>\n")
        }
        let (width, height) = (number(frame.width), number(frame.height))
        let title = html(Sentence("Map"))
        try add(#"<svg class="still-map" viewBox="0 0 \#(width) \#(height)" role="img" aria-label="\#(title)">"#)
    }

    /// Writes a tile of the picture.
    func write(_ tile: MapTile) throws {
        let corner = frame.corner(of: tile.address)
        guard frame.shows(corner), let type = tile.format?.imageType else { return }
        // A little larger than its place, or a light line stays between tiles.
        try add(
            #"<image x="\#(number(corner.x))" y="\#(number(corner.y))" width="256.5" height="256.5" "#
                + #"preserveAspectRatio="none" href="data:\#(type);base64,"#
        )
        try output(Array(Data(tile.data).base64EncodedData()))
        try add("\"/>\n")
    }

    /// Writes everything behind the tiles.
    func writeEnd() throws {
        if hasPicture {
            for line in items.lines { try draw(line) }
            try drawScale()
            for mark in marked.marks { try draw(mark) }
            for name in marked.names { try draw(name) }
            try add("</svg>\n")
        }
        if let attribution = region.attribution {
            try add("<p>\(MapLimits.shorten(attribution, to: MapLimits.text).escapedInHTML)</p>")
        }
        if !items.lines.isEmpty {
            try add("<h2>\(html(Sentence("Hikes and routes")))</h2><ul>\n")
            for line in items.lines { try list(line) }
            try add("</ul>")
        }
        try listWaypoints()
        try add("</div>")
    }

    private func draw(_ line: PictureItems.Line) throws {
        let path = line.segments.map { points in
            "M" + points.map { "\(number($0.x)) \(number($0.y))" }.joined(separator: " ")
        }.joined()
        let common =
            #"fill="none" stroke-linejoin="round" stroke-linecap="round" vector-effect="non-scaling-stroke" d="\#(path)"/>"#
        let dashes = line.isDashed ? #" stroke-dasharray="8 5""# : ""
        try add(#"<path stroke="white" stroke-width="5" stroke-opacity="0.75" \#(common)"#)
        try add(#"<path stroke="\#(line.color)" stroke-width="2.5"\#(dashes) \#(common)"# + "\n")
    }

    private func draw(_ mark: MarkedMap.Mark) throws {
        let (box, letters) = (mark.box, 3.6 * unit)
        try add(
            #"<rect x="\#(number(box.left))" y="\#(number(box.top))" width="\#(number(box.width))" "#
                + #"height="\#(number(box.height))" rx="\#(number(box.height / 2))" fill="\#(mark.color)" stroke="white" "#
                + #"stroke-width="\#(number(0.6 * unit))"/>"#
                + #"<text x="\#(number(mark.middle.x))" y="\#(number(mark.middle.y + letters / 3))" "#
                + #"font-size="\#(number(letters))" text-anchor="middle" font-family="sans-serif" fill="white">"#
                + "\(mark.text)</text>\n"
        )
    }

    private func draw(_ name: MarkedMap.Name) throws {
        let letters = 5 * unit
        try add(
            #"<text x="\#(number(name.left))" y="\#(number(name.middle + letters / 3))" font-size="\#(number(letters))" "#
                + #"font-family="sans-serif" fill="black" stroke="white" stroke-width="\#(number(unit))" "#
                + #"paint-order="stroke">\#(name.text.escapedInHTML)</text>"# + "\n"
        )
    }

    private static func unit(of frame: PictureFrame) -> Double { max(1, frame.width / 390) }

    /// Where the scale is.
    private static func scaleBox(in frame: PictureFrame) -> PictureFrame.Box {
        let height = 24 * unit(of: frame)
        return PictureFrame.Box(left: 0, top: frame.height - height, width: frame.width / 3 + height, height: height)
    }

    private func drawScale() throws {
        let metres = frame.scale(atMost: frame.width / 3)
        let (length, edge) = (metres / frame.metresPerPoint, 8 * unit)
        let bottom = frame.height - edge
        let path =
            "M\(number(edge)) \(number(bottom - 4 * unit))v\(number(4 * unit))h\(number(length))v\(number(-4 * unit))"
        for (color, width) in [("white", 3.5), ("black", 1.5)] {
            try add(#"<path fill="none" stroke="\#(color)" stroke-width="\#(number(width * unit))" d="\#(path)"/>"#)
        }
        try add(
            #"<text x="\#(number(edge + 3 * unit))" y="\#(number(bottom - 3 * unit))" font-size="\#(number(9 * unit))" "#
                + #"font-family="sans-serif" fill="black" stroke="white" stroke-width="\#(number(2 * unit))" "#
                + #"paint-order="stroke">\#(html(.scale(metres)))</text>"#
        )
    }

    /// Lists the waypoints: those in the picture by their numbers, and then the others.
    private func listWaypoints() throws {
        let (shown, others) = (marked.markers.prefix(marked.shownCount), marked.markers.dropFirst(marked.shownCount))
        let (title, otherTitle) = (Sentence("Waypoints"), Sentence("Waypoints outside this picture"))
        let parts = hasPicture ? [(shown, title), (others, otherTitle)] : [(marked.markers[...], title)]
        for (markers, title) in parts where !markers.isEmpty {
            try add("<h2>\(html(title))</h2><ol>\n")
            for marker in markers { try list(marker) }
            try add("</ol>")
        }
        for sentence in items.leftOut { try add("<p>\(sentence.escapedInHTML)</p>") }
    }

    private func list(_ line: PictureItems.Line) throws {
        try add(
            #"<li><svg viewBox="0 0 30 4" width="30" height="4" aria-hidden="true" class="still-key"><path d="M0 2h30" "#
                + #"stroke="\#(line.color)" stroke-width="4"\#(line.isDashed ? #" stroke-dasharray="8 5""# : "")/></svg>"#
                + "\(line.name.escapedInHTML)<p>\(line.facts.escapedInHTML)</p>"
        )
        if let comment = line.comment { try add("<p>\(comment.escapedInHTML)</p>") }
        try drawProfile(of: line)
        try add("</li>\n")
    }

    private func drawProfile(of line: PictureItems.Line) throws {
        guard let last = line.profile.last, last.distance > 0,
            let lowest = line.profile.map(\.elevation).min(), let highest = line.profile.map(\.elevation).max()
        else { return }
        let range = max(20, highest - lowest)
        let (low, high) = (Sentence.height(lowest), Sentence.height(highest))
        let path = line.profile.map { sample in
            "\(number(sample.distance / last.distance * 300)) \(number(46 - (sample.elevation - lowest) / range * 42))"
        }.joined(separator: " ")
        try add(
            #"<svg class="still-profile" viewBox="0 0 300 50" preserveAspectRatio="none" role="img" "#
                + #"aria-label="\#(html(Sentence("Elevation profile")))"><path fill="\#(line.color)" fill-opacity="0.3" "#
                + #"d="M0 50 \#(path) 300 50Z"/></svg>"#
                + "<p>\(html(Sentence("\(low) to \(high)")))</p>"
        )
    }

    private func list(_ marker: PictureItems.Marker) throws {
        try add(
            #"<li><svg viewBox="0 0 12 12" aria-hidden="true" class="still-dot"><circle cx="6" cy="6" r="6" "#
                + #"fill="\#(marker.color)"/></svg>\#(marker.number). \#(marker.name.escapedInHTML)"#
                + "<p>\(marker.facts.escapedInHTML) · \(marker.place)</p>"
        )
        if let note = marker.note { try add("<p>\(note.escapedInHTML)</p>") }
        try add("</li>\n")
    }

    private func html(_ sentence: Sentence) -> String { language(sentence).escapedInHTML }

    /// The attributes of what is in another language than the rest of the file, as it is without scripts.
    private var attributes: String { language == .english ? "" : " " + LanguageChoice.attributes(of: language) }

    private static let withoutPicture = Sentence(
        """
        Scripts draw the map, and this program does not run them. Open this file in Chrome, Firefox or Safari. \
        On iPhones and iPads, the app Files shows pages without scripts: use the map (.mbtiles) and the GPX \
        file in an app for maps instead, such as Guru Maps or OsmAnd.
        """
    )
    private static let sharpestPicture = Sentence(
        """
        This is a picture: spread two fingers to enlarge it. Where scripts run, as in browsers on laptops and Android \
        phones, the same file is a map that moves. iPhones show files without scripts.
        """
    )
    private static let picture = Sentence(
        """
        This is a picture: spread two fingers to enlarge it. Where scripts run, as in browsers on laptops and Android \
        phones, the same file is a map that moves and has higher zoom levels. iPhones show files without scripts.
        """
    )

    /// A coordinate with a tenth of a point.
    private func number(_ value: Double) -> String { PageWords.decimal(value, places: 1) }

    private func add(_ text: String) throws { try output(Array(text.utf8)) }
}
