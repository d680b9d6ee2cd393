internal import CMapAssets
internal import RegionStore
internal import Sentences

/// The files of the pages, which are a part of the program.
enum MapAssets {
    struct File: Sendable {
        var name: String
        var bytes: [UInt8]
        var isStyle: Bool { name.hasSuffix(".css") }

        var contentType: String {
            (isStyle ? "text/css" : name.hasSuffix(".js") ? "text/javascript" : "text/plain") + "; charset=utf-8"
        }

        var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    private static let embedded = {
        var count = 0
        let assets = UnsafeBufferPointer(start: cmapassets(&count), count: count)
        return Dictionary(
            assets.map { asset in
                let name = String(cString: asset.name)
                let bytes = Array(UnsafeBufferPointer(start: asset.bytes, count: asset.count))
                return (name, File(name: name, bytes: bytes))
            }
        ) { $1 }
    }()

    /// Whether the program contains MapLibre, which draws vector tiles.
    static let hasMapLibre = embedded["maplibre.js"] != nil

    private static func files(_ names: String...) -> [File] { names.compactMap { embedded[$0] } }

    private static func page(_ name: String) -> String { embedded[name]?.text ?? "" }

    /// The style sheets of all pages.
    static let styles = files("leaflet.css", "style.css")
    static let windowStyles = files("window.css")
    /// The style sheet of an HTML file where scripts do not run.
    static let pictureStyles = files("picture.css")

    // All scripts are in the order in which they run.

    static let mapScripts = files(
        "leaflet.js",
        "words.js",
        "tiles.js",
        "profile.js",
        "clusters.js",
        "waypoints.js",
        "saving.js",
        "search.js",
        "panel.js",
        "tools.js",
        "places.js",
        "measuring.js",
        "position.js",
        "address.js",
        "printing.js",
        "map.js"
    )

    /// What a page with vector tiles has besides, before all but the first script of the map.
    static let vectorScripts = files(
        "maplibre.js",
        "vector-schemas.js",
        "vector-icons.js",
        "vector-style.js",
        "vector.js"
    )

    /// The scripts of the window on the page with the map of a region, after those of the map.
    static let windowScripts = files(
        "window-text.js",
        "window.js",
        "dialogs.js",
        "exports.js",
        "ways.js",
        "marking.js",
        "plan.js",
        "plan-words.js",
        "plan-layer.js",
        "plan-panel.js",
        "planning.js",
        "area.js",
        "start.js"
    )
    static let listScripts = files(
        "words.js",
        "window-text.js",
        "window.js",
        "dialogs.js",
        "exports.js",
        "take.js",
        "sending.js",
        "opened.js",
        "add.js",
        "ways.js",
        "give.js",
        "house.js",
        "phones.js",
        "trust.js",
        "check.js",
        "list.js",
        "start.js"
    )
    /// The scripts of the page for phones.
    static let shareScripts = files("words.js", "sending.js", "upload.js", "share.js")
    /// The script with the sentences of all languages, for a page that has no server.
    static let allLanguages = languageScript("languages.js", Language.all)
    private static let languages = Dictionary(
        Language.all.map { language in (language, languageScript("language-\(language.tag).js", [language])) }
    ) { $1 }

    /// Returns the script with the sentences of a page in a language, which comes before all others; empty for English.
    static func scripts(of language: Language) -> [File] {
        language == .english ? [] : languages[language].map { [$0] } ?? []
    }

    private static func languageScript(_ name: String, _ languages: [Language]) -> File {
        let tables = languages.compactMap { language in
            language.scriptSentences.map { Array("\"\(language.tag)\":".utf8) + $0 }
        }
        let start = Array("'use strict';\nconst languageTables = {".utf8)
        return File(name: name, bytes: start + tables.joined(separator: Array(",\n".utf8)) + Array("};\n".utf8))
    }

    /// The licences of Leaflet, and of MapLibre and what it contains.
    static let licences = files("leaflet-licence.txt", "maplibre-licence.txt")

    /// Every file that pages load, by its name.
    static let all = Dictionary(
        [
            styles, windowStyles, mapScripts(for: .pbf), windowScripts, listScripts, shareScripts, licences,
            Array(languages.values),
        ].joined().map { ($0.name, $0) }
    ) { $1 }

    /// The frame of the page with a map.
    static let mapPage = page("map.html")
    /// The frame of the page with the list of regions.
    static let listPage = page("list.html")
    /// The frame of the page for phones.
    static let sharePage = page("share.html")

    /// Returns whether pages draw tiles of a format.
    static func draws(_ format: TileFormat?) -> Bool { format?.imageType != nil || format == .pbf && hasMapLibre }

    /// Returns the scripts of a map whose tiles have a format.
    static func mapScripts(for format: TileFormat?) -> [File] {
        guard format == .pbf, draws(format) else { return mapScripts }
        return mapScripts.prefix(1) + vectorScripts + mapScripts.dropFirst()
    }
}

extension String {
    /// Returns a page with something in place of a mark such as `<!--SCRIPTS-->`.
    func filling(_ mark: String, _ content: String) -> String {
        let parts = split(separator: "<!--\(mark)-->", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.joined(separator: content)
    }
}
