import ArgumentParser
import PeerCore
import RegionStore
import SharingReports

/// The value of `--only`: the selected kinds of a region.
struct KindSelection: Hashable, ExpressibleByArgument {
    var kinds: Set<ResourceKind>

    /// The valid words, in the order of the help.
    static let words = KindWords.all.map { (word: $0.argument, kind: $0.kind) }

    /// Reads words separated by commas; nil if a word is unknown, or there is none.
    init?(argument: String) {
        var kinds: Set<ResourceKind> = []
        for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
            let word = part.filter { $0 != " " }.lowercased()
            guard let known = Self.words.first(where: { $0.word == word }) else { return nil }
            kinds.insert(known.kind)
        }
        guard !kinds.isEmpty else { return nil }
        // For a person, what another program opens is a map, too.
        if kinds.contains(.mbtiles) { kinds.insert(.foreign) }
        self.kinds = kinds
    }

    /// Returns what a text can become when its last word is completed: `map,waypoints` for `map,way`.
    static func completions(of text: String) -> [String] {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let chosen = parts.dropLast().map { $0.lowercased() }
        let head = chosen.map { $0 + "," }.joined()
        let start = parts.last?.lowercased() ?? ""
        return words.map(\.word).filter { $0.hasPrefix(start) && !chosen.contains($0) }.map { head + $0 }
    }

    static let help = ArgumentHelp(
        "Only these parts, separated by commas: \(words.map(\.word).joined(separator: ", ")).",
        valueName: "kinds"
    )
}
