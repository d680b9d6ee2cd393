import PeerProtocol

/// A reader of bytes that strangers write, as fuzzing sees it.
///
/// The same code runs under the fuzzer and, with the inputs that are kept, in the tests.
package enum FuzzTarget: String, CaseIterable, Sendable, CustomStringConvertible {
    /// Everything that comes over a connection, cut anywhere.
    case frames
    /// The bytes of a resource, cut anywhere, as they are hashed.
    case chunks
    /// The JSON of each control frame.
    case control
    /// The manifest, and the region that it describes.
    case manifest
    /// The list of a sender with several regions.
    case catalogue
    /// A request on a stick.
    case stick
    /// The tiles that an offered map has.
    case coverage
    /// The part of a map that a receiver asks for.
    case part
    /// Lists of hikes, planned routes and waypoints.
    case items
    /// The TXT record of an announcement.
    case announcement
    /// The link that a sender shows.
    case link
    /// GPX files.
    case gpx
    /// KML files.
    case kml
    /// ZIP files with KML files.
    case kmz
    /// GeoJSON files.
    case geojson
    /// TCX files.
    case tcx
    /// FIT files.
    case fit
    /// The points of a hike.
    case track
    /// A map that was received or is imported.
    case map
    /// An archive of tiles that is imported.
    case archive
    /// What an import takes, of a file that promises much.
    case cost
    /// A routing database that was received or is imported.
    case routing
    /// The header of a map of another program.
    case foreign
    /// Photos that were received.
    case photos
    /// The list of the pieces of a resource.
    case pieces
    /// The table of tiles in the file of a map.
    case tiles
    /// A part of a map that is added to a map.
    case union

    /// The name of the target, and of the folder of its inputs.
    package var description: String { rawValue }

    /// Runs one input.
    ///
    /// An input that is refused is fine; a crash is not, nor is too much time or memory.
    ///
    /// - Throws: ``BrokenInvariant`` if something does not hold that must hold for every input.
    package func run(_ bytes: [UInt8]) throws {
        switch self {
        case .frames: try FrameBody.run(bytes)
        case .chunks: try ChunksBody.run(bytes)
        case .control: try ControlBody.run(bytes)
        case .manifest: try ManifestBody.run(bytes)
        case .catalogue: try CatalogueBody.run(bytes)
        case .stick: try StickBody.run(bytes)
        case .coverage: try CoverageBody.run(bytes)
        case .part: try PartBody.run(bytes)
        case .items: try ItemsBody.run(bytes)
        case .announcement: try AnnouncementBody.run(bytes)
        case .link: try ShareLinkBody.run(bytes)
        case .gpx, .kml, .kmz, .geojson, .tcx: try TrackFileBody.run(bytes)
        case .fit: try TrackFileBody.runFIT(bytes)
        case .track: try TrackBody.run(bytes)
        case .map: try DatabaseBody.run(bytes, .mbtiles)
        case .archive: try ArchiveBody.run(bytes)
        case .cost: try CostBody.run(bytes)
        case .routing: try DatabaseBody.run(bytes, .routing)
        case .foreign: try ForeignBody.run(bytes)
        case .photos: try PhotosBody.run(bytes)
        case .pieces: try PiecesBody.run(bytes)
        case .tiles: try TilesBody.run(bytes)
        case .union: try UnionBody.run(bytes)
        }
    }
}
