import ArgumentParser
import FoundationEssentials
import RegionStore
import SharingReports

/// The words that a shell offers for names in the store.
///
/// Names may come from other machines, and shells interpret what they are offered. Bash even runs commands in it. So only
/// plain names are offered, and ids instead of all others.
struct CompletionNames {
    private static let idLength = 8

    private let entries: [StoreNames.Entry]

    init(_ entries: [StoreNames.Entry]) { self.entries = entries }

    /// Returns the words for a shell; nil for one that takes words as they are.
    func words(for shell: CompletionShell?) -> [String] {
        let counts = Dictionary(entries.map { ($0.name.lowercased(), 1) }, uniquingKeysWith: +)
        return entries.map { entry in
            guard CommandWord.isPlain(entry.name), counts[entry.name.lowercased()] == 1 else {
                return String(entry.id.prefix(Self.idLength))
            }
            // The argument parser passes the words to Bash as they are, and Bash reads quotes in them.
            return shell == .bash ? Self.escapingApostrophes(entry.name) : entry.name
        }
    }

    private static func escapingApostrophes(_ name: String) -> String {
        name.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "\\'")
    }
}

/// What a shell offers when a person completes an argument.
///
/// The shell runs this program to ask for names in the store.
extension CompletionKind {
    /// Maps, track files and photos.
    static let importable = file(extensions: [
        "mbtiles", "pmtiles", "sqlitedb", "gpkg", "obf", "map", "img", "mwm", "gpx", "GPX", "kml", "kmz", "geojson",
        "json", "tcx", "TCX", "fit",
        "FIT",
        "jpg", "JPG", "jpeg", "JPEG", "png", "webp", "heic", "HEIC", "heif",
    ])

    static let routingDatabase = file(extensions: ["db", "sqlite", "sqlite3"])
    static let gpx = file(extensions: ["gpx", "GPX"])

    /// The regions in the store.
    static let region = names { names, _ in names.regions }

    /// The regions with incomplete files.
    static let incomingRegion = names { names, _ in names.incomingRegions }

    /// The trusted machines.
    static let trustedPeer = names { names, _ in names.trustedPeers }

    /// The hikes and planned routes of the region that the line names.
    static let route = items(.hike, .plannedRoute)

    /// The items of one kind of the region that the line names.
    static func items(_ kinds: ItemKind...) -> CompletionKind {
        names { $0.items(kinds, ofRegion: $1.region) }
    }

    /// The kinds for `--only`, separated by commas.
    static let kinds = offering { words, index, prefix in
        KindSelection.completions(of: CompletionLine(words).word(at: index) ?? prefix)
    }

    private static func names(
        _ entries: @escaping @Sendable (StoreNames, CompletionLine) -> [StoreNames.Entry]
    ) -> CompletionKind {
        offering { words, _, prefix in
            let environment = ProcessInfo.processInfo.environment
            let line = CompletionLine(words, home: environment["HOME"])
            guard let path = try? StoreLocation.path(given: line.store, environment: environment) else { return [] }
            return CompletionNames(entries(StoreNames(storeAt: path), line)).words(for: .requesting).map { word in
                // Shells compare letters as they are typed, and commands ignore their case.
                word.lowercased().hasPrefix(prefix.lowercased()) ? prefix + word.dropFirst(prefix.count) : word
            }
        }
    }

    private static func offering(_ words: @escaping @Sendable ([String], Int, String) -> [String]) -> CompletionKind {
        custom(words)
    }
}
