import FoundationEssentials

/// A page that shows a film; it needs nothing else than a browser.
package struct FilmPage {
    private let film: Film

    package init(_ film: Film) { self.film = film }

    /// Makes the page, which is the same for the same film.
    ///
    /// - Returns: HTML.
    /// - Throws: `EncodingError` if the film cannot be written as JSON.
    package func html() throws -> String {
        let count = film.names.count
        let values = [
            "title": "\(count) peers, one group",
            "summary": """
            A simulated group, made from seed \(film.seed): the whole library runs on a network in memory, which breaks and heals. \
            \(film.messages.count) messages were sent, and heard \(film.heardCount) times.
            """,
            "style": Self.text(PackageResources.film_css),
            "script": Self.text(PackageResources.film_js),
            "story": film.story.map(item).joined(separator: "\n"),
            "film": try json(),
        ]
        return Self.fill(Self.text(PackageResources.film_html), values)
    }

    /// The film as JSON that ends no element of HTML.
    private func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        var film = film
        // It is in the list already.
        film.story = []
        return String(decoding: try encoder.encode(film), as: UTF8.self).replacing("<", with: "\\u003c")
    }

    private func item(_ line: Story.Line) -> String {
        let seconds = line.time / 1000
        let padded = seconds % 60 < 10 ? "0\(seconds % 60)" : "\(seconds % 60)"
        let time = "<time>\(seconds / 60):\(padded)</time>"
        let head = "<li class=\"\(line.kind.rawValue)\" data-time=\"\(line.time)\">"
        return "\(head)\(time) <span>\(Self.escape(line.text))</span></li>"
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private static func escape(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    /// Replaces each `{{name}}` of a template once, so that values may have braces.
    private static func fill(_ template: String, _ values: [String: String]) -> String {
        var parts = template.split(separator: "{{", omittingEmptySubsequences: false)
        var page = String(parts.removeFirst())
        for part in parts {
            let pieces = part.split(separator: "}}", maxSplits: 1, omittingEmptySubsequences: false)
            page += values[String(pieces[0])] ?? ""
            if pieces.count > 1 { page += pieces[1] }
        }
        return page
    }
}
