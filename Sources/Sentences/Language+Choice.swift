internal import Glibc

extension Language {
    /// The maximum length of a list of languages that is read, in bytes, and the maximum number of its entries.
    private static let limits = (length: 1000, entries: 32)

    /// Returns the language of a list such as `de-AT, de;q=0.9, en;q=0.5` that a browser likes best; nil if the program has none of them.
    ///
    /// The list is that of the field `Accept-Language` (RFC 9110, section 12.5.4). A list that is too long is ignored.
    package static func accepted(_ list: String) -> Language? {
        guard list.utf8.count <= limits.length else { return nil }
        var best: (language: Language, weight: Double)?
        for entry in list.split(separator: ",", maxSplits: limits.entries).prefix(limits.entries) {
            let parts = entry.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            guard let tag = parts.first?.split(separator: "-").first, let language = named(tag) else { continue }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }
            let weight = quality.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            guard (0...1).contains(weight), weight > best?.weight ?? 0 else { continue }
            best = (language, weight)
        }
        return best?.language
    }

    /// The language of the person who has started the program: that of `LC_ALL`, `LC_MESSAGES` or `LANG`.
    package static let ofProcess = ofEnvironment { getenv($0).map { String(cString: $0) } }

    /// Returns the language that an environment asks for; English if the program does not have it.
    static func ofEnvironment(_ value: (_ name: String) -> String?) -> Language {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(value).first { !$0.isEmpty } ?? ""
        return locale.split { "_.@-".contains($0) }.first.flatMap { named($0.lowercased()) } ?? .english
    }
}
