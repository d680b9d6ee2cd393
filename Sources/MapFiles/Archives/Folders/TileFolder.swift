import Glibc
import PeerStorage
import RegionModel

/// A folder of tiles: `ZOOM/COLUMN/ROW.png`, or another ending.
///
/// Rows count from the north, as in the addresses of web maps, unless a file of the folder says that they count from the south.
/// Symbolic links are not followed.
package struct TileFolder: TileArchive {
    /// The endings of the names of tiles.
    private static let endings: Set = ["png", "jpg", "jpeg", "webp", "avif", "pbf", "mvt", "mlt"]

    private let folder: Folder
    private let name: String
    private let isFromSouth: Bool

    /// The metadata, by the keys that MBTiles files use.
    package let metadata: [String: String]

    /// Opens a folder.
    package init(_ path: String, called name: String) throws {
        folder = try RegionStoreError.mapping("read", name) { () throws(SystemError) in try Folder(path) }
        self.name = name
        let description = try TileFolderDescription(of: folder, called: name)
        (metadata, isFromSouth) = (description.metadata, description.isFromSouth)
    }

    /// Returns whether a folder is one of tiles, by its first tile.
    package static func isTileFolder(_ path: String) -> Bool {
        var isFound = false
        look(into: path) { _, side, rows in
            isFound = !rows.found.isEmpty
            return isFound
        }
        return isFound
    }

    /// Returns the path of a file in a folder that is called almost as a tile is; nil if there is none.
    package static func oddTile(in path: String) -> String? {
        var found: String?
        look(into: path) { folder, side, rows in
            found = rows.others.first { TileFolderEntry.number($0, below: side) != nil }.map { folder + "/" + $0 }
            return found != nil
        }
        return found
    }

    /// Looks at the names in the first columns of each zoom level, until `body` returns true.
    private static func look(
        into path: String,
        _ body: (_ folder: String, _ side: UInt32, _ rows: TileFolderEntry.List) -> Bool
    ) {
        guard let folder = try? Folder(path), let zooms = try? TileFolderEntry.all(in: folder, below: 31) else {
            return
        }
        for zoom in zooms.found {
            let side = UInt32(1) << zoom.number
            guard let inner = try? folder.folder(zoom.name),
                let columns = try? TileFolderEntry.all(in: inner, below: side)
            else { continue }
            for column in columns.found.prefix(10) {
                guard let inmost = try? inner.folder(column.name),
                    let rows = try? TileFolderEntry.all(in: inmost, below: side, endings: endings)
                else { continue }
                if body("\(zoom.name)/\(column.name)", side, rows) { return }
            }
        }
    }

    /// What the import takes: nothing is known before, but a folder is as large on the disk as it seems.
    package func cost() -> ImportCost { ImportCost(tileCount: nil, contentSize: 0, fileSize: 0) }

    /// Reads all tiles.
    ///
    /// Their number is not known before.
    package func forEachTile(
        progress: (_ done: Int, _ total: Int) throws -> Void,
        _ body: (MapTile) throws -> Void
    ) throws -> OmittedEntries {
        var omitted = OmittedEntries()
        var count = 0
        // What is beside the zoom levels may be anything.
        var others = OmittedEntries()
        for zoom in try entries(of: folder, below: 31, "", &others) {
            let side = UInt32(1) << zoom.number
            guard let inner = try subfolder(zoom, of: folder, zoom.name, &omitted) else { continue }
            for column in try entries(of: inner, below: side, zoom.name, &omitted) {
                let path = "\(zoom.name)/\(column.name)"
                guard let inmost = try subfolder(column, of: inner, path, &omitted) else { continue }
                let rows = try entries(of: inmost, below: side, endings: Self.endings, path, &omitted)
                for row in isFromSouth ? rows : rows.reversed() {
                    count += 1
                    guard count <= ArchiveLimits.tileCount else {
                        throw RegionStoreError.tooManyTiles(
                            name,
                            remedy: "Move a part of it to another folder, and import that."
                        )
                    }
                    try progress(count, 0)
                    guard let address = address(zoom, column, row),
                        let data = try data(of: row, in: inmost, path, &omitted)
                    else { continue }
                    try body(MapTile(address, data: data))
                }
            }
        }
        return omitted
    }

    private func address(_ zoom: TileFolderEntry, _ column: TileFolderEntry, _ row: TileFolderEntry) -> TileAddress? {
        let (zoom, column, row) = (Int(zoom.number), Int(column.number), Int(row.number))
        return isFromSouth
            ? TileAddress(zoomLevel: zoom, column: column, southernRow: row)
            : TileAddress(zoomLevel: zoom, column: column, row: row)
    }

    /// Returns what is in a folder, in ascending order; what is no tile is left out.
    private func entries(
        of folder: Folder,
        below end: UInt32,
        endings: Set<String> = [],
        _ path: String,
        _ omitted: inout OmittedEntries
    ) throws -> [TileFolderEntry] {
        let entries = try RegionStoreError.mapping("read", name) { () throws(SystemError) in
            try TileFolderEntry.all(in: folder, below: end, endings: endings)
        }
        guard entries.isComplete else {
            throw RegionStoreError(
                .invalidFile,
                "The folder \(path.isEmpty ? name : "\(name)/\(path)") has more than \(TileFolderEntry.maximumCount) files.",
                remedy: "Move a part of it to another folder, and import that."
            )
        }
        for other in entries.others { omitted.add("\(path)/\(other) is no tile") }
        return entries.found
    }

    /// Opens a folder in a folder; nil if it is something else, such as a symbolic link.
    private func subfolder(
        _ entry: TileFolderEntry,
        of folder: Folder,
        _ path: String,
        _ omitted: inout OmittedEntries
    ) throws -> Folder? {
        do throws(SystemError) {
            return try folder.folder(entry.name)
        } catch  where [ELOOP, ENOTDIR, ENOENT].contains(error.number) {
            omitted.add("\(path) is no folder")
            return nil
        } catch {
            throw RegionStoreError.storage("read", "\(name)/\(path)", error)
        }
    }

    /// Reads a tile; nil if it is something else, has no bytes or too many of them.
    private func data(
        of entry: TileFolderEntry,
        in folder: Folder,
        _ path: String,
        _ omitted: inout OmittedEntries
    ) throws -> [UInt8]? {
        do throws(SystemError) {
            // Opening a pipe must not wait for a writer.
            let file = try folder.openFile(entry.name, O_RDONLY | O_NONBLOCK)
            let status = try file.status()
            guard status.kind == .regular else {
                omitted.add("\(path)/\(entry.name) is no file")
                return nil
            }
            guard status.size > 0, status.size <= UInt64(MBTilesWriter.maximumTileLength) else {
                omitted.add("\(path)/\(entry.name) has \(status.size) bytes")
                return nil
            }
            let data = try file.bytes(Int(status.size), at: 0)
            // Vector tiles of MBTiles files are in gzip.
            guard ["pbf", "mvt", "mlt"].contains(entry.ending), !GzipData.isGzip(data) else { return data }
            return GzipData.deflate(data)
        } catch  where [ELOOP, ENXIO, ENOENT].contains(error.number) {
            omitted.add("\(path)/\(entry.name) is no file")
            return nil
        } catch {
            throw RegionStoreError.storage("read", "\(name)/\(path)/\(entry.name)", error)
        }
    }
}
