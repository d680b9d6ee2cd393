import Glibc
package import PeerProtocol
package import PeerStorage
package import RegionModel

/// The check of an untrusted map or routing database, without a store.
package enum UntrustedFile {
    /// Checks a file like an import or a reception.
    ///
    /// - Parameters:
    ///   - path: The path. The file must not change during the check.
    ///   - kind: The expected kind.
    ///   - isThorough: Whether every page is read, as for an import.
    ///   - seconds: The maximum processor time, in seconds.
    /// - Throws: `RegionStoreError` if the file is not acceptable.
    package static func check(_ path: String, as kind: ResourceKind, isThorough: Bool, seconds: Double) throws {
        let header = try RegionStoreError.mapping("read", path) { () throws(SystemError) in
            try OpenFile(path, O_RDONLY)
        }
        _ = try DatabaseHeader(of: header, path: path)
        let limits = CheckLimits(seconds: seconds, memory: CheckLimits.thorough(size: 0).memory)
        let database = try UntrustedDatabase(path, .immutable, within: limits)
        if kind == .routing {
            try RoutingFile.checkKind(of: database)
            if isThorough {
                try database.checkPages()
                try RoutingFile.checkRows(of: database)
            }
            _ = try RoutingFile(checking: database)
        } else {
            try MBTilesFile.checkKind(of: database)
            if isThorough {
                try database.checkPages()
                _ = try MBTilesFile.emptyTileCount(of: database)
            }
            let map = try MBTilesFile(checking: database)
            if isThorough, let highest = map.coverage.levels.last { try checkFinding(highest, in: path, called: path) }
        }
    }
}

/// The first bytes of an SQLite file.
package struct DatabaseHeader {
    /// Whether the file is marked as being in WAL mode.
    package var isWAL: Bool

    /// The size of a page, in bytes; at most 65,536.
    package var pageSize: UInt64

    /// Reads and checks the header of a file.
    ///
    /// - Throws: `RegionStoreError` if the file is empty, not an SQLite database, or shorter than its header says.
    package init(of file: OpenFile, path: String) throws {
        let size = try RegionStoreError.mapping("read", path) { () throws(SystemError) in try file.size() }
        let bytes = try RegionStoreError.mapping("read", path) { () throws(SystemError) in try file.prefix(100) }
        guard size > 0 else { throw RegionStoreError(.invalidFile, "\(path) is empty.") }
        guard bytes.starts(with: Array("SQLite format 3\0".utf8)) else {
            throw RegionStoreError(.invalidFile, "\(path) is not an SQLite database, or is encrypted.")
        }
        guard bytes.count == 100 else {
            throw RegionStoreError(.invalidFile, "\(path) is cut off after \(size) bytes.", remedy: Self.remedy)
        }
        let stored = UInt64(bytes[16]) << 8 | UInt64(bytes[17])
        pageSize = stored == 1 ? 65_536 : stored
        let pageCount = Self.word(bytes, 28)
        // The page count is valid only if the last program that changed the file has written it.
        if Self.word(bytes, 24) == Self.word(bytes, 92), pageCount * pageSize > size {
            throw RegionStoreError(
                .invalidFile,
                "\(path) is cut off: it has \(size) bytes of \(pageCount * pageSize).",
                remedy: Self.remedy
            )
        }
        isWAL = bytes[18] == 2 || bytes[19] == 2
    }

    private static let remedy = "Get a new copy of the file."

    private static func word(_ bytes: [UInt8], _ offset: Int) -> UInt64 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// The limit of SQLite on the length of a path.
package enum DatabasePath {
    /// The maximum length of the path of a database, in bytes.
    ///
    /// SQLite's own limit is 512; the names of its journals must fit, too.
    package static let maximumLength = 504

    /// Checks that SQLite can open a file.
    ///
    /// - Parameters:
    ///   - path: The path; a relative one counts with the current folder.
    ///   - name: The name of the file in messages.
    ///   - room: The number of bytes that are added to the path later.
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
