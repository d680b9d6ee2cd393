internal import Sentences
internal import WebServer

/// The choice of a language on a page, which works without scripts.
enum LanguageChoice {
    /// The component of paths before the name of a language.
    private static let folder = "language"

    /// Returns the answer to a path that chooses a language; nil for other paths.
    ///
    /// - Parameters:
    ///   - rest: The components of the path behind the secret.
    ///   - page: The path of the page that is shown then.
    static func answer(to rest: [String], _ path: WebPath, backTo page: String) -> WebResponse? {
        guard rest.count == 2, rest[0] == folder, !path.endsWithSlash, let language = Language.named(rest[1]) else {
            return nil
        }
        return .choosing(language, backTo: page)
    }

    /// Returns the links of a page; empty if the program has one language only.
    static func html(in language: Language) -> String {
        guard Language.all.count > 1 else { return "" }
        let links = Language.all.map { each in
            let name = each.name.escapedInHTML
            return each == language
                ? #"<b lang="\#(each.tag)" aria-current="true">\#(name)</b>"#
                : #"<a href="\#(folder)/\#(each.tag)" lang="\#(each.tag)" hreflang="\#(each.tag)">\#(name)</a>"#
        }
        let title = language(Sentence("Language")).escapedInHTML
        return #"<nav class="languages" aria-label="\#(title)">\#(links.joined(separator: "\n"))</nav>"#
    }

    /// The attributes of a page in a language.
    static func attributes(of language: Language) -> String {
        #"lang="\#(language.tag)""# + (language.isRightToLeft ? #" dir="rtl""# : "")
    }
}

extension String {
    /// Returns the frame of a page in a language: the English texts between `{{` and `}}` are replaced.
    func said(in language: Language) -> String {
        let parts = split(separator: "{{", omittingEmptySubsequences: false)
        let said = parts.dropFirst().map { part in
            let (text, rest) = part.divided(at: "}}")
            guard language != .english else { return text + rest }
            let key = text.split { $0.isWhitespace }.joined(separator: " ")
            return language(Sentence(known: key)).escapedInHTML + rest
        }
        let page = (parts.first.map(String.init) ?? "") + said.joined()
        guard language != .english else { return page }
        let (start, rest) = page[...].divided(at: #"lang="en""#)
        return start + LanguageChoice.attributes(of: language) + rest
    }
}

extension Substring {
    fileprivate func divided(at mark: String) -> (before: String, behind: String) {
        let parts = split(separator: mark, maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts.first ?? ""), parts.count > 1 ? String(parts[1]) : "")
    }
}
