internal import Crypto
internal import FoundationEssentials
internal import RegionStore
internal import Sentences

extension OfflinePage {
    /// The page before what it shows without scripts, between that and the data, and behind the data.
    ///
    /// Its scripts and styles are a part of it, and its content security policy has their digests. So nothing else runs, even if
    /// the data of the file are changed.
    static let frame = makeFrame(for: nil)
    /// The page of a map with vector tiles.
    static let vectorFrame = makeFrame(for: .pbf)

    private static func makeFrame(for format: TileFormat?) -> (start: String, middle: String, end: String) {
        let styles = MapAssets.styles.map(\.text)
        let still = MapAssets.pictureStyles.map(\.text)
        let scripts = ([MapAssets.allLanguages] + MapAssets.mapScripts(for: format)).map(\.text)
        let drawsVectors = format == .pbf && MapAssets.draws(format)
        let policy =
            [
                "default-src 'none'", "script-src \(scripts.map(digest).joined(separator: " "))",
                "style-src \((styles + still).map(digest).joined(separator: " "))", "img-src data:", "base-uri 'none'",
                "form-action 'none'",
            ] + (drawsVectors ? ["worker-src blob:"] : [])
        let meta = #"<meta http-equiv="Content-Security-Policy" content="\#(policy.joined(separator: "; "))">"#
        let licences = zip(["Leaflet", "MapLibre"], MapAssets.licences).prefix(drawsVectors ? 2 : 1).map {
            "This file contains \($0):\n\($1.text)"
        }
        // There is no other page to go to.
        let page = MapAssets.mapPage.said(in: .english).filling("NAVIGATION", "")
            .filling("POLICY", meta + "\n<!--\n\(licences.joined(separator: "\n"))-->")
            .filling("STYLES", elements("style", styles))
        let (start, noscript, rest) = page.divided(at: "<noscript>")
        let (_, close, behind) = rest.divided(at: "</noscript>")
        let (middle, _, last) = behind.divided(at: "<!--DATA-->")
        let end = last.filling("SCRIPTS", elements("script", scripts))
        return (start + noscript + elements("style", still), close + middle, end)
    }

    private static func elements(_ name: String, _ contents: [String]) -> String {
        contents.map { "<\(name)>\($0)</\(name)>" }.joined(separator: "\n")
    }

    private static func digest(_ text: String) -> String {
        "'sha256-\(Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString())'"
    }
}

extension String {
    /// Returns the text before the first place of a mark, the mark, and the text behind it; the whole text if there is none.
    fileprivate func divided(at mark: String) -> (before: String, mark: String, behind: String) {
        let parts = split(separator: mark, maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return parts.count == 2 ? (parts[0], mark, parts[1]) : (self, "", "")
    }
}
