import ArgumentParser
import FoundationEssentials
import RegionStore

/// What a shell offers when a person completes an argument.
///
/// The shell runs this program to ask for names in the store.
extension CompletionKind {
    /// Maps, GPX files and photos.
    static let importable = file(extensions: [
        "mbtiles", "gpx", "GPX", "jpg", "JPG", "jpeg", "JPEG", "png", "webp", "heic", "HEIC", "heif",
    ])

    /// Routing databases.
    static let routingDatabase = file(extensions: ["db", "sqlite", "sqlite3"])

    /// GPX files.
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
        offering { words, _, _ in
            let environment = ProcessInfo.processInfo.environment
            let line = CompletionLine(words, home: environment["HOME"])
            guard let path = try? StoreLocation.path(given: line.store, environment: environment) else { return [] }
            return CompletionNames(entries(StoreNames(storeAt: path), line)).words(for: .requesting)
        }
    }

    private static func offering(_ words: @escaping @Sendable ([String], Int, String) -> [String]) -> CompletionKind {
        custom(words)
    }
}
