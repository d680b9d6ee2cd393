internal import RegionStore
internal import Synchronization
internal import WebServer

/// The frames of the pages.
extension MapSite {
    static let listPage = linked(
        MapAssets.listPage,
        assets: "assets/",
        MapAssets.listScripts,
        moreStyles: [MapAssets.windowStyle],
        data: "regions.json"
    )

    static func mapPage(
        back: String,
        _ format: TileFormat?,
        _ scripts: [MapAssets.File] = [],
        moreStyles: [MapAssets.File] = []
    ) -> String {
        let page = MapAssets.mapPage.filling("NAVIGATION", #"<nav id="navigation"><a href="../">\#(back)</a></nav>"#)
        return linked(
            page,
            assets: "../assets/",
            MapAssets.mapScripts(for: format) + scripts,
            moreStyles: moreStyles,
            data: "region.json"
        )
    }

    /// Returns a page that loads its styles, scripts and data from the server.
    ///
    /// - Parameters:
    ///   - page: The frame of the page.
    ///   - assets: The path of the styles and scripts.
    ///   - scripts: The scripts.
    ///   - moreStyles: The styles besides those of all pages.
    ///   - data: The file that the scripts load first. The browser loads it while it loads the scripts, and not after them.
    /// - Returns: The page.
    static func linked(
        _ page: String,
        assets: String,
        _ scripts: [MapAssets.File],
        moreStyles: [MapAssets.File] = [],
        data: String?
    ) -> String {
        var styles = (MapAssets.styles + moreStyles).map { #"<link rel="stylesheet" href="\#(assets)\#($0.name)">"# }
        if let data { styles.insert(#"<link rel="preload" as="fetch" href="\#(data)" crossorigin>"#, at: 0) }
        let tags = scripts.map { #"<script src="\#(assets)\#($0.name)"></script>"# }
        return page.filling("STYLES", styles.joined(separator: "\n")).filling("SCRIPTS", tags.joined(separator: "\n"))
            .filling("POLICY", "").filling("DATA", "")
    }
}

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

extension WebResponse {
    /// Creates an answer with a page.
    init(html: String) {
        self.init(Array(html.utf8), as: "text/html; charset=utf-8")
    }
}
