import RegionModel

/// The tiles of a map that is not an MBTiles file: an archive of another kind, or a folder of images.
///
/// An import makes an MBTiles file of it. Nothing of an archive is trusted. What is wrong with the archive as a whole ends
/// the reading with an error that names the archive; single entries that cannot be used are left out and counted.
package protocol TileArchive {
    /// The metadata, by the keys that MBTiles files use.
    var metadata: [String: String] { get }

    /// Whether the archive has a statement by which some programs count its rows from the south, while it is read from the north.
    var mayCountRowsFromSouth: Bool { get }

    /// What the import takes at most, by the directories of the archive; no tile is read.
    ///
    /// - Throws: `RegionStoreError` if the archive is not acceptable or cannot be read.
    func cost() throws -> ImportCost

    /// Reads all tiles, in ascending order of zoom level, column and row from the south.
    ///
    /// - Parameters:
    ///   - progress: Called with how many tiles are done and the number of all tiles; the latter is 0 while unknown.
    ///   - body: Takes a tile.
    /// - Returns: The entries that were left out.
    /// - Throws: `RegionStoreError` if the archive is not acceptable or cannot be read, or the error of `progress` or `body`.
    func forEachTile(
        progress: (_ done: Int, _ total: Int) throws -> Void,
        _ body: (MapTile) throws -> Void
    ) throws -> OmittedEntries
}

extension TileArchive {
    /// Most kinds of archives say how they count.
    package var mayCountRowsFromSouth: Bool { false }
}

/// The entries of an archive that are left out of the map that is made of it.
package struct OmittedEntries: Hashable, Sendable {
    /// The number of entries.
    package private(set) var count = 0

    /// The first of them, and why it is left out; nil if there is none.
    package private(set) var example: String?

    /// Creates a value for an archive without such entries.
    package init() {}

    /// Counts an entry.
    mutating func add(_ description: @autoclosure () -> String) {
        count += 1
        if example == nil { example = description() }
    }
}

/// The limits on what is read of an archive.
package enum ArchiveLimits {
    /// The maximum number of tiles.
    ///
    /// A few bytes can state that one tile is repeated billions of times.
    package static let tileCount = 50_000_000

    /// The maximum length of the metadata without compression, in bytes.
    static let metadataLength = 4 << 20
}

/// What is wrong with the bytes of an archive, in words that follow “is damaged: ”.
struct ArchiveFault: Error, Hashable {
    var what: String

    init(_ what: String) {
        self.what = what
    }

    /// The error for a person.
    func error(_ name: String) -> RegionStoreError {
        RegionStoreError(.invalidFile, "\(name) is damaged: \(what).", remedy: "Get a new copy of the file.")
    }
}

extension RegionStoreError {
    /// Returns the error for an archive with too many tiles.
    static func tooManyTiles(_ name: String, remedy: String) -> RegionStoreError {
        let limit = ArchiveLimits.tileCount / 1_000_000
        return RegionStoreError(.invalidFile, "\(name) has more than \(limit) million tiles.", remedy: remedy)
    }
}

extension TileAddress {
    /// The zoom level, the column and the row from the north, as in the addresses of web maps.
    var name: String { "\(zoomLevel)/\(column)/\(row)" }
}
