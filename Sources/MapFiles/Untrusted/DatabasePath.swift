import Glibc
package import RegionModel

/// The limit of SQLite on the length of a path.
package enum DatabasePath {
    /// The maximum length of the path of a database, in bytes.
    ///
    /// SQLite's own limit is 512; the names of its journals must fit, too.
    package static let maximumLength = 504

    /// Checks that SQLite can open a file.
    ///
    /// - Parameter room: The number of bytes that are added to the path later.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.storage` if the path is too long.
    package static func check(_ path: String, of name: String, leaving room: Int = 0) throws(RegionStoreError) {
        let length = fullLength(path)
        guard length > maximumLength - room else { return }
        throw RegionStoreError(
            .storage,
            "The path of \(name) is too long: it has \(length) bytes, and at most \(maximumLength - room) are possible.",
            remedy: "Choose a folder with a shorter path."
        )
    }

    private static func fullLength(_ path: String) -> Int {
        // As SQLite does, symbolic links are followed.
        if let resolved = realpath(path, nil) {
            defer { free(resolved) }
            return strlen(resolved)
        }
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path.utf8.count }
        defer { free(folder) }
        return strlen(folder) + 1 + path.utf8.count
    }
}
