internal import CMapAssets
internal import RegionStore

/// The files of the pages, which are a part of the program.
enum MapAssets {
    /// A file that pages load by its name.
    struct File: Sendable {
        var name: String
        var contentType: String
        var bytes: [UInt8]
    }

    private static let script = "text/javascript; charset=utf-8"
    private static let sheet = "text/css; charset=utf-8"

    /// The style sheets of all pages.
    static let styles = [
        File(name: "leaflet.css", contentType: sheet, bytes: bytes(cmapassets_leaflet_style())),
        File(name: "style.css", contentType: sheet, bytes: bytes(cmapassets_style())),
    ]

    /// The style sheet of an HTML file where scripts do not run.
    static let pictureStyle = File(name: "picture.css", contentType: sheet, bytes: bytes(cmapassets_picture_style()))

    /// The scripts of the map, in their order.
    static let mapScripts = [
        File(name: "leaflet.js", contentType: script, bytes: bytes(cmapassets_leaflet_script())),
        words,
        File(name: "tiles.js", contentType: script, bytes: bytes(cmapassets_tiles_script())),
        File(name: "profile.js", contentType: script, bytes: bytes(cmapassets_profile_script())),
        File(name: "clusters.js", contentType: script, bytes: bytes(cmapassets_clusters_script())),
        File(name: "waypoints.js", contentType: script, bytes: bytes(cmapassets_waypoints_script())),
        File(name: "saving.js", contentType: script, bytes: bytes(cmapassets_saving_script())),
        File(name: "search.js", contentType: script, bytes: bytes(cmapassets_search_script())),
        File(name: "panel.js", contentType: script, bytes: bytes(cmapassets_panel_script())),
        File(name: "tools.js", contentType: script, bytes: bytes(cmapassets_tools_script())),
        File(name: "places.js", contentType: script, bytes: bytes(cmapassets_places_script())),
        File(name: "measuring.js", contentType: script, bytes: bytes(cmapassets_measuring_script())),
        File(name: "position.js", contentType: script, bytes: bytes(cmapassets_position_script())),
        File(name: "address.js", contentType: script, bytes: bytes(cmapassets_address_script())),
        File(name: "printing.js", contentType: script, bytes: bytes(cmapassets_printing_script())),
        File(name: "map.js", contentType: script, bytes: bytes(cmapassets_map_script())),
    ]

    /// Whether the program contains MapLibre, which draws vector tiles.
    static let hasMapLibre = cmapassets_maplibre_script().count > 0

    /// What a page with vector tiles has besides, in the order in which they run, before all but the first script of the map.
    static let vectorScripts = [
        File(name: "maplibre.js", contentType: script, bytes: bytes(cmapassets_maplibre_script())),
        File(name: "vector-schemas.js", contentType: script, bytes: bytes(cmapassets_vector_schemas_script())),
        File(name: "vector-icons.js", contentType: script, bytes: bytes(cmapassets_vector_icons_script())),
        File(name: "vector-style.js", contentType: script, bytes: bytes(cmapassets_vector_style_script())),
        File(name: "vector.js", contentType: script, bytes: bytes(cmapassets_vector_script())),
    ]

    /// Returns whether pages draw tiles of a format.
    static func draws(_ format: TileFormat?) -> Bool {
        format?.imageType != nil || format == .pbf && hasMapLibre
    }

    /// Returns the scripts of a map whose tiles have a format, in their order.
    static func mapScripts(for format: TileFormat?) -> [File] {
        guard format == .pbf, draws(format) else { return mapScripts }
        return mapScripts.prefix(1) + vectorScripts + mapScripts.dropFirst()
    }

    /// The scripts of the list of regions, in their order.
    static let listScripts =
        [words] + windowScripts
        + [File(name: "list.js", contentType: script, bytes: bytes(cmapassets_list_script()))]

    /// The scripts of the window, in their order.
    static let windowScripts = [
        File(name: "window-text.js", contentType: script, bytes: bytes(cmapassets_window_text_script())),
        File(name: "window.js", contentType: script, bytes: bytes(cmapassets_window_script())),
    ]

    /// The style sheet of the window.
    static let windowStyle = File(name: "window.css", contentType: sheet, bytes: bytes(cmapassets_window_style()))

    /// The scripts of the page for phones, in their order.
    static let shareScripts = [
        words, File(name: "upload.js", contentType: script, bytes: bytes(cmapassets_upload_script())),
        File(name: "share.js", contentType: script, bytes: bytes(cmapassets_share_script())),
    ]

    private static let words = File(name: "words.js", contentType: script, bytes: bytes(cmapassets_words_script()))

    /// The licence of Leaflet.
    static let licence = File(
        name: "leaflet-licence.txt",
        contentType: "text/plain; charset=utf-8",
        bytes: bytes(cmapassets_leaflet_licence())
    )

    /// The licence of MapLibre, and of what it contains.
    static let mapLibreLicence = File(
        name: "maplibre-licence.txt",
        contentType: "text/plain; charset=utf-8",
        bytes: bytes(cmapassets_maplibre_licence())
    )

    /// Every file, by its name.
    static let all = Dictionary(
        (styles + [windowStyle] + mapScripts(for: .pbf) + listScripts + shareScripts + [licence, mapLibreLicence]).map {
            ($0.name, $0)
        }
    ) { $1 }

    /// The frame of the page with a map.
    static var mapPage: String { text(cmapassets_map_page()) }

    /// The frame of the page with the list of regions.
    static var listPage: String { text(cmapassets_list_page()) }

    /// The frame of the page for phones.
    static var sharePage: String { text(cmapassets_share_page()) }

    private static func bytes(_ asset: CMapAsset) -> [UInt8] {
        Array(UnsafeBufferPointer(start: asset.bytes, count: asset.count))
    }

    private static func text(_ asset: CMapAsset) -> String {
        String(decoding: UnsafeBufferPointer(start: asset.bytes, count: asset.count), as: UTF8.self)
    }
}

extension String {
    /// Returns a page with something in place of a mark such as `<!--SCRIPTS-->`.
    func filling(_ mark: String, _ content: String) -> String {
        let parts = split(separator: "<!--\(mark)-->", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.joined(separator: content)
    }
}
