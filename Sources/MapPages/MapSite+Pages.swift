internal import RegionStore
internal import Sentences
package import WebServer

/// The frames of the pages.
extension MapSite {
    static let listPage = linked(
        MapAssets.listPage,
        assets: "assets/",
        MapAssets.listScripts + MapAssets.windowStyles,
        data: "regions.json"
    )

    /// Returns the page of a map in a language.
    ///
    /// - Parameter back: Where its first link leads.
    static func mapPage(
        back: Sentence,
        _ format: TileFormat?,
        _ files: [MapAssets.File] = [],
        in language: Language
    ) -> String {
        let back = language(back).escapedInHTML
        let link = #"<nav id="navigation"><a href="../">\#(back)</a></nav>"#
        let page = MapAssets.mapPage.said(in: language).filling("NAVIGATION", link)
        let scripts = MapAssets.scripts(of: language) + MapAssets.mapScripts(for: format)
        return linked(page, assets: "../assets/", scripts + files, data: "region.json")
    }

    /// Returns a page that loads its scripts and styles from the server, besides the styles of all pages.
    ///
    /// - Parameter data: The file that the scripts load first. The browser loads it while it loads the scripts, and not after them.
    static func linked(_ page: String, assets: String, _ files: [MapAssets.File], data: String?) -> String {
        let styles = (MapAssets.styles + files.filter(\.isStyle)).map {
            #"<link rel="stylesheet" href="\#(assets)\#($0.name)">"#
        }
        let links = data.map { [#"<link rel="preload" as="fetch" href="\#($0)" crossorigin>"#] + styles } ?? styles
        let scripts = files.filter { !$0.isStyle }.map { #"<script src="\#(assets)\#($0.name)"></script>"# }
        return page.filling("STYLES", links.joined(separator: "\n"))
            .filling("SCRIPTS", scripts.joined(separator: "\n")).filling("POLICY", "").filling("DATA", "")
    }
}

extension WebResponse {
    /// Returns an answer with a value as JSON, or what to say if there is none.
    package static func json(_ value: some Encodable, orSaying sentence: String) -> WebResponse {
        guard let bytes = try? PageJSON.encode(value) else { return WebResponse(.failed, sentence) }
        return WebResponse(bytes, as: "application/json")
    }

    /// Creates an answer with a page.
    ///
    /// - Parameter language: The language of the page, if it has others; nil if it is the same for all people.
    init(html: String, in language: Language? = nil) {
        self.init(Array(html.utf8), as: "text/html; charset=utf-8")
        self.language = language
    }
}
