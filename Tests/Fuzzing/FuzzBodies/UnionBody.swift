import FoundationEssentials
import Glibc
import MapFiles
import PeerStorage
import RegionModel

/// Two maps of which one is added to the other, and the numbers that are told of them.
///
/// The input is the metadata of both, with what they say of the ages of their tiles, and then tiles: of which map, where, and what.
enum UnionBody {
    private struct Map {
        var metadata: [String: String] = [:]
        var tiles: [TileAddress: [UInt8]] = [:]
    }

    /// Takes values from the input.
    private struct Reader {
        var bytes: ArraySlice<UInt8>

        mutating func byte() -> UInt8? { bytes.popFirst() }

        mutating func text() -> String? {
            guard let length = byte() else { return nil }
            defer { bytes = bytes.dropFirst(Int(length)) }
            return length == 0 ? nil : String(decoding: bytes.prefix(Int(length)), as: UTF8.self)
        }

        mutating func tile() -> (isOfPart: Bool, address: TileAddress?, data: [UInt8])? {
            guard let kind = byte(), let column = byte(), let row = byte() else { return nil }
            let zoomLevel = Int(kind >> 1 & 7)
            let limit = (1 << zoomLevel) - 1
            let length = Int(kind >> 4)
            defer { bytes = bytes.dropFirst(length) }
            let address = TileAddress(zoomLevel: zoomLevel, column: Int(column) & limit, row: Int(row) & limit)
            return (kind & 1 == 1, address, Array(bytes.prefix(length)))
        }
    }

    static func run(_ input: [UInt8]) throws {
        var reader = Reader(bytes: input[...])
        var (part, map) = (Map(), Map())
        for key in ["date", "version", "tileeditions", "newestdate", "bounds", "partial"] {
            part.metadata[key] = reader.text()
            map.metadata[key] = reader.text()
        }
        while let (isOfPart, address, data) = reader.tile() {
            guard let address, !data.isEmpty else { continue }
            if isOfPart { part.tiles[address] = data } else { map.tiles[address] = data }
        }
        guard !part.tiles.isEmpty, !map.tiles.isEmpty else { return }
        let folder = DatabaseBody.folder + "/hikeshare-fuzz-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try check(part, map, in: folder)
    }

    private static func check(_ part: Map, _ map: Map, in folder: String) throws {
        try write(part, to: folder + "/part")
        try write(map, to: folder + "/map")
        let (before, theirs) = (try places(folder + "/map"), try places(folder + "/part"))
        try require(before.count == map.tiles.count && theirs.count == part.tiles.count, "tiles are not counted once")
        let union = try MapUnion(adding: open(folder + "/part"), to: open(folder + "/map"))
        guard let union else { throw BrokenInvariant("two small maps are too large") }
        try union.write(to: OpenFile(folder + "/union", O_RDWR | O_CREAT)) { _ in }
        let after = try read(folder + "/union")
        let counts = union.counts
        var told = MapUnion.Counts()
        for (address, data) in map.tiles {
            guard let now = after[address] else { throw BrokenInvariant("a tile of the map is gone") }
            guard now != data else { continue }
            try require(now == part.tiles[address], "a tile is of neither")
            told.replaced += 1
        }
        for (address, data) in part.tiles where map.tiles[address] == nil {
            try require(after[address] == data, "a new tile of the part is missing")
            told.added += 1
        }
        try require(after.count == map.tiles.count + told.added, "a tile is of neither")
        try require(
            counts.added == told.added && counts.replaced == told.replaced,
            "the counts are not those of the tiles"
        )
        try require(
            try places(folder + "/union").difference(since: before) == union.difference,
            "the numbers are wrong"
        )
        let again = try MapUnion(adding: open(folder + "/part"), to: open(folder + "/union"))
        try require(again?.counts.isNothing == true, "a part that was added is not in the union")
        // What is known of the ages does not depend on which of the two came first, so neither do tiles of known ages.
        if counts.unknown == 0, let other = try MapUnion(adding: open(folder + "/map"), to: open(folder + "/part")),
            other.counts.unknown == 0
        {
            try other.write(to: OpenFile(folder + "/other", O_RDWR | O_CREAT)) { _ in }
            try require(try read(folder + "/other") == after, "the order matters")
        }
        try UntrustedFile.check(folder + "/union", as: .mbtiles, isThorough: true, seconds: 5)
    }

    private static func write(_ map: Map, to path: String) throws {
        var writer = MBTilesWriter(to: try OpenFile(path, O_RDWR | O_CREAT))
        for (address, data) in map.tiles.sorted(by: { $0.key < $1.key }) {
            try writer.add(MapTile(address, data: data))
        }
        try writer.finish(metadata: map.metadata)
    }

    private static func read(_ path: String) throws -> [TileAddress: [UInt8]] {
        var tiles: [TileAddress: [UInt8]] = [:]
        try open(path).forEachTile { tiles[$0.address] = $0.data }
        return tiles
    }

    private static func places(_ path: String) throws -> TileDigests {
        guard let places = try TileDigests(of: open(path)) else { throw BrokenInvariant("a small map is too large") }
        return places
    }

    private static func open(_ path: String) throws -> UntrustedDatabase {
        try UntrustedDatabase(path, .immutable, within: CheckLimits(seconds: 5, memory: 32 << 20))
    }
}
