package import FoundationEssentials
internal import PeerStorage
package import RegionStore
internal import Sentences
internal import Synchronization
package import WebServer

/// The pages with maps: those of a store with a list of its regions, or the page of one region as a person has agreed to show it.
///
/// They only read. All paths begin with a secret.
package struct MapSite: WebSite {
    /// The content security policy of the pages: scripts, styles and data of this server only; images also from data.
    package static let contentSecurityPolicy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'",
        "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    /// The policy of a page that draws vector tiles: MapLibre runs a part of its own script, a blob, as a worker.
    static let vectorSecurityPolicy = contentSecurityPolicy + "; worker-src blob:"

    enum Content {
        /// All regions, as they are when they are asked for.
        case store(RegionStore)
        /// One region, as it was.
        case downloads(RegionDownloads, PageCache)
    }

    let content: Content
    private let secret: MapSecret

    /// Creates the pages of a store.
    package init(of store: RegionStore, secret: MapSecret) { (content, self.secret) = (.store(store), secret) }

    /// Creates the page of what a sender shows of a region.
    init(of downloads: RegionDownloads, secret: MapSecret) {
        (content, self.secret) = (.downloads(downloads, PageCache()), secret)
    }

    /// Returns the path of the map of a region, or of the list of regions.
    package func path(of regionID: UUID?) -> String {
        "/\(secret.text)/" + (regionID.map { $0.uuidString + "/" } ?? "")
    }

    /// Returns a short path for a person to copy, which leads to the path of the map of a region.
    package func shortPath(of regionID: UUID?) -> String {
        guard let short = regionID?.uuidString.prefix(Self.shortIDLength), region(startingWith: String(short)) != nil
        else {
            return path(of: regionID)
        }
        return "/\(secret.text)/\(short)"
    }

    private static let shortIDLength = 8

    package func respond(to request: WebRequest) -> WebResponse {
        let path = request.path
        guard let rest = secret.rest(of: path) else { return .notFound }
        guard let name = rest.first else { return list(path) }
        // Only pages have a slash at the end.
        guard !path.endsWithSlash || rest.count == 1 && Self.id(name) != nil else { return .notFound }
        switch (name, rest.count) {
        case ("regions.json", 1): return reading { try regions() }
        case ("assets", 2): return MapAssets.all[rest[1]].map { WebResponse($0.bytes, as: $0.contentType) } ?? .notFound
        default: break
        }
        if rest.count == 1, let id = region(startingWith: name) { return .redirect(to: self.path(of: id)) }
        guard let id = Self.id(name), isShown(id) else { return .notFound }
        switch (rest.dropFirst().first, rest.count) {
        case (nil, _): return page(of: id, path, in: request.language)
        case ("region.json", 2): return reading { try data(of: id, takesGzip: request.takesGzip) }
        case ("tiles", 5): return reading { try tile(rest[2...], of: id) }
        case ("photos", 3): return reading { try photo(rest[2], of: id) }
        case ("lines", 3): return reading { try line(rest[2], of: id) }
        default: return .notFound
        }
    }

    /// Reads an id in the form in which addresses have it; there is one for each id.
    private static func id(_ text: String) -> UUID? {
        UUID(uuidString: text).flatMap { $0.uuidString == text ? $0 : nil }
    }

    /// Returns the region of the store whose id starts with a text, if it is the only one.
    private func region(startingWith text: String) -> UUID? {
        guard case .store(let store) = content, text.utf8.count == Self.shortIDLength else { return nil }
        let ids = (try? store.regions().map(\.id).filter { $0.uuidString.hasPrefix(text) }) ?? []
        return ids.count == 1 ? ids[0] : nil
    }

    func region(_ id: UUID) -> any RegionContent {
        switch content {
        case .store(let store): StoredRegionContent(id, in: store)
        case .downloads(let downloads, _): downloads
        }
    }

    private func isShown(_ id: UUID) -> Bool {
        switch content {
        case .store(let store): (try? store.region(id)) != nil
        case .downloads(let downloads, _): downloads.region.id == id
        }
    }

    // Without its slash at the end, the addresses in a page would not count from it.
    private func list(_ path: WebPath) -> WebResponse {
        guard case .store = content else { return .notFound }
        return path.endsWithSlash ? WebResponse(html: Self.listPage) : .redirect(to: self.path(of: nil))
    }

    private func page(of id: UUID, _ path: WebPath, in language: Language) -> WebResponse {
        guard path.endsWithSlash else { return .redirect(to: self.path(of: id)) }
        let format = self.format(of: id)
        let page =
            switch content {
            case .store:
                Self.mapPage(
                    back: Sentence("All maps"),
                    format,
                    MapAssets.windowScripts + MapAssets.windowStyles,
                    in: language
                )
            case .downloads: Self.mapPage(back: Sentence("Back"), format, in: language)
            }
        var response = WebResponse(html: page, in: language)
        if format == .pbf, MapAssets.draws(format) { response.contentSecurityPolicy = Self.vectorSecurityPolicy }
        return response
    }

    /// Returns the format of the tiles of a region.
    private func format(of id: UUID) -> TileFormat? {
        switch content {
        case .store(let store): try? store.tileFormat(of: id)
        case .downloads(let downloads, _): downloads.region.format
        }
    }

    /// Returns what `body` reads; an error becomes a sentence without details of this machine.
    private func reading(_ body: () throws -> WebResponse?) -> WebResponse {
        do {
            return try body() ?? .notFound
        } catch let error as RegionStoreError where error.code == .notFound {
            return .notFound
        } catch {
            return WebResponse(.failed, "This part of the region cannot be read.")
        }
    }

    private func regions() throws -> WebResponse? {
        guard case .store(let store) = content else { return nil }
        let list = try store.regions().prefix(Self.maximumRegionCount).map { region in
            var facts = RegionFacts(region)
            facts.addedAt = region.addedAt
            return facts
        }
        return WebResponse(try PageJSON.encode(["regions": list]), as: "application/json")
    }

    private func data(of id: UUID, takesGzip: Bool) throws -> WebResponse {
        let region = region(id)
        func make() throws -> PageFile {
            try region.withItems { items in
                try PageFile(as: "application/json", in: region.temporaryFile) { append in
                    try RegionJSON(items, photos: .served, to: append).write()
                }
            }
        }
        let file = if case .downloads(_, let cache) = content { try cache.file(make) } else { try make() }
        return try file.response(takesGzip: takesGzip)
    }

    private func tile(_ numbers: ArraySlice<String>, of id: UUID) throws -> WebResponse? {
        let values = numbers.compactMap { text in Int(text).flatMap { String($0) == text ? $0 : nil } }
        guard values.count == 3,
            let address = TileAddress(zoomLevel: values[0], column: values[1], row: values[2])
        else { return nil }
        let tile: MapTile?
        switch content {
        case .store(let store): tile = try store.tile(address, of: id)
        case .downloads(let downloads, _): tile = try downloads.tile(address)
        }
        if format(of: id) == .pbf { return tile.flatMap(Self.vector) ?? .noContent }
        return tile.flatMap { tile in tile.format?.imageType.map { WebResponse(tile.data, as: $0) } } ?? Self.emptyTile
    }

    /// An image of one transparent point for the gaps of a map, because browsers report a missing image as an error.
    static let emptyTile = WebResponse(
        Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF]
            + [0x21, 0xF9, 4, 1, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 1, 0x44, 0, 0x3B],
        as: "image/gif"
    )

    /// Returns a vector tile as it is in the map, where it is usually compressed; nil if it is something else.
    private static func vector(_ tile: MapTile) -> WebResponse? {
        guard tile.format == .pbf else { return nil }
        var response = WebResponse(tile.data, as: "application/vnd.mapbox-vector-tile")
        switch tile.data.first {
        case 0x1F: response.encoding = "gzip"
        case 0x78: response.encoding = "deflate"
        default: break
        }
        return response
    }

    /// Returns a photo as a file, because it may be large.
    private func photo(_ name: String, of id: UUID) throws -> WebResponse? {
        guard let waypointID = Self.id(name) else { return nil }
        let region = region(id)
        return try region.withItems { items in
            guard let photo = try items.photo(of: waypointID) else { return nil }
            var (file, start): (OpenFile, UInt64)
            if let downloads = region as? RegionDownloads {
                guard let known = downloads.photoFile(of: waypointID) else { return nil }
                (file, start) = known
            } else {
                (file, start) = (try region.temporaryFile(), 0)
                var length: UInt64 = 0
                try photo.forEachPiece { bytes in
                    try file.write(bytes, at: length)
                    length += UInt64(bytes.count)
                }
            }
            let tag = UUID().uuidString
            let content = WebFile(taking: try file.duplicate(), start: start, size: UInt64(photo.size), entityTag: tag)
            return WebResponse(content, as: photo.format.contentType)
        }
    }

    private static let maximumRegionCount = 5_000

    /// The data of a page, which are made once.
    final class PageCache: Sendable {
        private let made = Mutex<PageFile?>(nil)

        /// Returns the data; the first caller makes them.
        func file(_ make: () throws -> PageFile) throws -> PageFile {
            try made.withLock { made in
                if let made { return made }
                let file = try make()
                made = file
                return file
            }
        }
    }
}
