import Glibc
import MapFiles
import PeerProtocol
import PeerStorage
import RegionModel

/// A file that other programs read, made of a region.
package enum DownloadKind: String, CaseIterable, Sendable {
    /// A page with the map and everything else, which phones and browsers open by themselves.
    case html
    /// A sheet of paper with the map.
    case pdf
    /// The map, as it was imported.
    case mbtiles
    /// The map of another program, as it was imported.
    case foreign
    /// The map in the form that OsmAnd reads.
    case sqlitedb
    /// Hikes, planned routes and waypoints.
    case gpx
    /// The map as it was imported, the GPX file and the photos in one file.
    case zip

    /// Returns the kinds of files that can be made of a region, in the order of a list for people.
    ///
    /// - Parameters:
    ///   - map: The size of the map with tiles, in bytes; nil for none. Likewise the others.
    ///   - makes: Whether there is a maker of a kind that this library does not make.
    static func kinds(
        of region: RegionSummary,
        map: UInt64?,
        foreign: UInt64?,
        routing: UInt64?,
        makes: (DownloadKind) -> Bool
    ) -> [DownloadKind] {
        let hasItems = region.hikeCount + region.plannedRouteCount + region.waypointCount > 0
        let size = (map ?? foreign ?? 0).addingReportingOverflow(routing ?? 0).partialValue
        return allCases.filter { kind in
            switch kind {
            case .html, .pdf: map != nil && makes(kind)
            case .mbtiles: map != nil
            case .foreign: foreign != nil
            case .sqlitedb: map != nil && region.format.map { $0 != .pbf } ?? false
            case .gpx: hasItems
            case .zip: (hasItems || routing != nil) && size < ZIPWriter.maximumSize * 9 / 10
            }
        }
    }

    /// The media type.
    ///
    /// Of the files for other programs, only ZIP has a registered one that phones know. An unknown one keeps a browser
    /// from opening the file itself.
    package var contentType: String {
        switch self {
        case .html: "text/html; charset=utf-8"
        case .pdf: "application/pdf"
        case .mbtiles, .foreign: "application/octet-stream"
        case .sqlitedb: "application/octet-stream"
        case .gpx: "application/gpx+xml"
        case .zip: "application/zip"
        }
    }
}

extension RegionSummary {
    /// Returns the kinds of files that the owner of a store can make of the region, in the order of a list for people.
    ///
    /// - Parameter makes: Whether there is a maker of a kind that this library does not make.
    package func downloadKinds(makes: (DownloadKind) -> Bool) -> [DownloadKind] {
        DownloadKind.kinds(
            of: self,
            map: foreign == nil ? mapSize : nil,
            foreign: foreign == nil ? nil : mapSize,
            routing: routingSize,
            makes: makes
        )
    }
}
