import Foundation
import GRDB
import MapFiles
import PeerProtocol
import PeerStorage
import PeerTestSupport
import RegionTestSupport
import Testing

/// The index says where the bytes of each tile lie, in maps of every form.
@Suite struct TileIndexTests {
    static let digest = ContentDigest(hashing: [1])

    static func tiles(_ count: Int, upTo length: Int, seed: UInt64 = 1) -> [TiledMap.Tile] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { number in
            let bytes = generator.bytes(Int.random(in: 1...length, using: &generator))
            return TiledMap.Tile(zoom: 10, column: number / 30, row: number % 30, bytes: bytes)
        }
    }

    /// Makes the index of a map; nil if it has none.
    static func index(of path: String) throws -> TileIndex? {
        let size = try OpenFile(path, O_RDONLY).size()
        let database = try UntrustedDatabase(path, .immutable, within: .importing(size: size))
        guard let table = try TileTable(of: database) else { return nil }
        return try index(of: path, table)
    }

    static func index(of path: String, _ table: TileTable) throws -> TileIndex? {
        let output = try OpenFile(path + ".tiles", O_RDWR | O_CREAT | O_TRUNC)
        guard try TileIndex.write(to: output, of: OpenFile(path, O_RDONLY), table, digest: digest) else { return nil }
        return TileIndex(output, of: digest)
    }

    /// The bytes of each piece, read from the file of the map.
    static func pieces(of index: TileIndex, in path: String) throws -> [PieceDigest: [UInt8]] {
        let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        var pieces: [PieceDigest: [UInt8]] = [:]
        var parts: [PieceDigest: [UInt32: [UInt8]]] = [:]
        var end: UInt64 = 0
        try index.scan { span in
            #expect(span.offset >= end)
            var (position, left, bytes) = (span.offset, UInt64(span.length), [UInt8]())
            while left > 0 {
                let run = index.shape.run(from: position, length: left)
                bytes += file[Int(run.lowerBound)..<Int(run.upperBound)]
                (position, left) = (run.upperBound, left - UInt64(run.count))
            }
            end = position
            parts[span.digest, default: [:]][span.pieceOffset] = bytes
        }
        for (digest, parts) in parts {
            pieces[digest] = parts.sorted { $0.key < $1.key }.flatMap(\.value)
        }
        return pieces
    }

    private func expectAllTiles(_ map: TiledMap, location: SourceLocation = #_sourceLocation) async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("map.mbtiles")
            try map.write(to: path)
            let index = try #require(try Self.index(of: path), sourceLocation: location)
            let pieces = try Self.pieces(of: index, in: path)
            let long = Set(map.tiles.map(\.bytes)).filter { $0.count >= 64 }
            #expect(Set(pieces.values) == long, sourceLocation: location)
            for (digest, bytes) in pieces { #expect(bytes.withUnsafeBytes { PieceDigest(hashing: $0) } == digest) }
        }
    }

    @Test(arguments: TiledMap.Form.allCases, [512, 1024, 4096, 16_384, 65_536])
    func hasEveryTile(form: TiledMap.Form, pageSize: Int) async throws {
        var map = TiledMap(Self.tiles(300, upTo: 30_000))
        (map.form, map.pageSize) = (form, pageSize)
        try await expectAllTiles(map)
    }

    @Test(arguments: TiledMap.Form.allCases) func hasEveryTileOfAMapWithPointerMaps(form: TiledMap.Form) async throws {
        var map = TiledMap(Self.tiles(300, upTo: 20_000))
        (map.form, map.pageSize, map.isAutoVacuum) = (form, 512, true)
        try await expectAllTiles(map)
    }

    @Test(arguments: [4, 32]) func hasEveryTileOfPagesWithReservedBytes(count: CInt) async throws {
        var map = TiledMap(Self.tiles(200, upTo: 20_000))
        map.reservedByteCount = count
        try await expectAllTiles(map)
    }

    @Test func hasWhatIsLeftAfterRemovalAndVacuum() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("map.mbtiles")
            let map = TiledMap(Self.tiles(300, upTo: 20_000))
            try map.write(to: path)
            let kept = Set(map.tiles.filter { $0.column % 2 == 0 }.map(\.bytes).filter { $0.count >= 64 })
            for sql in ["DELETE FROM tiles WHERE tile_column % 2 = 1", "VACUUM"] {
                let queue = try DatabaseQueue(path: path)
                try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
                try queue.close()
                let index = try #require(try Self.index(of: path))
                #expect(Set(try Self.pieces(of: index, in: path).values) == kept)
            }
        }
    }

    @Test(arguments: TiledMap.Form.allCases) func theKeyIsTheNumberOfThePlace(form: TiledMap.Form) async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("map.mbtiles")
            let tiles = Self.tiles(100, upTo: 9_000, seed: 3)
            var map = TiledMap(tiles)
            map.form = form
            try map.write(to: path)
            var addresses: Set<TileAddress> = []
            try #require(try Self.index(of: path)).scan { span in
                // Places that share a row have no number together.
                guard form != .shared else { return #expect(span.key == nil) }
                let key = try #require(span.key)
                addresses.insert(try #require(RowNumber(value: key).address))
            }
            let expected = tiles.filter { $0.bytes.count >= 64 }.compactMap {
                TileAddress(zoomLevel: $0.zoom, column: $0.column, row: (1 << $0.zoom) - 1 - $0.row)
            }
            #expect(addresses == (form == .shared ? [] : Set(expected)))
        }
    }

    @Test func everyPlaceHasANumberOfItsOwn() throws {
        var next: UInt64 = 0
        for zoom in 0...5 {
            for row in (0..<1 << zoom).reversed() {
                for column in 0..<1 << zoom {
                    let address = try #require(TileAddress(zoomLevel: zoom, column: column, row: row))
                    #expect(RowNumber(address).value == next && RowNumber(value: next).address == address)
                    next += 1
                }
            }
        }
        #expect(RowNumber(value: .max).address == nil)
    }

    @Test func spansInARangeAreThoseThatLieThere() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("map.mbtiles")
            try TiledMap(Self.tiles(600, upTo: 9_000)).write(to: path)
            let index = try #require(try Self.index(of: path))
            var all: [PieceSpan] = []
            try index.scan { all.append($0) }
            for range in [0..<1, 0..<1 << 40, 100_000..<200_000, 1_000_000..<1_000_001] as [Range<UInt64>] {
                let begun = all.filter { range.contains($0.offset) }
                #expect(try index.spans(in: range).filter { range.contains($0.offset) } == begun)
            }
        }
    }

    @Test func anotherMapsIndexIsNone() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("map.mbtiles")
            try TiledMap(Self.tiles(10, upTo: 900)).write(to: path)
            _ = try Self.index(of: path)
            let other = ContentDigest(hashing: [2])
            #expect(TileIndex(try OpenFile(path + ".tiles", O_RDONLY), of: other) == nil)
            let file = try OpenFile(path + ".tiles", O_RDWR)
            try file.resize(to: try file.size() - 1)
            #expect(TileIndex(file, of: Self.digest) == nil)
        }
    }

    /// The numbers of a damaged index lead nowhere, and end no program.
    @Test func numbersOfADamagedIndexAreBounded() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("map.mbtiles")
            try TiledMap(Self.tiles(10, upTo: 9_000)).write(to: path)
            _ = try Self.index(of: path)
            let file = try OpenFile(path + ".tiles", O_RDWR)
            let size = try file.size()
            try file.write([UInt8](repeating: 0xFF, count: Int(size) - 72), at: 72)
            let index = try #require(TileIndex(file, of: Self.digest))
            var count = 0
            try index.scan { span in
                count += 1
                let end = index.shape.run(from: span.offset, length: UInt64(span.length)).upperBound
                #expect(end > span.offset && UInt64(span.length) <= PieceList.maximumPieceLength)
            }
            #expect(count == index.count && count > 0)
            #expect(try index.spans(in: 0..<size).allSatisfy { $0.offset >= size } == true)
        }
    }
}

/// Files that SQLite would not have accepted: the walk ends, and the index has nothing outside the file.
@Suite struct BrokenTileTableTests {
    private static func map(in directory: TemporaryDirectory) throws -> (path: String, bytes: [UInt8], table: TileTable)
    {
        let path = directory.path("map.mbtiles")
        var map = TiledMap(TileIndexTests.tiles(400, upTo: 3_000))
        map.pageSize = 512
        try map.write(to: path)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let database = try UntrustedDatabase(path, .immutable, within: .importing(size: UInt64(bytes.count)))
        return (path, bytes, try #require(try TileTable(of: database)))
    }

    private static func rootPage(_ path: String) throws -> Int {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        return try queue.read {
            try Int.fetchOne($0, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'tiles'") ?? 0
        }
    }

    @Test(arguments: ["itself", "the first page", "no page", "a page behind the end", "the last page there can be"])
    func aRootThatLeadsAstrayHasNoIndex(target: String) async throws {
        try await TemporaryDirectory.with { directory in
            var (path, bytes, table) = try Self.map(in: directory)
            let root = try Self.rootPage(path)
            let start = (root - 1) * 512
            #expect(bytes[start] == 5)
            let number: UInt32 =
                switch target {
                case "itself": UInt32(root)
                case "the first page": 1
                case "no page": 0
                case "a page behind the end": UInt32(bytes.count / 512 + 1)
                default: .max
                }
            for index in 0..<4 {
                bytes[start + 8 + index] = UInt8(truncatingIfNeeded: number >> UInt32(24 - 8 * index))
            }
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            // The first page is a table of its own, but one without tiles that overlap.
            let index = try TileIndexTests.index(of: path, table)
            if target != "the first page" { #expect(index == nil) }
        }
    }

    /// A chain of a long tile that leads back, or out of the file.
    @Test(arguments: [0, 1, UInt32.max]) func aChainThatLeadsAstrayHasNoIndex(target: UInt32) async throws {
        try await TemporaryDirectory.with { directory in
            var (path, bytes, table) = try Self.map(in: directory)
            let index = try #require(try TileIndexTests.index(of: path, table))
            var chain: UInt64?
            try index.scan { span in
                // The start of a page behind its first four bytes, in the middle of a tile of several pages.
                if chain == nil, span.offset % 512 == 4, span.length > 1100 { chain = span.offset - 4 }
            }
            let start = Int(try #require(chain))
            for index in 0..<4 { bytes[start + index] = UInt8(truncatingIfNeeded: target >> UInt32(24 - 8 * index)) }
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            #expect(try TileIndexTests.index(of: path, table) == nil)
        }
    }

    @Test func whateverTheFileSaysTheWalkEnds() async throws {
        try await TemporaryDirectory.with { directory in
            let (path, bytes, table) = try Self.map(in: directory)
            var generator = SeededGenerator(seed: 4)
            for _ in 0..<300 {
                var broken = bytes
                for _ in 0..<Int.random(in: 1...20, using: &generator) {
                    let page = Int.random(in: 0..<bytes.count / 512, using: &generator) * 512
                    // Mostly where a page says what it is.
                    let place =
                        page + Int.random(in: 0..<(Bool.random(using: &generator) ? 16 : 512), using: &generator)
                    broken[place] = UInt8.random(in: 0...255, using: &generator)
                }
                broken.removeLast(Int.random(in: 0...700, using: &generator))
                try Data(broken).write(to: URL(fileURLWithPath: path))
                guard let index = try TileIndexTests.index(of: path, table) else { continue }
                var end: UInt64 = 0
                try index.scan { span in
                    #expect(span.offset >= end)
                    let last = index.shape.run(from: span.offset, length: UInt64(span.length))
                    end = last.upperBound
                    #expect(end <= UInt64(broken.count))
                }
            }
        }
    }
}
