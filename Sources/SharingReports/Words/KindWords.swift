package import PeerCore
import RegionSharing
package import RegionStore

/// The words for one kind of resource, in reports and on the command line.
package struct KindWords: Sendable {
    package let kind: ResourceKind
    /// The word to type after `--only`.
    package let argument: String
    /// One of it, in plain words: `recorded hike`.
    private let noun: String
    /// One of it in a list, where there is little room: `hike`; nil for the same.
    private var shortNoun: String?
    /// Whether `--route` selects from it.
    package var isRoute = false
    /// The option that names one of its items; nil if it has none.
    package var itemOption: String?

    /// Whether it is a file, which is replaced as a whole.
    package var isFile: Bool { ResourceKind.regionFiles.contains(kind) }
    /// The kind in plain words: `recorded hikes`.
    package var name: String { isFile ? noun : noun + "s" }

    /// Returns a number of items in words: `46 waypoints`.
    package func counted(_ count: Int) -> String { isFile ? noun : Wording.count(count, noun) }

    /// Returns a number of items in short words, for lists: `1 route`.
    package func shortlyCounted(_ count: Int) -> String { shortNoun.map { Wording.count(count, $0) } ?? counted(count) }

    /// Returns the number of items in a region.
    package func count(_ region: RegionSummary) -> Int { region.count(of: kind) ?? 0 }

    /// Whether a GPX file can hold it.
    package var isInGPX: Bool { itemOption != nil }

    /// Returns the kinds of a typed answer, as in `map, planned routes and photos`; nil if there is another word, or none.
    package static func kinds(of answer: String) -> Set<ResourceKind>? {
        let typed = answer.lowercased().split { $0.isWhitespace || $0 == "," }.filter { $0 != "and" }
        let kinds = typed.map { word in
            all.first { ([$0.argument] + $0.name.split(separator: " ").map(String.init)).contains(String(word)) }?.kind
        }
        guard !kinds.isEmpty, !kinds.contains(where: { $0 == nil }) else { return nil }
        return Set(kinds.compactMap { $0 })
    }

    /// One entry for each kind, in the order in which they are shown; a new kind is registered here.
    package static let all: [KindWords] = [
        KindWords(kind: .mbtiles, argument: "map", noun: "map"),
        KindWords(kind: .foreign, argument: "foreign", noun: "foreign map"),
        KindWords(kind: .routing, argument: "routing", noun: "routing"),
        KindWords(
            kind: .savedroutes,
            argument: "hikes",
            noun: "recorded hike",
            shortNoun: "hike",
            isRoute: true,
            itemOption: "--hike"
        ),
        KindWords(
            kind: .plannedroutes,
            argument: "planned",
            noun: "planned route",
            shortNoun: "route",
            isRoute: true,
            itemOption: "--planned"
        ),
        KindWords(kind: .waypoints, argument: "waypoints", noun: "waypoint", itemOption: "--waypoint"),
        KindWords(kind: .photos, argument: "photos", noun: "photo"),
    ]

    /// Returns the words of a kind; nil if the program does not know it.
    package static func of(_ kind: ResourceKind) -> KindWords? { all.first { $0.kind == kind } }
}

extension ResourceKind {
    /// The kind in JSON: a map of another program has another word on the wire, where older versions know it by that.
    package var json: String { self == .foreign ? "foreign" : rawValue }

    /// Numbers of items by kinds of the wire, in JSON.
    package static func json(_ counts: [String: Int]) -> [String: Int] {
        Dictionary(counts.map { (ResourceKind(rawValue: $0)?.json ?? $0, $1) }) { first, _ in first }
    }

    /// The kind in plain words.
    package var words: String { KindWords.of(self)?.name ?? rawValue }

    /// Returns a number of items of the kind in words: `map`, `46 waypoints`.
    package func words(count: Int) -> String {
        KindWords.of(self)?.counted(count) ?? "\(rawValue) (\(count))"
    }

    /// The kinds that a region may have, in the order in which they are shown.
    package static let shown = KindWords.all.map(\.kind)
    /// The kinds that are files, which are replaced as a whole.
    package static let files = KindWords.all.filter(\.isFile).map(\.kind)
    /// The kinds from which `--route` selects.
    package static let routes = KindWords.all.filter(\.isRoute).map(\.kind)
}
