package import PeerStorage
import RegionModel

/// A PMTiles archive.
package struct PMTilesFile: TileArchive {
    /// The bytes with which every version begins.
    package static let mark = Array("PMTiles".utf8)

    private let file: OpenFile
    private let name: String
    private let scratch: Folder
    private let maximumTileCount: Int
    private let header: PMTilesHeader

    /// The metadata, by the keys that MBTiles files use.
    package let metadata: [String: String]

    /// Opens an archive.
    package init(
        _ file: OpenFile,
        called name: String,
        scratch: Folder,
        maximumTileCount: Int = ArchiveLimits.tileCount
    ) throws {
        self.maximumTileCount = maximumTileCount
        self.file = file
        self.name = name
        self.scratch = scratch
        let (bytes, size) = try RegionStoreError.mapping("read", name) { () throws(SystemError) in
            (try file.prefix(PMTilesHeader.length), try file.size())
        }
        guard bytes.starts(with: Self.mark) else {
            throw RegionStoreError(.invalidFile, "\(name) is not a PMTiles archive.")
        }
        guard bytes.count > Self.mark.count, bytes[Self.mark.count] == 3 else {
            throw RegionStoreError(
                .invalidFile,
                "\(name) is not a PMTiles archive of version 3.",
                remedy: "Convert it with the program pmtiles: pmtiles convert FILE.pmtiles NEW.pmtiles"
            )
        }
        let (header, metadata) = try ArchiveFault.naming(name) {
            let header = try PMTilesHeader(bytes, fileSize: size)
            try Self.check(header, name)
            let json = try Self.bytes(of: header.metadata, header, file, name, atMost: ArchiveLimits.metadataLength)
            return (header, try TileMetadata.read(json).merging(header.mbtilesMetadata) { $1 })
        }
        (self.header, self.metadata) = (header, metadata)
    }

    private static func check(_ header: PMTilesHeader, _ name: String) throws {
        // A file may not say how its tiles are compressed: each begins with what it is.
        for (what, compression, usual) in [
            ("directories", header.internalCompression, [.none, .gzip]),
            ("tiles", header.tileCompression, [.none, .gzip, .unknown]),
        ] as [(String, PMTilesHeader.Compression, [PMTilesHeader.Compression])] where !usual.contains(compression) {
            let isOfImages = what == "tiles" && !header.tileType.isVector
            throw RegionStoreError(
                .invalidFile,
                "\(name) cannot be imported: its \(what) have \(compression.rawValue), which is not read.",
                remedy: isOfImages
                    ? "Create it again without compression, which images do not need."
                    : "Create it again with gzip, which is usual."
            )
        }
    }

    /// Reads all tiles.
    package func forEachTile(
        progress: (_ done: Int, _ total: Int) throws -> Void,
        _ body: (MapTile) throws -> Void
    ) throws -> OmittedEntries {
        try ArchiveFault.naming(name) {
            // Nothing is sorted, and so nothing written, of an archive with too many tiles.
            let total = try self.count(atMost: .max).tiles
            let tiles = try sortedTiles { try progress($0 / 2, total) }
            var omitted = OmittedEntries()
            var done = 0
            // Many tiles in a row, such as those of a sea, have the same bytes.
            var last: (tile: ArchivedTile, data: [UInt8])?
            try tiles.readSorted { tile in
                try progress((total + done) / 2, total)
                done += 1
                guard let address = tile.number.address else { return }
                let isRepeated = last.map { ($0.tile.offset, $0.tile.length) == (tile.offset, tile.length) } ?? false
                let data = isRepeated ? last?.data : try tileData(of: tile)
                guard let data, data.count <= MBTilesWriter.maximumTileLength else {
                    return omitted.add("the tile \(address.name) is damaged or has more than 8 MB")
                }
                last = (tile, data)
                try body(MapTile(address, data: data))
            }
            return omitted
        }
    }

    /// What the import takes at most.
    ///
    /// A few bytes can stand for a run of many tiles, so runs count with all of their tiles.
    package func cost() throws -> ImportCost {
        try ArchiveFault.naming(name) {
            let (count, isAll) = try self.count(atMost: Self.maximumCountedEntries)
            // Images may be larger without compression; what they are must be read for that.
            let growth: UInt64 = header.tileCompression == .gzip && !header.tileType.isVector ? 4 : 1
            return ImportCost(
                tileCount: isAll ? count : maximumTileCount,
                contentSize: header.tiles.length.multipliedReportingOverflow(by: growth).partialValue,
                fileSize: try RegionStoreError.mapping("read", name) { () throws(SystemError) in try file.size() }
            )
        }
    }

    /// The number of entries after which the rest is not read for the cost, which takes a second.
    private static let maximumCountedEntries = 500_000

    private struct Enough: Error {}

    private func walk() -> PMTilesWalk {
        PMTilesWalk(header) { section in
            try PMTilesDirectory(Self.bytes(of: section, header, file, name, atMost: PMTilesDirectory.maximumLength))
        }
    }

    /// Counts the tiles of the first entries of all directories; says whether these are all.
    private func count(atMost maximumEntryCount: Int) throws -> (tiles: Int, isAll: Bool) {
        var (tiles, entries) = (0, 0)
        var walk = self.walk()
        do {
            try walk.forEachEntry { entry in
                guard entry.runLength <= UInt64(max(0, maximumTileCount - tiles)) else {
                    throw RegionStoreError.tooManyTiles(
                        name,
                        remedy: """
                            Take a part of it with the program pmtiles: \
                            pmtiles extract FILE.pmtiles PART.pmtiles --bbox=WEST,SOUTH,EAST,NORTH
                            """
                    )
                }
                tiles += Int(entry.runLength)
                entries += 1
                guard entries < maximumEntryCount else { throw Enough() }
            }
            return (tiles, true)
        } catch is Enough {
            return (tiles, false)
        }
    }

    /// Reads all directories.
    private func sortedTiles(progress: (_ done: Int) throws -> Void) throws -> DiskSorter<ArchivedTile> {
        let tiles = DiskSorter<ArchivedTile>(in: scratch)
        let contents = DiskSorter<Content>(in: scratch)
        var walk = self.walk()
        try walk.forEachEntry { entry in
            try contents.add(Content(offset: entry.offset, length: entry.length))
            for id in entry.tileID..<entry.tileID + entry.runLength {
                guard let address = HilbertCurve.tile(id) else {
                    throw ArchiveFault("no zoom level has one of its tiles")
                }
                try tiles.add(ArchivedTile(number: ColumnNumber(address), offset: entry.offset, length: entry.length))
                try progress(tiles.count)
            }
        }
        try Self.checkOverlap(contents)
        return tiles
    }

    /// Where the file has the bytes of some tiles.
    private struct Content: Hashable, Comparable, BitwiseCopyable {
        var offset: UInt64
        var length: UInt64

        static func < (one: Content, other: Content) -> Bool {
            (one.offset, one.length) < (other.offset, other.length)
        }
    }

    /// Checks that different tiles have different bytes of the file: a small file could stand for any number of bytes.
    private static func checkOverlap(_ contents: DiskSorter<Content>) throws {
        var last: Content?
        try contents.readSorted { content in
            if let last, last != content, content.offset < last.offset + last.length {
                throw ArchiveFault("the bytes of two tiles overlap")
            }
            last = content
        }
    }

    /// Returns the bytes of a tile as MBTiles files have them; nil if they are damaged or too long.
    private func tileData(of tile: ArchivedTile) throws -> [UInt8]? {
        guard tile.length <= UInt64(MBTilesWriter.maximumTileLength),
            let section = header.tiles.part(at: tile.offset, length: tile.length)
        else { return nil }
        let bytes = try Self.bytes(of: section, file, name)
        // What a tile is counts more than what the archive says that it is.
        let format = TileFormat(tileBeginningWith: Array(bytes.prefix(12)))
        if let format, format != .pbf { return bytes }
        if header.tileType.isVector { return GzipData.isGzip(bytes) ? bytes : GzipData.deflate(bytes) }
        // Some programs do not say what the tiles are. Then they stay as they are.
        guard header.tileCompression == .gzip, header.tileType != .unknown else { return bytes }
        // Images are compressed already, so one that grows much more is a bomb.
        return GzipData.inflate(bytes, atMost: min(MBTilesWriter.maximumTileLength, 4096 + 20 * bytes.count))
    }

    /// Reads a directory or the metadata, without compression.
    private static func bytes(
        of section: PMTilesHeader.Section,
        _ header: PMTilesHeader,
        _ file: OpenFile,
        _ name: String,
        atMost limit: Int
    ) throws -> [UInt8] {
        guard section.length <= UInt64(limit) else {
            throw ArchiveFault("a directory or its metadata have \(section.length) bytes, more than \(limit)")
        }
        let bytes = try bytes(of: section, file, name)
        guard header.internalCompression == .gzip else { return bytes }
        guard let inflated = GzipData.inflate(bytes, atMost: limit) else {
            throw ArchiveFault("a directory or its metadata cannot be decompressed, or are larger than \(limit) bytes")
        }
        return inflated
    }

    /// Reads a part of the file, whose length is already bounded.
    private static func bytes(of section: PMTilesHeader.Section, _ file: OpenFile, _ name: String) throws -> [UInt8] {
        let count = Int(section.length)
        let bytes = try RegionStoreError.mapping("read", name) { () throws(SystemError) in
            try file.bytes(count, at: section.offset)
        }
        guard count == bytes.count else { throw ArchiveFault("it is cut off") }
        return bytes
    }
}
