import Glibc
import PeerStorage
import RegionModel

/// What a file in a folder of tiles says of them.
struct TileFolderDescription {
    /// The description that `mb-util` and others write, and the names of TileJSON files.
    private static let jsonNames = ["metadata.json", "tilejson.json", "tiles.json"]

    /// The description in the Tile Map Service of OSGeo, which `gdal2tiles` writes if rows count from the south.
    private static let serviceName = "tilemapresource.xml"

    /// The pages beside the tiles with which `gdal2tiles` and others show them, and what a page says if rows count from the south.
    private static let pages = [("leaflet.html", "tms:true"), ("leaflet.html", "tms:1"), ("openlayers.html", "{-y}")]

    /// The maximum length of a description, in bytes.
    private static let maximumLength = 1 << 20

    /// The metadata, by the keys that MBTiles files use.
    var metadata: [String: String] = [:]
    /// Whether rows count from the south.
    var isFromSouth = false

    /// Reads the descriptions in a folder.
    ///
    /// One that is damaged is ignored, because tiles do not depend on it.
    init(of folder: Folder, called name: String) throws(RegionStoreError) {
        let keys = TileMetadata.keys.union(["bounds", "center", "scheme"])
        for file in Self.jsonNames {
            guard let json = Self.bytes(of: file, in: folder), let read = try? TileMetadata.read(json, keys: keys)
            else {
                continue
            }
            metadata.merge(read) { first, _ in first }
        }
        let scheme = metadata.removeValue(forKey: "scheme")
        isFromSouth = scheme.map { $0.lowercased() == "tms" } ?? Self.pages.contains { Self.says($0, in: folder) }
        guard let service = Self.bytes(of: Self.serviceName, in: folder) else { return }
        let text = String(decoding: service, as: UTF8.self).lowercased()
        let marks = ["epsg:3857", "epsg:900913", "osgeo:41001", "\"mercator\"", "global-mercator"]
        guard marks.contains(where: { text.contains($0) }) else {
            throw RegionStoreError(
                .invalidFile,
                "\(name) has tiles that are not those of web maps (Web Mercator, EPSG:3857), as its \(Self.serviceName) says.",
                remedy: "Create them again with GDAL: gdal2tiles.py --profile=mercator IMAGE.tif FOLDER"
            )
        }
        isFromSouth = true
    }

    /// Returns whether a page says something; spaces do not count.
    private static func says(_ page: (name: String, words: String), in folder: Folder) -> Bool {
        let text = bytes(of: page.name, in: folder) ?? []
        return String(decoding: text.filter { $0 > 0x20 }, as: UTF8.self).contains(page.words)
    }

    /// Reads a file; nil if there is none, or it is too large or no file.
    private static func bytes(of name: String, in folder: Folder) -> [UInt8]? {
        guard let file = try? folder.openFile(name, O_RDONLY | O_NONBLOCK), let status = try? file.status(),
            status.kind == .regular, status.size <= UInt64(maximumLength)
        else { return nil }
        return try? file.bytes(Int(status.size), at: 0)
    }
}
