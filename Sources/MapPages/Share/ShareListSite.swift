internal import Glibc
package import PeerStorage
internal import RegionStore
package import WebServer

/// The pages for phones of a sender: that of its region, or a list of those of its regions.
package struct ShareListSite: WebSite {
    private let sites: [ShareSite]
    private let secret: MapSecret

    /// Creates the site of one region, or of several.
    ///
    /// - Parameters:
    ///   - sites: The pages of the regions, each with a secret of its own.
    ///   - secret: The start of the path of the list.
    package init(_ sites: [ShareSite], secret: MapSecret) {
        self.sites = sites
        self.secret = secret
    }

    /// The path of the first page that people open.
    package var path: String { sites.count == 1 ? sites[0].path : "/\(secret.text)/" }

    /// Answers a request.
    package func respond(to request: WebRequest) -> WebResponse {
        if let site = site(for: request) { return site.respond(to: request) }
        let path = request.path
        guard sites.count > 1, path.components.count == 1, let first = path.components.first, secret.matches(first)
        else {
            return .notFound
        }
        return path.endsWithSlash ? WebResponse(html: page) : .redirect(to: self.path)
    }

    /// Returns the refusal of content for a path; nil if a browser can send content there.
    package func refusal(ofContentFor request: WebRequest) -> WebResponse? {
        guard let site = site(for: request) else { return .notFound }
        return site.refusal(ofContentFor: request, besides: sites.compactMap(\.uploads))
    }

    /// Creates an empty file for the content of a request.
    package func contentFile() throws -> OpenFile {
        guard let first = sites.first else { throw SystemError(number: EROFS) }
        return try first.contentFile()
    }

    private func site(for request: WebRequest) -> ShareSite? {
        guard let first = request.path.components.first else { return nil }
        return sites.first { $0.secret.matches(first) }
    }

    /// The list, which needs no scripts, with the styles of the first page.
    private var page: String {
        let styles = MapAssets.styles.map { #"<link rel="stylesheet" href="\#(sites[0].path)assets/\#($0.name)">"# }
        let items = sites.map { site in
            let name = MapLimits.shownName(site.downloads.region.name).escapedInHTML
            let size = PageWords.size(site.downloads.region.mapSize)
            return
                #"<li><a class="action" href="\#(site.path)">\#(name)</a> <span class="hint">map \#(size)</span></li>"#
        }
        return """
            <!doctype html>
            <html lang="en" data-ready="yes">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="referrer" content="no-referrer">
            <title>Maps</title>
            <link rel="icon" href="data:,">
            \(styles.joined(separator: "\n"))
            </head>
            <body class="share-page">
            <header><h1>\(sites.count) maps</h1></header>
            <main>
            <ul>
            \(items.joined(separator: "\n"))
            </ul>
            </main>
            </body>
            </html>
            """
    }
}
