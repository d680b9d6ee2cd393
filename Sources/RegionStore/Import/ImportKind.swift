import FoundationEssentials
import MapFiles
import PeerStorage
import RegionModel
import TrackFiles

/// The kind of a file to import.
package enum ImportKind: Hashable, Sendable {
    /// A map, an archive of tiles, or another database that is no routing database.
    case map
    /// A map of another program, which is taken as it is.
    case foreign(ForeignFormat)
    /// A routing database.
    case routing
    /// A file of tracks, other XML or a ZIP file.
    case tracks
    case photo
    /// Nothing to import.
    case other

    /// What map of another program it is; nil if it is none.
    package var foreignFormat: ForeignFormat? { if case .foreign(let format) = self { format } else { nil } }

    /// Detects a kind by the first bytes; nil for any other file.
    package init?(beginning bytes: [UInt8]) {
        if bytes.starts(with: Array("SQLite format 3\0".utf8)) {
            // The first page has the names of the tables.
            let text = String(decoding: bytes, as: UTF8.self)
            self = text.contains("routing_nodes") && !text.contains("tile_column") ? .routing : .map
        } else if bytes.starts(with: PMTilesFile.mark) {
            self = .map
        } else if PhotoFormat(beginning: bytes) != nil {
            self = .photo
        } else {
            guard TrackFormat(beginning: bytes) != nil else { return nil }
            self = .tracks
        }
    }

    /// Returns the kind that the name of a file suggests, for files that cannot be read; nil for none.
    package init?(fileName path: String) {
        if let format = ForeignFormat(fileName: path) {
            self = .foreign(format)
            return
        }
        switch path.lowercased().split(separator: ".").last ?? "" {
        case "mbtiles", "pmtiles", "sqlitedb", "gpkg": self = .map
        case "gpx", "kml", "kmz", "geojson", "tcx", "fit": self = .tracks
        case "jpg", "jpeg", "png", "webp", "heic", "heif": self = .photo
        default: return nil
        }
    }

    /// The most files that one command imports.
    private static let maximumCount = 10_000

    /// Returns the files in a folder and its folders, sorted by name, without hidden ones and the logs of databases.
    ///
    /// A folder of tiles counts as one file.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.invalidArgument` if there are too many.
    package static func files(in folder: String) throws -> [String] {
        var files: [String] = []
        var folders = [folder.hasSuffix("/") ? String(folder.dropLast()) : folder]
        while let folder = folders.popLast() {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            for name in names where !name.hasPrefix(".") {
                let path = folder + "/" + name
                switch FileStatus(path: path)?.kind {
                case .folder:
                    // A link to a folder may lead back to it.
                    let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
                    guard !isLink else { continue }
                    let isMap = TileFolder.isTileFolder(path) || TileFolder.oddTile(in: path) != nil
                    if isMap { files.append(path) } else { folders.append(path) }
                case .regular:
                    if !["-wal", "-shm", "-journal"].contains(where: { name.hasSuffix($0) }) { files.append(path) }
                default: break
                }
            }
            guard files.count + folders.count <= maximumCount else {
                throw RegionStoreError(
                    .invalidArgument,
                    "\(folder) is among more than \(maximumCount) files.",
                    remedy: "Name the folder with your maps."
                )
            }
        }
        return files.sorted()
    }
}
