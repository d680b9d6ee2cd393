import FoundationEssentials
import RegionStore

/// A file with a map that an export has written in another form than the store's.
struct MapFileReport: Report {
    /// The form of the file.
    enum Content: String, Encodable {
        /// A page for a browser.
        case html
        /// Tiles for OsmAnd.
        case osmand
    }

    var region: RegionSummary
    var content: Content
    var path: String
    var size: UInt64
    /// Whether the tiles of the map are in the file.
    var hasTiles = true

    var payloads: [any Encodable & Sendable] {
        [
            Payload(
                regionID: region.id.uuidString,
                content: content,
                file: path,
                size: size,
                hasTiles: hasTiles ? nil : false
            )
        ]
    }

    var text: DisplayText {
        switch content {
        case .html where !hasTiles:
            """
            Wrote \(path), \(Wording.size(size))
            It has no map, because pages do not draw vector tiles: only hikes, routes and waypoints.
            """
        case .html: "Wrote \(path), \(Wording.size(size))"
        case .osmand:
            """
            Wrote \(path), \(Wording.size(size))
            Open it on the phone with OsmAnd or Locus Map.
            """
        }
    }

    private struct Payload: Encodable {
        var type = "exported"
        var regionID: String
        var content: Content
        var file: String
        var size: UInt64
        var hasTiles: Bool?
    }
}
