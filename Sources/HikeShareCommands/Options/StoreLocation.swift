/// The location of the store.
enum StoreLocation {
    /// Returns the store's folder: the given one, or else `HIKESHARE_STORE`, or else a folder in the user's data folder.
    static func path(given: String?, environment: [String: String]) throws -> String {
        if let given, !given.isEmpty { return given }
        if let path = environment["HIKESHARE_STORE"], !path.isEmpty { return path }
        // The XDG Base Directory Specification: relative paths are to be ignored.
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/hikeshare" }
        if let home = environment["HOME"], home.hasPrefix("/") { return home + "/.local/share/hikeshare" }
        throw CommandError(
            .usage,
            "The location of the store is unknown: HOME is not set.",
            remedy: "Use --store DIR or set HIKESHARE_STORE."
        )
    }
}
