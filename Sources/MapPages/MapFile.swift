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

    /// The zoom levels that the map has.
    package let zoomLevels: ClosedRange<Int>

    private let store: RegionStore
    private let content: RegionContent
    /// The size of the tiles of each zoom level in the file, in bytes.
    private let tileSizes: [Int: UInt64]
    /// The size of everything else, in bytes.
    private let baseSize: UInt64

    /// Reads what the file will contain, but not the tiles and photos.
    ///
    /// - Throws: ``RegionStoreError`` if the region does not exist or cannot be read.
    package init(of regionID: UUID, in store: RegionStore) throws {
        self.store = store
        content = try store.content(of: regionID)
        zoomLevels = content.region.zoomLevels
        let sizes = content.region.format?.imageType == nil ? [:] : try store.tileSizes(of: regionID)
        // A tile has at least some bytes, so its overhead is counted by the number of tiles of the whole map.
        let count = UInt64(clamping: content.region.tileCount)
        let total = sizes.values.reduce(UInt64(0)) { $0.addingReportingOverflow($1).partialValue }
        tileSizes = sizes.mapValues { size in
            let share = total > 0 ? Double(size) / Double(total) : 0
            return Self.encodedSize(size) + UInt64(share * Double(count) * Double(Self.tileOverhead))
        }
        let assets = (MapAssets.styles + MapAssets.mapScripts).reduce(0) { $0 + $1.bytes.count }
        let data = try PageJSON.encode(RegionData(content) { _ in nil })
        let photos = content.photos.reduce(UInt64(0)) { $0 + Self.encodedSize(UInt64(clamping: $1.size)) + 100 }
        baseSize = UInt64(assets + data.count + 20_000) + photos
    }

    /// Returns the approximate size of the file with the zoom levels up to one, in bytes.
    package func size(upToZoom zoom: Int) -> UInt64 {
        tileSizes.filter { $0.key <= zoom }.values.reduce(baseSize) { $0 + $1 }
    }

    /// Returns the highest zoom level up to which the tiles fit into a file; nil if there is none.
    package func highestZoom(within size: UInt64 = maximumSize) -> Int? {
        zoomLevels.last { self.size(upToZoom: $0) <= size }
    }

    /// Writes the file.
    ///
    /// - Parameters:
    ///   - path: The path of the new file.
    ///   - zoom: The highest zoom level.
    /// - Returns: The size of the file, in bytes.
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/conflict`` if the file exists, or if the region cannot be read.
    package func write(to path: String, upToZoom zoom: Int) throws -> UInt64 {
        var data = RegionData(content) { photo in
            guard let found = try? store.photo(of: photo.waypointID, in: content.region.id) else { return nil }
            return "data:\(found.format.contentType);base64," + Data(found.data).base64EncodedString()
        }
        data.region.maximumZoom = min(zoom, zoomLevels.upperBound)
        let json = try PageJSON.encode(data)
        let frame = Self.frame
        var size: UInt64 = 0
        try NewFile.write(to: path) { append in
            func add(_ piece: [UInt8]) throws {
                try append(piece)
                size += UInt64(piece.count)
            }
            try add(Array(frame.start.utf8))
            try add(Array(Self.dataBlock("region").utf8) + json + Array("</script>\n".utf8))
            try add(Array((Self.dataBlock("tiles") + "{").utf8))
            var separator = ""
            try forEachTile(upToZoom: zoom) { address, type, text in
                try add(Array(#"\#(separator)"\#(address)":{"type":"\#(type)","data":"\#(text)"}"#.utf8))
                separator = ","
            }
            try add(Array("}</script>\n".utf8))
            try add(Array(frame.end.utf8))
        }
        return size
    }

    private func forEachTile(
        upToZoom zoom: Int,
        _ body: (_ address: String, _ type: String, _ text: String) throws -> Void
    ) throws {
        guard !tileSizes.isEmpty else { return }
        try store.forEachTile(of: content.region.id, upToZoom: zoom) { tile in
            guard let type = tile.format?.imageType?.split(separator: "/").last else { return }
            let address = "\(tile.address.zoomLevel)/\(tile.address.column)/\(tile.address.row)"
            try body(address, String(type), Data(tile.data).base64EncodedString())
        }
    }

    private static func encodedSize(_ size: UInt64) -> UInt64 {
        size.multipliedReportingOverflow(by: 4).partialValue / 3 + 4
    }

    /// A block of data, which no browser runs.
    private static func dataBlock(_ name: String) -> String {
        #"<script type="application/json" id="data-\#(name)">"#
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
        let page = MapAssets.mapPage.filling("POLICY", meta + "\n<!--\nThis file contains Leaflet:\n\(licence)-->")
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
