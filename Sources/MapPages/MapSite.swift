package import FoundationEssentials
internal import PeerStorage
package import RegionStore
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

    /// The content of the site.
    private enum Content {
        /// All regions, as they are when they are asked for.
        case store(RegionStore)
        /// One region, as it was.
        case downloads(RegionDownloads, PageCache)
    }

    private let content: Content
    private let secret: MapSecret

    /// Creates the pages of a store.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - secret: The start of all paths.
    package init(of store: RegionStore, secret: MapSecret) {
        content = .store(store)
        self.secret = secret
    }

    /// Creates the page of what a sender shows of a region.
    init(of downloads: RegionDownloads, secret: MapSecret) {
        content = .downloads(downloads, PageCache())
        self.secret = secret
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

    /// Answers a request.
    package func respond(to request: WebRequest) -> WebResponse {
        let path = request.path
        guard let first = path.components.first, secret.matches(first) else { return .notFound }
        let rest = Array(path.components.dropFirst())
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
        case (nil, _): return page(of: id, path)
        case ("region.json", 2): return reading { try region(id, takesGzip: request.takesGzip) }
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

    private func page(of id: UUID, _ path: WebPath) -> WebResponse {
        guard path.endsWithSlash else { return .redirect(to: self.path(of: id)) }
        let format = self.format(of: id)
        var response: WebResponse
        switch content {
        case .store:
            let page = Self.mapPage(
                back: "All regions",
                format,
                MapAssets.windowScripts,
                moreStyles: [MapAssets.windowStyle]
            )
            response = WebResponse(html: page)
        case .downloads: response = WebResponse(html: Self.mapPage(back: "Back", format))
        }
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

    private func region(_ id: UUID, takesGzip: Bool) throws -> WebResponse {
        let file: PageFile
        switch content {
        case .store(let store):
            file = try store.withItems(of: id) { try Self.data($0, in: store.temporaryFile) }
        case .downloads(let downloads, let cache):
            file = try cache.file { try Self.data(downloads, in: downloads.temporaryFile) }
        }
        return try file.response(takesGzip: takesGzip)
    }

    private static func data(_ items: any RegionItems, in makeFile: () throws -> OpenFile) throws -> PageFile {
        try PageFile(as: "application/json", in: makeFile) { append in
            try RegionJSON.write(items, photos: .served, to: append)
        }
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
        // A map may have gaps. They are drawn as an empty image, because browsers report a missing one as an error.
        guard let tile, let type = tile.format?.imageType else {
            return WebResponse(EmptyImage.bytes, as: EmptyImage.contentType)
        }
        return WebResponse(tile.data, as: type)
    }

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
        switch content {
        case .store(let store):
            return try store.withItems(of: id) { items in
                guard let photo = try items.photo(of: waypointID) else { return nil }
                let file = try store.temporaryFile()
                var length: UInt64 = 0
                try photo.forEachPiece { piece in
                    try file.write(piece, at: length)
                    length += UInt64(piece.count)
                }
                return try Self.response(photo, in: file, at: 0)
            }
        case .downloads(let downloads, _):
            guard let photo = try downloads.photo(of: waypointID),
                let (file, start) = downloads.photoFile(of: waypointID)
            else { return nil }
            return try Self.response(photo, in: file, at: start)
        }
    }

    private static func response(_ photo: PhotoReader, in file: OpenFile, at start: UInt64) throws -> WebResponse {
        WebResponse(
            WebFile(
                taking: try file.duplicate(),
                name: nil,
                contentType: photo.format.contentType,
                start: start,
                size: UInt64(photo.size),
                entityTag: UUID().uuidString
            )
        )
    }

    private func line(_ name: String, of id: UUID) throws -> WebResponse? {
        switch content {
        case .store(let store):
            return try store.withItems(of: id) { items in
                try LineFile.response(name, of: items, creator: store.application, in: store.temporaryFile)
            }
        case .downloads(let downloads, _):
            return try LineFile.response(
                name,
                of: downloads,
                creator: downloads.application,
                isIdentifying: downloads.includesPersonal,
                in: downloads.temporaryFile
            )
        }
    }

    /// The maximum number of regions in the list.
    private static let maximumRegionCount = 5_000
}
