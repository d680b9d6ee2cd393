internal import Crypto
internal import FoundationEssentials
package import RegionStore

/// A region as one HTML file that any browser opens from the disk: page, scripts, items, photos and tiles.
///
/// Where scripts do not run, it shows a picture of the map and lists of its items.
package struct MapFile: Sendable {
    /// The maximum size of a file, in bytes.
    ///
    /// Browsers read the whole file before they show anything, and need a multiple of its size.
    package static let maximumSize: UInt64 = 50_000_000

    /// The size of a file for phones, without photos, in bytes: a phone gets it in a minute, and opens it in some seconds.
    package static let usualSize: UInt64 = 15_000_000

    /// The length of all lines beyond which they get no strip, in metres: to find it would take too long.
    private static let maximumLength = 3_000_000.0

    /// The size of the address and the type of a tile in the file, at most, in bytes.
    private static let tileOverhead: UInt64 = 60
    /// The same of a tile of the picture.
    private static let pictureTileOverhead: UInt64 = 130

    /// The zoom levels that the map has, the lowest first.
    package let zooms: [Int]

    /// Whether the page can draw the tiles.
    package let drawsTiles: Bool

    /// The format of the tiles.
    private let format: TileFormat?

    private let content: any RegionContent
    /// The simplified lines; nil if there is no place for them.
    let known: KnownLines?
    private let amounts: MapAmounts
    /// The strip along the hikes and routes; nil if there are none.
    private let strip: CutRule?
    /// The size of everything but the tiles and photos, in bytes.
    private let baseSize: UInt64
    private let photoSize: UInt64

    /// Reads what the file will contain, but not the tiles and photos.
    ///
    /// - Throws: ``RegionStoreError`` if the region does not exist or cannot be read.
    package init(of content: any RegionContent) throws {
        self.content = content
        let known = (try? content.temporaryFile()).map(KnownLines.init)
        self.known = known
        var dataLength: UInt64 = 0
        var lines: [[Coordinate]] = []
        let region = try content.withItems { items in
            try RegionJSON.write(items, photos: .served, known) { dataLength += UInt64($0.count) }
            lines = try PageItems.lines(of: items, known)
            return items.region
        }
        zooms = region.zooms
        format = region.format
        drawsTiles = MapAssets.draws(region.format)
        let map = drawsTiles ? try content.openTiles() : nil
        let strip = lines.isEmpty || Self.length(of: lines) > Self.maximumLength ? nil : CutRule(along: lines)
        do {
            (self.strip, amounts) = (strip, try map?.amounts(along: strip) ?? MapAmounts())
        } catch let error as RegionStoreError where error.code == .invalidArgument {
            // The lines are too long for a strip.
            (self.strip, amounts) = (nil, try map?.amounts() ?? MapAmounts())
        }
        let assets = (MapAssets.styles + MapAssets.mapScripts(for: region.format)).reduce(0) { $0 + $1.bytes.count }
        // The items are in the data and in the lists beside the picture.
        baseSize = UInt64(assets) + 2 * dataLength + 50_000
        photoSize =
            region.photoSize.multipliedReportingOverflow(by: 4).partialValue / 3 + UInt64(clamping: region.photoCount)
            * 104
    }

    private static func length(of lines: [[Coordinate]]) -> Double {
        lines.reduce(0) { sum, line in
            zip(line, line.dropFirst()).reduce(sum) { $0 + Geodesy.distance($1.0, $1.1) }
        }
    }

    /// Returns the selection of all tiles up to a zoom level.
    package func selection(upToZoom zoom: Int) -> MapSelection { MapSelection(wholeZoom: zoom) }

    /// Returns the selection for a file that is as small as phones like it, or at least not too large.
    ///
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/invalidArgument`` if there is none.
    package func usualSelection() throws -> MapSelection {
        let found = [Self.usualSize, Self.maximumSize].lazy.map { bestSelection(within: $0) }
        guard let selection = found.first(where: { $0.highestZoom != nil }) else {
            throw RegionStoreError(
                .invalidArgument,
                "The map is too large for one file.",
                remedy: "Take its MBTiles file to an app for maps."
            )
        }
        return selection
    }

    /// Returns the selection with the highest zoom level that fits into a size without photos; it has no tiles if none fits.
    ///
    /// If all tiles of the next zoom level are too many, there is room for those along the hikes and routes at a higher one. For
    /// that, all tiles may have one zoom level less than they could.
    package func bestSelection(within size: UInt64) -> MapSelection {
        let wholes = zooms.filter { self.sizeWithoutPhotos(of: MapSelection(wholeZoom: $0)) <= size }.suffix(2)
        let starts = [nil] + wholes.map { Optional($0) }
        let all = starts.suffix(2).map { longest(from: MapSelection(wholeZoom: $0), within: size) }
        func rank(_ selection: MapSelection) -> (Int, Int) { (selection.highestZoom ?? -1, selection.wholeZoom ?? -1) }
        return all.max { rank($0) < rank($1) } ?? MapSelection(wholeZoom: nil)
    }

    /// Adds the strip up to the highest zoom level that fits.
    private func longest(from selection: MapSelection, within size: UInt64) -> MapSelection {
        let levels = amounts.strip.keys.filter { $0 > selection.wholeZoom ?? -1 }.sorted(by: >)
        let longer = levels.lazy.map { zoom in
            var copy = selection
            copy.strip = strip
            copy.strip?.maximumZoom = zoom
            return copy
        }
        return longer.first { self.sizeWithoutPhotos(of: $0) <= size } ?? selection
    }

    /// Returns whether a file has room for the photos beside a selection; else it is written without them.
    package func hasRoomForPhotos(_ selection: MapSelection) -> Bool {
        sizeWithoutPhotos(of: selection) + photoSize <= Self.maximumSize
    }

    /// Returns the approximate size of the file with a selection of the tiles, in bytes.
    package func size(of selection: MapSelection) -> UInt64 {
        sizeWithoutPhotos(of: selection) + (hasRoomForPhotos(selection) ? photoSize : 0)
    }

    /// What a file with a selection lacks of the map, as a sentence; nil if it has all tiles.
    func lack(of selection: MapSelection) -> String? {
        guard drawsTiles, let last = zooms.last, selection.highestZoom != nil, selection.wholeZoom ?? -1 < last else {
            return nil
        }
        let whole = selection.wholeZoom.map { "up to zoom \($0)" }
        let words =
            if let highest = selection.strip?.maximumZoom {
                (highest >= last ? "In full detail" : "Up to zoom \(highest)")
                    + " along the hikes and routes; elsewhere "
                    + (whole ?? "nothing") + "."
            } else {
                "Only \(whole ?? "a part")."
            }
        return words + " For everything, take the map (MBTiles) into an app."
    }

    /// The numbers and sizes of the tiles of a selection.
    private func amounts(of selection: MapSelection) -> [MapAmounts.Amount] {
        let whole = amounts.whole.filter { $0.key <= selection.wholeZoom ?? -1 }
        let highest = selection.strip?.maximumZoom ?? -1
        let strip = amounts.strip.filter { $0.key > selection.wholeZoom ?? -1 && $0.key <= highest }
        return Array(whole.values) + Array(strip.values)
    }

    private func sizeWithoutPhotos(of selection: MapSelection) -> UInt64 {
        let tiles = amounts(of: selection).reduce(UInt64(0)) {
            $0 + Self.encodedSize($1.size) + UInt64($1.count) * Self.tileOverhead
        }
        let picture = picture(for: selection).map {
            Self.encodedSize($0.amount.size) + UInt64($0.amount.count) * Self.pictureTileOverhead
        }
        return baseSize + tiles + (picture ?? 0)
    }

    private func picture(for selection: MapSelection) -> PictureTiles? {
        picture(upToZoom: selection.highestZoom ?? -1)
    }

    /// Chooses the tiles of a picture; nil if there are none, or too many at each zoom level.
    func picture(upToZoom zoom: Int) -> PictureTiles? {
        // Only a script draws vector tiles.
        guard format?.imageType != nil else { return nil }
        return PictureTiles(
            amounts,
            strip: strip,
            upToZoom: zoom,
            size: StillPage.maximumSize,
            count: StillPage.maximumCount
        )
    }

    /// Writes the file.
    ///
    /// - Parameters:
    ///   - selection: The tiles.
    ///   - output: Called with one piece of the file after the other.
    /// - Throws: ``RegionStoreError`` if the region cannot be read; the error of `output`.
    package func write(_ selection: MapSelection, to output: @escaping ([UInt8]) throws -> Void) throws {
        let frame = format == .pbf ? Self.vectorFrame : Self.frame
        // Tiles are read in transactions of their own.
        let map = drawsTiles ? try content.openTiles() : nil
        try output(Array(frame.start.utf8))
        try writeStillPage(selection, map, to: output)
        try output(Array(frame.middle.utf8))
        let own = amounts(of: selection)
        let part = try map?.coverage(of: selection).map { coverage in
            RegionJSON.MapPart(
                coverage: coverage,
                tileCount: own.reduce(0) { $0 + $1.count },
                size: own.reduce(0) { $0 + $1.size },
                lack: lack(of: selection)
            )
        }
        let data = DataBlocks("region", to: output)
        try content.withItems { items in
            let photos: RegionJSON.Photos = hasRoomForPhotos(selection) ? .inside : .leftOut
            try RegionJSON.write(items, photos: photos, part: part, known, to: data.append)
        }
        try data.finish()
        let tiles = DataBlocks("tiles", to: output)
        try writeTiles(of: map, selection, to: tiles)
        try tiles.finish()
        try output(Array(frame.end.utf8))
    }

    private func writeStillPage(
        _ selection: MapSelection,
        _ map: UntrustedDatabase?,
        to output: @escaping ([UInt8]) throws -> Void
    ) throws {
        let tiles = picture(for: selection)
        let page = try content.withItems {
            try StillPage($0, tiles, highestZoom: selection.highestZoom, lack: lack(of: selection), known, to: output)
        }
        try page.writeStart()
        if let tiles { try map?.forEachTile(atZoom: tiles.zoomLevel, along: tiles.strip, page.write) }
        try page.writeEnd()
    }

    private func writeTiles(of map: UntrustedDatabase?, _ selection: MapSelection, to blocks: DataBlocks) throws {
        try blocks.append(Array("{".utf8))
        var separator = ""
        try map?.forEachTile(of: selection) { tile in
            guard let type = tile.format, MapAssets.draws(type), (type == .pbf) == (format == .pbf) else { return }
            let (address, text) = (tile.address, Data(tile.data).base64EncodedString())
            let place = "\(address.zoomLevel)/\(address.column)/\(address.row)"
            try blocks.append(Array(#"\#(separator)"\#(place)":{"type":"\#(type.dataType)","data":"\#(text)"}"#.utf8))
            separator = ","
        }
        try blocks.append(Array("}".utf8))
    }

    private static func encodedSize(_ size: UInt64) -> UInt64 {
        size.multipliedReportingOverflow(by: 4).partialValue / 3 + 4
    }

    /// The page before what it shows without scripts, between that and the data, and behind the data.
    ///
    /// Its scripts and styles are a part of it, and its content security policy has their digests. So nothing else runs, even if
    /// the data of the file are changed.
    static let frame = makeFrame(for: nil)

    /// The page of a map with vector tiles.
    static let vectorFrame = makeFrame(for: .pbf)

    private static func makeFrame(for format: TileFormat?) -> (start: String, middle: String, end: String) {
        let styles = MapAssets.styles.map { String(decoding: $0.bytes, as: UTF8.self) }
        let still = String(decoding: MapAssets.pictureStyle.bytes, as: UTF8.self)
        let scripts = MapAssets.mapScripts(for: format).map { String(decoding: $0.bytes, as: UTF8.self) }
        let drawsVectors = format == .pbf && MapAssets.draws(format)
        let policy =
            [
                "default-src 'none'", "script-src \(scripts.map(digest).joined(separator: " "))",
                "style-src \((styles + [still]).map(digest).joined(separator: " "))", "img-src data:",
                "base-uri 'none'",
                "form-action 'none'",
            ] + (drawsVectors ? ["worker-src blob:"] : [])
        let policyText = policy.joined(separator: "; ")
        let meta = #"<meta http-equiv="Content-Security-Policy" content="\#(policyText)">"#
        let licences =
            [("Leaflet", MapAssets.licence)] + (drawsVectors ? [("MapLibre", MapAssets.mapLibreLicence)] : [])
        let licence = licences.map { "This file contains \($0):\n\(String(decoding: $1.bytes, as: UTF8.self))" }.joined(
            separator: "\n"
        )
        // There is no other page to go to.
        let page = MapAssets.mapPage.filling("NAVIGATION", "").filling(
            "POLICY",
            meta + "\n<!--\n\(licence)-->"
        )
        .filling("STYLES", styles.map { "<style>\($0)</style>" }.joined(separator: "\n"))
        let (start, noscript, rest) = page.divided(at: "<noscript>")
        let (_, close, behind) = rest.divided(at: "</noscript>")
        let (middle, _, last) = behind.divided(at: "<!--DATA-->")
        let tags = scripts.map { "<script>\($0)</script>" }.joined(separator: "\n")
        return ("\(start)\(noscript)<style>\(still)</style>", close + middle, last.filling("SCRIPTS", tags))
    }

    private static func digest(_ text: String) -> String {
        "'sha256-\(Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString())'"
    }
}

extension String {
    /// Returns the text before the first place of a mark, the mark, and the text behind it; the whole text if there is none.
    fileprivate func divided(at mark: String) -> (before: String, mark: String, behind: String) {
        let parts = split(separator: mark, maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return parts.count == 2 ? (parts[0], mark, parts[1]) : (self, "", "")
    }
}
