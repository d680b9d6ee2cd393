import ArgumentParser
import FoundationEssentials
import PeerCore
import RegionStore
import SharingReports

/// The options that name one hike, planned route or waypoint of a region.
struct ItemSelection: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("Recorded hike: its name, or its number in 'show'.", valueName: "name"),
        completion: .items(.hike)
    )
    var hike: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Planned route: its name, or its number in 'show'.", valueName: "name"),
        completion: .items(.plannedRoute)
    )
    var planned: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Waypoint: its name, or its number in 'show'.", valueName: "name"),
        completion: .items(.waypoint)
    )
    var waypoint: String?

    /// The text of each option that is given, with the kind of the item.
    private var named: [(kind: ItemKind, text: String)] {
        [(ItemKind.hike, hike), (.plannedRoute, planned), (.waypoint, waypoint)].compactMap { kind, text in
            text.map { (kind, $0) }
        }
    }

    /// Whether no item is named, so that the command is about the whole region.
    var isEmpty: Bool { named.isEmpty }

    func validate() throws {
        guard named.count < 2 else {
            throw ValidationError("Give only one of --hike, --planned and --waypoint.")
        }
    }

    /// Finds the item in a region; nil if none is named.
    func item(in region: RegionSummary, of store: RegionStore) throws -> ItemDescription? {
        guard let (kind, text) = named.first else { return nil }
        do {
            return try store.item(matching: text, kind, of: region)
        } catch var error as RegionStoreError {
            error.remedy = ProgramRemedy.forItem(error, of: region)
            throw error
        }
    }
}

/// The value of `--only`: the selected kinds of a region.
struct KindSelection: Hashable, ExpressibleByArgument {
    /// The kinds.
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
        if kinds.contains(.mbtiles) { kinds.insert(.sealed) }
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
