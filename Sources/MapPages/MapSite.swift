package import FoundationEssentials
package import RegionStore
package import WebServer

/// The pages of a store: a list of its regions, and a map of each.
///
/// They only read. All paths begin with a secret.
package struct MapSite: Sendable {
    /// The content security policy of the pages: scripts, styles and data of this server only; images also from data.
    package static let contentSecurityPolicy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'",
        "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    private let store: RegionStore
    private let secret: MapSecret
    /// The only region that is shown, with the items that are; nil for all regions.
    private let only: RegionContent?
    /// Whether the tiles of maps are served.
    private let showsTiles: Bool

    /// Creates the pages of a store.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - secret: The start of all paths.
    ///   - only: The only region that is shown, with the items that are; nil for all regions and a list of them.
    ///   - showsTiles: Whether the tiles of maps are served. Without them, lines and waypoints are drawn on an empty map.
    package init(
        of store: RegionStore,
        secret: MapSecret,
        onlyShowing only: RegionContent? = nil,
        showsTiles: Bool = true
    ) {
        self.store = store
        self.secret = secret
        self.only = only
        self.showsTiles = showsTiles
    }

    /// Returns the path of the map of a region, or of the list of regions.
    package func path(of regionID: UUID?) -> String {
        "/\(secret.text)/" + (regionID.map { $0.uuidString + "/" } ?? "")
    }

    /// Answers a request.
    package func respond(to path: WebPath) -> WebResponse {
        guard let first = path.components.first, secret.matches(first) else { return .notFound }
        let rest = Array(path.components.dropFirst())
        guard let name = rest.first else { return only == nil ? page(Self.listPage, of: path, nil) : .notFound }
        switch (name, rest.count) {
        case ("regions.json", 1): return only == nil ? content { try regions() } : .notFound
        case ("assets", 2): return MapAssets.all[rest[1]].map { WebResponse($0.bytes, as: $0.contentType) } ?? .notFound
        default: break
        }
        guard let id = Self.id(name), only.map({ $0.region.id == id }) ?? true else { return .notFound }
        switch (rest.dropFirst().first, rest.count) {
        case (nil, _): return page(only == nil ? Self.mapPage : Self.sharedMapPage, of: path, id)
        case ("region.json", 2): return content { try region(id) }
        case ("tiles", 5): return content { try tile(rest[2...], of: id) }
        case ("photos", 3): return content { try photo(rest[2], of: id) }
        default: return .notFound
        }
    }

    /// Reads an id in the form in which addresses have it; there is one for each id.
    private static func id(_ text: String) -> UUID? {
        UUID(uuidString: text).flatMap { $0.uuidString == text ? $0 : nil }
    }

    /// Returns a page, or sends the browser to the address with a slash, from which the addresses in the page count.
    private func page(_ text: String, of path: WebPath, _ id: UUID?) -> WebResponse {
        guard path.endsWithSlash else { return .redirect(to: self.path(of: id)) }
        if let id, (try? store.region(id)) == nil { return .notFound }
        return WebResponse(Array(text.utf8), as: "text/html; charset=utf-8")
    }

    /// Returns what `body` reads; an error becomes a sentence without details of this machine.
    private func content(_ body: () throws -> WebResponse) -> WebResponse {
        do {
            return try body()
        } catch let error as RegionStoreError where error.code == .notFound {
            return .notFound
        } catch {
            return WebResponse(.failed, "This part of the region cannot be read.")
        }
    }

    private func regions() throws -> WebResponse {
        let list = ["regions": try store.regions().prefix(Self.maximumRegionCount).map(RegionFacts.init)]
        return WebResponse(try PageJSON.encode(list), as: "application/json")
    }

    private func region(_ id: UUID) throws -> WebResponse {
        let data = RegionData(try only ?? store.content(of: id)) { photo in
            "photos/" + photo.waypointID.uuidString
        }
        return WebResponse(try PageJSON.encode(data), as: "application/json")
    }

    private func tile(_ numbers: ArraySlice<String>, of id: UUID) throws -> WebResponse {
        let values = numbers.compactMap { text in Int(text).flatMap { String($0) == text ? $0 : nil } }
        guard values.count == 3,
            let address = TileAddress(zoomLevel: values[0], column: values[1], row: values[2])
        else { return .notFound }
        // A map may have gaps. They are drawn as an empty image, because browsers report a missing one as an error.
        guard showsTiles, let tile = try store.tile(address, of: id), let type = tile.format?.imageType else {
            return WebResponse(EmptyImage.bytes, as: EmptyImage.contentType)
        }
        return WebResponse(tile.data, as: type)
    }

    private func photo(_ name: String, of id: UUID) throws -> WebResponse {
        guard let waypointID = Self.id(name),
            only.map({ $0.photos.contains { $0.waypointID == waypointID } }) ?? true,
            let photo = try store.photo(of: waypointID, in: id)
        else { return .notFound }
        return WebResponse(photo.data, as: photo.format.contentType)
    }

    /// The maximum number of regions in the list.
    private static let maximumRegionCount = 5_000

    private static let listPage = linked(
        MapAssets.listPage,
        assets: "assets/",
        MapAssets.listScripts,
        data: "regions.json"
    )
    private static let mapPage = linked(
        MapAssets.mapPage,
        assets: "../assets/",
        MapAssets.mapScripts,
        data: "region.json"
    )
    private static let sharedMapPage = mapPage.replacing("All regions", with: "Back")

    /// Returns a page that loads its styles, scripts and data from the server.
    ///
    /// - Parameters:
    ///   - page: The frame of the page.
    ///   - assets: The path of the styles and scripts.
    ///   - scripts: The scripts.
    ///   - data: The file that the scripts load first. The browser loads it while it loads the scripts, and not after them.
    /// - Returns: The page.
    static func linked(_ page: String, assets: String, _ scripts: [MapAssets.File], data: String) -> String {
        var styles = MapAssets.styles.map { #"<link rel="stylesheet" href="\#(assets)\#($0.name)">"# }
        styles.insert(#"<link rel="preload" as="fetch" href="\#(data)" crossorigin>"#, at: 0)
        let tags = scripts.map { #"<script src="\#(assets)\#($0.name)"></script>"# }
        return page.filling("STYLES", styles.joined(separator: "\n")).filling("SCRIPTS", tags.joined(separator: "\n"))
            .filling("POLICY", "").filling("DATA", "")
    }
}
