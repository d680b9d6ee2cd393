import FoundationEssentials
package import RegionStore

/// The address at which maps are shown.
package struct MapReport: Report {
    /// The region that the address shows; nil for the list of regions.
    package var region: RegionSummary?
    /// The address, which has a secret.
    package var url: String
    /// An address that leads there, for people.
    package var shortURL: String

    /// Creates the value.
    package init(region: RegionSummary? = nil, url: String, shortURL: String) {
        self.region = region
        self.url = url
        self.shortURL = shortURL
    }

    package var payloads: [JSONObject] {
        [["type": "map", "regionID": region?.id.uuidString, "regionName": region?.name, "url": url]]
    }

    package var text: DisplayText {
        guard let region else { return "The maps are at  \(shortURL)" }
        return "The map of \(region.name) is at  \(shortURL)"
    }
}

/// A file with a map that an export has written in another form than the store's.
package struct MapFileReport: Report {
    /// The form of the file.
    package enum Content: String, Encodable {
        /// A page for a browser.
        case html
        /// A sheet of paper.
        case pdf
        /// Tiles for OsmAnd.
        case osmand
    }

    /// Which tiles of the map a page has.
    package struct Tiles {
        /// The zoom levels of the whole map.
        package var whole: [Int]
        /// The zoom levels of which only the tiles along the hikes and routes are there.
        package var alongRoutes: [Int]
        /// The zoom levels that the map has and the page does not.
        package var missing: [Int]
        /// Whether the photos are there, if there are any.
        package var hasPhotos: Bool

        package init(_ selection: MapSelection, zooms: [Int], hasPhotos: Bool) {
            let (highest, along) = (selection.wholeZoom ?? -1, selection.strip?.maximumZoom ?? -1)
            whole = zooms.filter { $0 <= highest }
            alongRoutes = zooms.filter { $0 > highest && $0 <= along }
            missing = zooms.filter { $0 > max(highest, along) }
            self.hasPhotos = hasPhotos
        }

        /// What is not everything, in sentences; empty for a whole map with its photos.
        package var sentences: [DisplayText] {
            var sentences: [DisplayText] = []
            if !alongRoutes.isEmpty {
                let start: DisplayText = whole.isEmpty ? "It has" : "It has the map at \(Wording.zoomWords(whole)), and"
                sentences.append("\(start) the strip along the hikes and routes at \(Wording.zoomWords(alongRoutes)).")
            }
            if !missing.isEmpty { sentences.append("It does not have \(Wording.zoomWords(missing)).") }
            if !missing.isEmpty || !alongRoutes.isEmpty {
                sentences.append("--max-zoom Z writes the whole map up to a zoom level, as one file of at most 50 MB.")
            }
            if !hasPhotos { sentences.append("It has no photos, because they are too large for it.") }
            return sentences
        }
    }

    package var region: RegionSummary
    package var content: Content
    package var path: String
    package var size: UInt64
    /// Whether the tiles of the map are in the file.
    package var hasTiles = true
    /// What concerns a person in a page or on a sheet, in words.
    package var personal: [String] = []
    /// Which tiles a page has; nil for another file.
    package var tiles: Tiles?
    /// What was written of the map; nil for all.
    package var part: PartFacts?

    /// Creates the value.
    package init(
        region: RegionSummary,
        content: Content,
        path: String,
        size: UInt64,
        hasTiles: Bool = true,
        personal: [String] = [],
        tiles: Tiles? = nil,
        part: PartFacts? = nil
    ) {
        self.region = region
        self.content = content
        self.path = path
        self.size = size
        self.hasTiles = hasTiles
        self.personal = personal
        self.tiles = tiles
        self.part = part
    }

    package var payloads: [JSONObject] {
        [
            [
                "type": "exported",
                "regionID": region.id.uuidString,
                "content": content,
                "file": path,
                "size": size,
                "hasTiles": hasTiles ? nil : false,
                "part": part?.description.json,
                "tiles": part?.tileCount,
                "hasPersonal": content == .osmand ? nil : !personal.isEmpty,
                "zooms": tiles?.whole,
                "zoomsAlongRoutes": tiles.flatMap { $0.alongRoutes.isEmpty ? nil : $0.alongRoutes },
            ]
        ]
    }

    private var reason: DisplayText {
        region.format == .pbf
            ? "this program was built without MapLibre, which draws vector tiles"
            : "pages do not draw tiles of this format"
    }

    package var text: DisplayText {
        var sentences: [DisplayText] = ["Wrote \(path), \(Wording.size(size))"]
        switch content {
        case .html where !hasTiles:
            sentences.append("It has no map, because \(reason): only hikes, routes and waypoints.")
        case .html: sentences += tiles?.sentences ?? []
        case .pdf: break
        case .osmand:
            if let part { sentences.append(part.sentence) }
            sentences.append("Open it on the phone with OsmAnd or Locus Map.")
        }
        if !personal.isEmpty {
            sentences.append("Personal: \(personal.joined(separator: ", ")). Without that:  --no-personal")
        }
        return sentences.joined(separator: "\n")
    }
}
