internal import FoundationEssentials
internal import RegionStore

/// What an HTML file shows where scripts do not run: a picture of the map with its lines and markers, and the items as lists.
///
/// iPhones show files so. The picture is one SVG element: its presentation attributes are no styles, so the content security
/// policy of the file holds as it is.
struct StillPage {
    /// The maximum size of the tiles of the picture, in bytes; in base64 they have a third more.
    static let maximumSize: UInt64 = 3_500_000
    /// The maximum number of tiles of the picture, which phones keep in memory unpacked.
    static let maximumCount = 200

    /// The number of waypoints beyond which their marks are small, and only those near a hike or route have names.
    static let manyWaypoints = 60

    private let region: RegionSummary
    private let frame: PictureFrame
    private let items: PictureItems
    private let hasPicture: Bool
    /// Whether the picture has the highest zoom level of the file.
    private let isSharpest: Bool
    /// What the file lacks of the map, as a sentence; nil for nothing.
    private let lack: String?
    private let output: ([UInt8]) throws -> Void

    /// The length that marks and letters are measured by: what a picture has if it is as wide as a phone.
    private var unit: Double { max(1, frame.width / 390) }

    private var hasManyMarks: Bool { items.markers.count > Self.manyWaypoints }

    /// The radius of a mark.
    private var radius: Double { (hasManyMarks ? 1.8 : 3.4) * unit }

    /// Prepares the page.
    ///
    /// - Parameters:
    ///   - items: The region with its items.
    ///   - tiles: The tiles of the picture; nil for none.
    ///   - highestZoom: The highest zoom level of the file; nil if it has no tiles.
    ///   - lack: What the file lacks of the map, as a sentence; nil for nothing.
    ///   - known: Keeps the simplified lines; nil if they are needed once.
    ///   - output: Called with one piece of the page after the other.
    /// - Throws: `RegionStoreError` if the items cannot be read.
    init(
        _ items: any RegionItems,
        _ tiles: PictureTiles?,
        highestZoom: Int?,
        lack: String? = nil,
        _ known: KnownLines? = nil,
        to output: @escaping ([UInt8]) throws -> Void
    ) throws {
        region = items.region
        frame = PictureFrame(of: tiles, of: items.region)
        self.items = try PictureItems(items, in: frame, known)
        hasPicture = tiles != nil
        isSharpest = tiles?.zoomLevel == highestZoom
        self.lack = lack
        self.output = output
    }

    /// Writes everything before the tiles.
    func writeStart() throws {
        let counts = [
            (region.hikeCount, "recorded hike"), (region.plannedRouteCount, "planned route"),
            (region.waypointCount, "waypoint"),
        ].filter { $0.0 > 0 }.map { PageWords.count($0.0, $0.1) }
        try add(#"<div class="still"><h1>\#(MapLimits.shownName(region.name).escapedInHTML)</h1>"#)
        try add("<p>\(counts.joined(separator: ", "))</p>")
        guard hasPicture else {
            return try add(
                "<p>Scripts draw the map, and this program does not run them. Open this file in Chrome, Firefox or Safari. "
                    + "On iPhones and iPads, the app Files shows pages without scripts: use the map (.mbtiles) and the GPX "
                    + "file in an app for maps instead, such as Guru Maps or OsmAnd.</p>"
            )
        }
        try add(
            "<p>This is a picture: spread two fingers to enlarge it. Where scripts run, as in browsers on laptops and Android "
                + "phones, the same file is a map that moves\(isSharpest ? "" : " and has higher zoom levels"). iPhones show "
                + "files without scripts.\(lack.map { " " + $0.escapedInHTML } ?? "")</p>\n"
        )
        let (width, height) = (number(frame.width), number(frame.height))
        try add(#"<svg class="still-map" viewBox="0 0 \#(width) \#(height)" role="img" aria-label="Map">"#)
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
            for marker in items.markers { try draw(marker) }
            try drawNames()
            try drawScale()
            try add("</svg>\n")
        }
        if let attribution = region.attribution {
            try add("<p>\(MapLimits.shorten(attribution, to: MapLimits.text).escapedInHTML)</p>")
        }
        if !items.lines.isEmpty {
            try add("<h2>Hikes and routes</h2><ul>\n")
            for line in items.lines { try list(line) }
            try add("</ul>")
        }
        if !items.markers.isEmpty {
            try add("<h2>Waypoints</h2><ol>\n")
            for marker in items.markers { try list(marker) }
            try add("</ol>")
        }
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

    private func draw(_ marker: PictureItems.Marker) throws {
        let (x, y) = (number(marker.point.x), number(marker.point.y))
        let letters = 3.6 * unit
        try add(
            #"<circle cx="\#(x)" cy="\#(y)" r="\#(number(radius))" fill="\#(marker.color)" stroke="white" "#
                + #"stroke-width="\#(number(0.6 * unit))"/>"#
        )
        guard !hasManyMarks else { return }
        try add(
            #"<text x="\#(x)" y="\#(number(marker.point.y + letters / 3))" font-size="\#(number(letters))" "#
                + #"text-anchor="middle" font-family="sans-serif" fill="white">\#(marker.number)</text>"# + "\n"
        )
    }

    /// Draws the names: first of what is where a hike or route ends, then of what is near one.
    private func drawNames() throws {
        var names = NamePlaces(besides: items.markers.map(\.point), radius: radius)
        let (segments, longest) = (items.lines.flatMap(\.segments), frame.width + frame.height)
        let ends = items.lines.compactMap { $0.segments.last?.last }.map { [$0] }
        let (near, goals) = (
            LineCells(of: segments, side: 8 * unit, longest: longest),
            LineCells(of: ends, side: 5 * unit, longest: longest)
        )
        let first = items.markers.filter { goals.isNear($0.point) }
        let others = items.markers.filter { !goals.isNear($0.point) }
        for marker in first { try drawName(of: marker, &names) }
        for marker in others where near.isNear(marker.point) { try drawName(of: marker, &names) }
        guard !hasManyMarks else { return }
        for marker in others where !near.isNear(marker.point) { try drawName(of: marker, &names) }
    }

    private func drawName(of marker: PictureItems.Marker, _ places: inout NamePlaces) throws {
        let name = MapLimits.shorten(marker.name, to: 24)
        let letters = 5 * unit
        let (left, top) = (marker.point.x + 4.5 * unit, marker.point.y - letters / 2)
        let width = Double(name.count) * letters * 0.55
        guard left + width < frame.width, places.take(left: left, top: top, width: width, height: letters) else {
            return
        }
        try add(
            #"<text x="\#(number(left))" y="\#(number(marker.point.y + letters / 3))" font-size="\#(number(letters))" "#
                + #"font-family="sans-serif" fill="black" stroke="white" stroke-width="\#(number(unit))" "#
                + #"paint-order="stroke">\#(name.escapedInHTML)</text>"# + "\n"
        )
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
                + #"paint-order="stroke">\#(PageWords.scale(metres))</text>"#
        )
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
        let path = line.profile.map { sample in
            "\(number(sample.distance / last.distance * 300)) \(number(46 - (sample.elevation - lowest) / range * 42))"
        }.joined(separator: " ")
        try add(
            #"<svg class="still-profile" viewBox="0 0 300 50" preserveAspectRatio="none" role="img" "#
                + #"aria-label="Elevation profile"><path fill="\#(line.color)" fill-opacity="0.3" "#
                + #"d="M0 50 \#(path) 300 50Z"/></svg>"#
                + "<p>\(PageWords.height(lowest)) to \(PageWords.height(highest))</p>"
        )
    }

    private func list(_ marker: PictureItems.Marker) throws {
        try add(
            #"<li><svg viewBox="0 0 12 12" aria-hidden="true" class="still-dot"><circle cx="6" cy="6" r="6" "#
                + #"fill="\#(marker.color)"/></svg>\#(marker.number). \#(marker.name.escapedInHTML)"#
                + "<p>\(marker.facts.escapedInHTML)</p>"
        )
        if let note = marker.note { try add("<p>\(note.escapedInHTML)</p>") }
        try add("</li>\n")
    }

    /// A coordinate with a tenth of a point.
    private func number(_ value: Double) -> String { PageWords.decimal(value, places: 1) }

    private func add(_ text: String) throws { try output(Array(text.utf8)) }
}
