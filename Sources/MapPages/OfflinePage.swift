internal import FoundationEssentials
package import RegionStore
package import Sentences

/// A region as one HTML file that any browser opens from the disk: page, scripts, items, photos and tiles.
///
/// Where scripts do not run, it shows a picture of the map and lists of its items.
package struct OfflinePage: Sendable {
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
    package init(of content: any RegionContent) throws {
        self.content = content
        let known = (try? content.temporaryFile()).map(KnownLines.init)
        self.known = known
        var dataLength: UInt64 = 0
        var lines: [[Coordinate]] = []
        let region = try content.withItems { items in
            try RegionJSON(items, photos: .served, known) { dataLength += UInt64($0.count) }.write()
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
        let scripts = [MapAssets.allLanguages] + MapAssets.mapScripts(for: region.format)
        let assets = (MapAssets.styles + scripts).reduce(0) { $0 + $1.bytes.count }
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

    /// Returns the rule that takes all tiles up to a zoom level.
    package func selection(upToZoom zoom: Int) -> CutRule { CutRule(maximumZoom: zoom, wholeZoom: zoom) }

    /// Returns the selection for a file that is as small as phones like it, or at least not too large.
    ///
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/invalidArgument`` if there is none.
    package func usualSelection() throws -> CutRule {
        guard let selection = bestSelection(within: Self.usualSize) ?? bestSelection(within: Self.maximumSize) else {
            throw RegionStoreError(
                .invalidArgument,
                "The map is too large for one file.",
                remedy: "Take its MBTiles file to an app for maps."
            )
        }
        return selection
    }

    /// Returns the selection with the highest zoom level that fits into a size without photos; nil if none fits.
    ///
    /// If all tiles of the next zoom level are too many, there is room for those along the hikes and routes at a higher one. For
    /// that, all tiles may have one zoom level less than they could.
    package func bestSelection(within size: UInt64) -> CutRule? {
        let wholes = zooms.filter { self.sizeWithoutPhotos(of: selection(upToZoom: $0)) <= size }.suffix(2)
        let starts = [nil] + wholes.map { Optional($0) }
        let all = starts.suffix(2).compactMap { longest(from: $0, within: size) }
        func rank(_ selection: CutRule) -> (Int, Int) { (selection.maximumZoom ?? -1, selection.wholeZoom ?? -1) }
        return all.max { rank($0) < rank($1) }
    }

    /// Adds the strip up to the highest zoom level that fits to all tiles up to a zoom level; nil if there are no tiles then.
    private func longest(from wholeZoom: Int?, within size: UInt64) -> CutRule? {
        let levels = amounts.strip.keys.filter { $0 > wholeZoom ?? -1 }.sorted(by: >)
        let longer = levels.lazy.compactMap { zoom in
            var rule = strip
            rule?.maximumZoom = zoom
            rule?.wholeZoom = wholeZoom
            return rule
        }
        return longer.first { self.sizeWithoutPhotos(of: $0) <= size } ?? wholeZoom.map(selection(upToZoom:))
    }

    /// Returns whether a file has room for the photos beside a selection; else it is written without them.
    package func hasRoomForPhotos(_ selection: CutRule) -> Bool {
        sizeWithoutPhotos(of: selection) + photoSize <= Self.maximumSize
    }

    /// Returns the approximate size of the file with a selection of the tiles, in bytes.
    package func size(of selection: CutRule) -> UInt64 {
        sizeWithoutPhotos(of: selection) + (hasRoomForPhotos(selection) ? photoSize : 0)
    }

    /// What a file with a selection lacks of the map, as a sentence; nil if it has all tiles.
    func lack(of selection: CutRule) -> Sentence? {
        guard drawsTiles, let last = zooms.last, selection.wholeZoom ?? -1 < last else { return nil }
        let part = Self.part(selection, last)
        // Translators: {part} is a sentence such as “Only up to zoom 13.”
        return Sentence("\(part) For everything, take the map (MBTiles) into an app.")
    }

    /// Which part of a map with zoom levels up to `last` a selection is.
    private static func part(_ selection: CutRule, _ last: Int) -> Sentence {
        switch (selection.wholeZoom, selection.maximumZoom) {
        case (let zoom?, let highest?) where highest > zoom:
            highest >= last
                ? Sentence("In full detail along the hikes and routes; elsewhere up to zoom \(zoom).")
                : Sentence("Up to zoom \(highest) along the hikes and routes; elsewhere up to zoom \(zoom).")
        case (nil, let highest?) where highest > -1:
            highest >= last
                ? Sentence("In full detail along the hikes and routes; elsewhere nothing.")
                : Sentence("Up to zoom \(highest) along the hikes and routes; elsewhere nothing.")
        case (let zoom?, _): Sentence("Only up to zoom \(zoom).")
        case (nil, _): Sentence("Only a part.")
        }
    }

    /// The numbers and sizes of the tiles of a selection.
    private func amounts(of selection: CutRule) -> [MapAmounts.Amount] {
        let whole = amounts.whole.filter { $0.key <= selection.wholeZoom ?? -1 }
        let highest = selection.maximumZoom ?? -1
        let strip = amounts.strip.filter { $0.key > selection.wholeZoom ?? -1 && $0.key <= highest }
        return Array(whole.values) + Array(strip.values)
    }

    private func sizeWithoutPhotos(of selection: CutRule) -> UInt64 {
        let tiles = amounts(of: selection).reduce(UInt64(0)) {
            $0 + Self.encodedSize($1.size) + UInt64($1.count) * Self.tileOverhead
        }
        let picture = picture(for: selection).map {
            Self.encodedSize($0.amount.size) + UInt64($0.amount.count) * Self.pictureTileOverhead
        }
        return baseSize + tiles + (picture ?? 0)
    }

    private func picture(for selection: CutRule) -> PictureTiles? {
        picture(upToZoom: selection.maximumZoom ?? -1)
    }

    /// Chooses the tiles of a picture; nil if there are none, or too many at each zoom level.
    func picture(upToZoom zoom: Int) -> PictureTiles? {
        // Only a script draws vector tiles.
        guard format?.imageType != nil else { return nil }
        return PictureTiles(amounts, strip: strip, upToZoom: zoom)
    }

    /// Writes the file.
    ///
    /// - Parameters:
    ///   - language: The language of what it shows without scripts. Scripts use that of the browser.
    ///   - output: Called with one piece of the file after the other.
    /// - Throws: ``RegionStoreError`` if the region cannot be read; the error of `output`.
    package func write(
        _ selection: CutRule,
        in language: Language = .ofProcess,
        to output: @escaping ([UInt8]) throws -> Void
    ) throws {
        let frame = format == .pbf ? Self.vectorFrame : Self.frame
        // Tiles are read in transactions of their own.
        let map = drawsTiles ? try content.openTiles() : nil
        try output(Array(frame.start.utf8))
        try writeStillPage(selection, map, in: language, to: output)
        try output(Array(frame.middle.utf8))
        let own = amounts(of: selection)
        let included = try map?.coverage(of: selection).map { coverage in
            RegionJSON.Map(
                coverage: coverage,
                tileCount: own.reduce(0) { $0 + $1.count },
                size: own.reduce(0) { $0 + $1.size },
                lack: lack(of: selection)
            )
        }
        let data = DataBlocks("region", to: output)
        try content.withItems { items in
            let photos: RegionJSON.Photos = hasRoomForPhotos(selection) ? .inside : .leftOut
            try RegionJSON(items, photos: photos, known, to: data.append).write(included)
        }
        try data.finish()
        let tiles = DataBlocks("tiles", to: output)
        try writeTiles(of: map, selection, to: tiles)
        try tiles.finish()
        try output(Array(frame.end.utf8))
    }

    private func writeStillPage(
        _ selection: CutRule,
        _ map: UntrustedDatabase?,
        in language: Language,
        to output: @escaping ([UInt8]) throws -> Void
    ) throws {
        let tiles = picture(for: selection)
        let (zoom, lack) = (selection.maximumZoom, self.lack(of: selection))
        let page = try content.withItems {
            try StillPage($0, tiles, highestZoom: zoom, lack: lack, known, in: language, to: output)
        }
        try page.writeStart()
        if let tiles {
            try map?.forEachTile(ofZooms: tiles.zoomLevel...tiles.zoomLevel, along: tiles.strip, page.write)
        }
        try page.writeEnd()
    }

    private func writeTiles(of map: UntrustedDatabase?, _ selection: CutRule, to blocks: DataBlocks) throws {
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
}
