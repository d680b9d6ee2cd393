internal import Crypto
package import FoundationEssentials
package import RegionStore

/// A region as one HTML file that any browser opens from the disk: page, scripts, items, photos and tiles.
package struct MapFile: Sendable {
    /// The maximum size of a file, in bytes.
    ///
    /// Browsers read the whole file before they show anything, and need a multiple of its size.
    package static let maximumSize: UInt64 = 50_000_000

    /// The size of the address and the type of a tile in the file, at most, in bytes.
    private static let tileOverhead: UInt64 = 60

    /// The zoom levels that the map has, the lowest first.
    package let zooms: [Int]

    /// Whether the page can draw the tiles: vector tiles it cannot.
    package let drawsTiles: Bool

    private let store: RegionStore
    private let regionID: UUID
    /// The size of the tiles of each zoom level in the file, in bytes.
    private let tileSizes: [Int: UInt64]
    /// The size of everything else, in bytes.
    private let baseSize: UInt64

    /// Reads what the file will contain, but not the tiles and photos.
    ///
    /// - Throws: ``RegionStoreError`` if the region does not exist or cannot be read.
    package init(of regionID: UUID, in store: RegionStore) throws {
        self.store = store
        self.regionID = regionID
        var dataLength = 0
        let region = try store.withItems(of: regionID) { items in
            try RegionJSON.write(items, photos: .served) { dataLength += $0.count }
            return items.region
        }
        zooms = region.zooms
        drawsTiles = region.format?.imageType != nil
        let sizes = drawsTiles ? try store.tileSizes(of: regionID) : [:]
        // A tile has at least some bytes, so its overhead is counted by the number of tiles of the whole map.
        let count = UInt64(clamping: region.tileCount)
        let total = sizes.values.reduce(UInt64(0)) { $0.addingReportingOverflow($1).partialValue }
        tileSizes = sizes.mapValues { size in
            let share = total > 0 ? Double(size) / Double(total) : 0
            return Self.encodedSize(size) + UInt64(share * Double(count) * Double(Self.tileOverhead))
        }
        let assets = (MapAssets.styles + MapAssets.mapScripts).reduce(0) { $0 + $1.bytes.count }
        let photos = Self.encodedSize(region.photoSize) + UInt64(clamping: region.photoCount) * 100
        baseSize = UInt64(assets + dataLength + 20_000) + photos
    }

    /// Returns the approximate size of the file with the zoom levels up to one, in bytes.
    package func size(upToZoom zoom: Int) -> UInt64 {
        tileSizes.filter { $0.key <= zoom }.values.reduce(baseSize) { $0 + $1 }
    }

    /// Returns the highest zoom level up to which the tiles fit into a file; nil if there is none.
    package func highestZoom(within size: UInt64 = maximumSize) -> Int? {
        zooms.last { self.size(upToZoom: $0) <= size }
    }

    /// Writes the file.
    ///
    /// - Parameters:
    ///   - path: The path of the new file.
    ///   - zoom: The highest zoom level.
    /// - Returns: The size of the file, in bytes.
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/conflict`` if the file exists, or if the region cannot be read.
    package func write(to path: String, upToZoom zoom: Int) throws -> UInt64 {
        let frame = Self.frame
        var size: UInt64 = 0
        try NewFile.write(to: path) { append in
            try withoutActuallyEscaping(append) { append in
                func add(_ piece: [UInt8]) throws {
                    try append(piece)
                    size += UInt64(piece.count)
                }
                try add(Array(frame.start.utf8))
                let data = DataBlocks("region", to: add)
                try store.withItems(of: regionID) { items in
                    try RegionJSON.write(items, photos: .inside, maximumZoom: zoom, to: data.append)
                }
                try data.finish()
                // Tiles are read in transactions of their own.
                let tiles = DataBlocks("tiles", to: add)
                try writeTiles(upToZoom: zoom, to: tiles)
                try tiles.finish()
                try add(Array(frame.end.utf8))
            }
        }
        return size
    }

    private func writeTiles(upToZoom zoom: Int, to blocks: DataBlocks) throws {
        try blocks.append(Array("{".utf8))
        var separator = ""
        if !tileSizes.isEmpty {
            try store.forEachTile(of: regionID, upToZoom: zoom) { tile in
                guard let type = tile.format?.imageType?.split(separator: "/").last else { return }
                let (address, text) = (tile.address, Data(tile.data).base64EncodedString())
                let place = "\(address.zoomLevel)/\(address.column)/\(address.row)"
                try blocks.append(Array(#"\#(separator)"\#(place)":{"type":"\#(type)","data":"\#(text)"}"#.utf8))
                separator = ","
            }
        }
        try blocks.append(Array("}".utf8))
    }

    private static func encodedSize(_ size: UInt64) -> UInt64 {
        size.multipliedReportingOverflow(by: 4).partialValue / 3 + 4
    }

    /// The page before and behind the data.
    ///
    /// Its scripts and styles are a part of it, and its content security policy has their digests. So nothing else runs, even if
    /// the data of the file are changed.
    static let frame: (start: String, end: String) = {
        let styles = MapAssets.styles.map { String(decoding: $0.bytes, as: UTF8.self) }
        let scripts = MapAssets.mapScripts.map { String(decoding: $0.bytes, as: UTF8.self) }
        let policy = [
            "default-src 'none'", "script-src \(scripts.map(digest).joined(separator: " "))",
            "style-src \(styles.map(digest).joined(separator: " "))", "img-src data:", "base-uri 'none'",
            "form-action 'none'",
        ].joined(separator: "; ")
        let meta = #"<meta http-equiv="Content-Security-Policy" content="\#(policy)">"#
        let licence = String(decoding: MapAssets.licence.bytes, as: UTF8.self)
        // There is no other page to go to.
        let page = MapAssets.mapPage.filling("NAVIGATION", "").filling(
            "POLICY",
            meta + "\n<!--\nThis file contains Leaflet:\n\(licence)-->"
        )
        .filling("STYLES", styles.map { "<style>\($0)</style>" }.joined(separator: "\n"))
        let parts = page.split(separator: "<!--DATA-->", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init
        )
        let tags = scripts.map { "<script>\($0)</script>" }.joined(separator: "\n")
        return (parts.first ?? "", (parts.count > 1 ? parts[1] : "").filling("SCRIPTS", tags))
    }()

    private static func digest(_ text: String) -> String {
        "'sha256-\(Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString())'"
    }
}
