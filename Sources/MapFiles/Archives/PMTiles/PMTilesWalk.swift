import RegionModel

/// Reads the directories of a PMTiles archive, the root first.
///
/// Tile ids ascend through all directories together. So no directory is read twice to any end: a cycle of leaf directories,
/// or two leaves with the same tiles, would break the order.
struct PMTilesWalk {
    /// The maximum number of directories on the way to a tile, which is that of other readers.
    private static let maximumDepth = 4

    private let header: PMTilesHeader
    /// Reads a directory without its compression.
    private let directory: (PMTilesHeader.Section) throws -> PMTilesDirectory
    /// The first id that no zoom level of the header has.
    private let endOfIDs: UInt64
    private var nextID: UInt64 = 0

    init(_ header: PMTilesHeader, directory: @escaping (PMTilesHeader.Section) throws -> PMTilesDirectory) {
        self.header = header
        self.directory = directory
        self.endOfIDs = TileOrder.first(zoomLevel: header.zoomLevels.upperBound + 1)
    }

    /// Calls `body` with each entry of tiles, whose bytes are within the file.
    mutating func forEachEntry(_ body: (PMTilesDirectory.Entry) throws -> Void) throws {
        try walk(header.root, depth: 1, body)
    }

    private mutating func walk(
        _ section: PMTilesHeader.Section,
        depth: Int,
        _ body: (PMTilesDirectory.Entry) throws -> Void
    ) throws {
        for entry in try directory(section).entries {
            guard entry.tileID >= nextID else { throw ArchiveFault("a tile is in its directories more than once") }
            if entry.runLength > 0 {
                let (end, overflow) = entry.tileID.addingReportingOverflow(entry.runLength)
                guard !overflow, end <= endOfIDs else {
                    throw ArchiveFault(
                        "it has a tile beyond zoom level \(header.zoomLevels.upperBound), the highest that it states"
                    )
                }
                guard header.tiles.part(at: entry.offset, length: entry.length) != nil else {
                    throw ArchiveFault("the bytes of a tile would be behind the end of the file")
                }
                nextID = end
                try body(entry)
            } else {
                guard depth < Self.maximumDepth else {
                    throw ArchiveFault("its directories lie in each other more than \(Self.maximumDepth) deep")
                }
                guard let leaf = header.leaves.part(at: entry.offset, length: entry.length) else {
                    throw ArchiveFault("a leaf directory would be behind the end of the file")
                }
                try walk(leaf, depth: depth + 1, body)
                guard nextID > entry.tileID else { throw ArchiveFault("a leaf directory has none of its tiles") }
            }
        }
    }
}
