import PeerCore
import RegionStore
import Sentences
import SharingReports

/// The location of the store.
struct StoreLocation: Hashable {
    /// The path of the store's folder.
    var path: String
    /// Whether an option or a variable names the store; if not, it is the default one.
    var isNamed: Bool

    /// Finds the store's folder: the given one, or else `HIKESHARE_STORE`, or else a folder in the user's data folder.
    init(given: String?, environment: [String: String]) throws {
        if let named = [given, environment["HIKESHARE_STORE"]].compactMap({ $0 }).first(where: { !$0.isEmpty }) {
            (path, isNamed) = (named, true)
        } else {
            (path, isNamed) = (try Self.defaultPath(environment), false)
        }
    }

    /// Returns the path of the store's folder.
    static func path(given: String?, environment: [String: String]) throws -> String {
        try StoreLocation(given: given, environment: environment).path
    }

    private static func defaultPath(_ environment: [String: String]) throws -> String {
        // The XDG Base Directory Specification: relative paths are to be ignored.
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/hikeshare" }
        if let home = environment["HOME"], home.hasPrefix("/") { return home + "/.local/share/hikeshare" }
        throw CommandError(
            .usage,
            environment["HOME", default: ""].isEmpty
                ? "The location of the store is unknown: HOME is not set."
                : "The location of the store is unknown: HOME is no absolute path.",
            remedy: "Use --store DIR or set HIKESHARE_STORE."
        )
    }
}
