internal import Glibc
package import PeerStorage
internal import RegionStore
internal import Sentences
package import WebServer

/// The pages for phones of a sender: that of its region, or a list of those of its regions.
package struct ShareListSite: WebSite {
    private let sites: [ShareSite]
    private let secret: MapSecret

    /// Creates the site of one region, or of several.
    ///
    /// - Parameter sites: The pages of the regions, each with a secret of its own.
    package init(_ sites: [ShareSite], secret: MapSecret) { (self.sites, self.secret) = (sites, secret) }

    /// The path of the first page that people open.
    package var path: String { sites.count == 1 ? sites[0].path : "/\(secret.text)/" }

    package func respond(to request: WebRequest) -> WebResponse {
        if let site = site(for: request) { return site.respond(to: request) }
        guard sites.count > 1, let rest = secret.rest(of: request.path) else { return .notFound }
        if let answer = LanguageChoice.answer(to: rest, request.path, backTo: self.path) { return answer }
        guard rest.isEmpty else { return .notFound }
        return request.path.endsWithSlash ? page(in: request.language) : .redirect(to: self.path)
    }

    /// Returns the refusal of content for a path; nil if a browser can send content there.
    package func refusal(ofContentFor request: WebRequest) -> WebResponse? {
        guard let site = site(for: request) else { return .notFound }
        return site.refusal(ofContentFor: request, besides: sites.compactMap(\.uploads))
    }

    package func contentFile() throws -> OpenFile {
        guard let first = sites.first else { throw SystemError(number: EROFS) }
        return try first.contentFile()
    }

    private func site(for request: WebRequest) -> ShareSite? {
        sites.first { $0.secret.rest(of: request.path) != nil }
    }

    /// The list, which needs no scripts, with the styles of the first page.
    private func page(in language: Language) -> WebResponse {
        let styles = MapAssets.styles.map { #"<link rel="stylesheet" href="\#(sites[0].path)assets/\#($0.name)">"# }
        let items = sites.map { site in
            let name = MapLimits.shownName(site.downloads.region.name).escapedInHTML
            let size = Sentence.size(site.downloads.region.mapSize)
            let map = language(Sentence("map \(size)")).escapedInHTML
            return #"<li><a class="action" href="\#(site.path)">\#(name)</a> <span class="hint">\#(map)</span></li>"#
        }
        let count = sites.count
        let html = """
            <!doctype html>
            <html \(LanguageChoice.attributes(of: language)) data-ready="yes">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="referrer" content="no-referrer">
            <title>\(language(Sentence("Maps")).escapedInHTML)</title>
            <link rel="icon" href="data:,">
            \(styles.joined(separator: "\n"))
            </head>
            <body class="share-page">
            <header><h1>\(language(Sentence("\(count, "map")")).escapedInHTML)</h1></header>
            <main>
            <ul>
            \(items.joined(separator: "\n"))
            </ul>
            </main>
            \(LanguageChoice.html(in: language))
            </body>
            </html>
            """
        return WebResponse(html: html, in: language)
    }
}
