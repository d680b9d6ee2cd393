import Foundation
import PeerStorage
import PeerTestSupport
import RegionModel
import RegionTestSupport
import Testing

@testable import MapFiles

@Suite struct PMTilesTests {
    /// The first tiles as the specification numbers them.
    @Test(arguments: [
        (0, 0, 0, 0), (1, 1, 0, 0), (2, 1, 0, 1), (3, 1, 1, 1), (4, 1, 1, 0), (5, 2, 0, 0),
        (19_078_479, 12, 3423, 1763),
    ])
    func idsAreThoseOfTheSpecification(id: UInt64, zoom: Int, column: Int, row: Int) {
        #expect(HilbertCurve.tile(id) == TileAddress(zoomLevel: zoom, column: column, row: row))
    }

    @Test func idsThatNoZoomLevelHasAreNoTiles() throws {
        let end = TileOrder.end
        let last = try #require(HilbertCurve.tile(end - 1))
        #expect(last.zoomLevel == 30)
        for id in [end, 1 << 62, 1 << 63, .max] { #expect(HilbertCurve.tile(id) == nil) }
    }

    @Test func numbersAscendWithTilesAndLeadBack() throws {
        var generator = SeededGenerator(seed: 5)
        var last: TileAddress?
        let addresses = (0..<2000).compactMap { _ in
            let zoom = Int.random(in: 0...30, using: &generator)
            return TileAddress(
                zoomLevel: zoom,
                column: Int.random(in: 0..<(1 << zoom), using: &generator),
                row: Int.random(in: 0..<(1 << zoom), using: &generator)
            )
        }.sorted { ($0.zoomLevel, $0.column, $0.southernRow) < ($1.zoomLevel, $1.column, $1.southernRow) }
        for address in addresses {
            let number = ColumnNumber(address)
            #expect(number.address == address && RowNumber(address).address == address)
            if let last { #expect(ColumnNumber(last) < number || last == address) }
            last = address
        }
    }

    /// As tilemaker wrote them: no reader needs the lengths of the parts.
    @Test func lengthsThatNoReaderNeedsMayBeWrong() async throws {
        try await TemporaryDirectory.with { directory in
            var archive = PMTilesBytes(.init(id: 0, length: 4, offset: 0), .init(id: 1, run: 2, length: 4, offset: 4))
            for lies in [[40: 0, 48: 3, 64: .max - 5], [40: 1 << 50, 48: 1 << 50], [64: 0]] as [[Int: UInt64]] {
                archive.lies = lies
                var tiles: [String] = []
                try archive.read(in: directory) { tiles.append($0.address.name) }
                #expect(tiles.sorted() == ["0/0/0", "1/0/0", "1/0/1"], "\(lies)")
            }
        }
    }

    @Test func imagesNeedNoCompressionThatIsKnown() async throws {
        try await TemporaryDirectory.with { directory in
            var archive = PMTilesBytes(.init(id: 0, length: 12, offset: 0))
            archive.tiles = [0x89] + Array("PNG\r\n\u{1A}\nabcd".utf8)
            archive.tileCompression = 0
            var tiles: [[UInt8]] = []
            try archive.read(in: directory) { tiles.append($0.data) }
            #expect(tiles == [archive.tiles])
            archive.tileCompression = 3
            let error = try #require(throws: RegionStoreError.self) { try archive.read(in: directory) }
            #expect(error.remedy == "Create it again without compression, which images do not need.")
            archive.tileType = 1
            let other = try #require(throws: RegionStoreError.self) { try archive.read(in: directory) }
            #expect(other.remedy == "Create it again with gzip, which is usual.")
        }
    }

    @Test func readsRunsLeavesAndRepeatedTilesInTheOrderOfMBTiles() async throws {
        try await TemporaryDirectory.with { directory in
            // Zoom 1 is one run of a tile that zoom 0 has, too; zoom 2 is in a leaf in a leaf.
            let inner = PMTilesBytes.directory([
                .init(id: 5, run: 2, length: 4, offset: 0), .init(id: 7, length: 3, offset: 4),
            ])
            let outer = PMTilesBytes.directory([
                .init(id: 5, run: 0, length: UInt64(inner.count), offset: 0)
            ])
            var archive = PMTilesBytes(
                .init(id: 0, length: 4, offset: 0),
                .init(id: 1, run: 4, length: 4, offset: 0),
                .init(id: 5, run: 0, length: UInt64(outer.count), offset: UInt64(inner.count))
            )
            archive.leaves = inner + outer
            archive.tiles = Array("sea!hut".utf8)
            var tiles: [String] = []
            let omitted = try archive.read(in: directory) { tile in
                tiles.append("\(tile.address.name) \(String(decoding: tile.data, as: UTF8.self))")
            }
            #expect(omitted == OmittedEntries())
            #expect(
                tiles == [
                    "0/0/0 sea!", "1/0/1 sea!", "1/0/0 sea!", "1/1/1 sea!", "1/1/0 sea!", "2/0/0 sea!", "2/1/1 hut",
                    "2/1/0 sea!",
                ]
            )
        }
    }

    @Test func vectorTilesAreGzipAndImagesAreNot() async throws {
        try await TemporaryDirectory.with { directory in
            let (vector, image) = (Array("\u{1A}layer".utf8), Array("\u{89}PNG image".utf8))
            for (type, compression) in [(1, 1), (1, 2), (6, 1), (2, 1), (2, 2)] as [(UInt8, UInt8)] {
                let plain = type == 2 ? image : vector
                let stored = compression == 2 ? try #require(GzipData.deflate(plain)) : plain
                var archive = PMTilesBytes(.init(id: 0, length: UInt64(stored.count)))
                (archive.tiles, archive.tileType, archive.tileCompression) = (stored, type, compression)
                var found: [[UInt8]] = []
                try archive.read(in: directory) { found.append($0.data) }
                #expect(found == [type == 2 ? plain : try #require(GzipData.deflate(plain))], "\(type) \(compression)")
            }
        }
    }

    @Test func tilesOfAnUnknownOrWrongTypeStayAsTheyAre() async throws {
        try await TemporaryDirectory.with { directory in
            let compressed = try #require(GzipData.deflate(Array("\u{1A}layer".utf8)))
            let image = [0x89] + Array("PNG".utf8)
            for (tile, compression, type) in [
                (image, 1, 0), (compressed, 2, 0), (image, 1, 1), (image, 2, 1), (image, 2, 2),
            ]
                as [([UInt8], UInt8, UInt8)]
            {
                var archive = PMTilesBytes(.init(id: 0, length: UInt64(tile.count)))
                (archive.tiles, archive.tileType, archive.tileCompression) = (tile, type, compression)
                var found: [[UInt8]] = []
                try archive.read(in: directory) { found.append($0.data) }
                #expect(found == [tile])
            }
        }
    }

    @Test func keepsTheMetadataThatMBTilesFilesHave() async throws {
        try await TemporaryDirectory.with { directory in
            var archive = PMTilesBytes(.init(id: 0))
            archive.metadata = Array(
                #"""
                {"name": "T\u00e9st\u0000", "attribution": "© OpenStreetMap", "version": 3, "planetiler:buildtime": "2026-01-02",
                 "vector_layers": [{"id": "water", "fields": {"a": 1.5}}], "tilestats": {"layers": []}, "bounds": "1,2,3,4"}
                """#.utf8
            )
            archive.metadata = try #require(GzipData.deflate(archive.metadata))
            archive.root = try #require(GzipData.deflate(archive.root))
            archive.internalCompression = 2
            archive.bounds = [15_000_000, 425_000_000, 15_500_000, 425_500_001]
            try archive.read(in: directory)
            let metadata = try PMTilesFile(
                OpenFile(directory.path("map.pmtiles"), O_RDONLY),
                called: "map.pmtiles",
                scratch: Folder(directory.path)
            ).metadata
            #expect(
                metadata == [
                    "name": "Tést", "attribution": "© OpenStreetMap", "planetiler:buildtime": "2026-01-02",
                    "format": "png",
                    "json": #"{"vector_layers":[{"id": "water", "fields": {"a": 1.5}}]}"#,
                    "bounds": "1.5,42.5,1.55,42.5500001", "center": "0.0,0.0,0",
                ]
            )
        }
    }

    @Test func readsWhatRandomDirectoriesSay() async throws {
        var generator = SeededGenerator(seed: 11)
        try await TemporaryDirectory.with(isInMemory: true) { directory in
            for _ in 0..<60 {
                var (entries, expected): ([PMTilesBytes.Entry], [String: [UInt8]]) = ([], [:])
                let tiles = (0..<200).map { UInt8($0) }
                var id: UInt64 = 0
                for _ in 0..<Int.random(in: 1...80, using: &generator) {
                    id += UInt64.random(in: 0...40, using: &generator)
                    let part = UInt64.random(in: 0..<20, using: &generator) * 10
                    let entry = PMTilesBytes.Entry(
                        id: id,
                        run: UInt64.random(in: 1...9, using: &generator),
                        length: 10,
                        offset: part
                    )
                    for tile in id..<id + entry.run {
                        expected[try #require(HilbertCurve.tile(tile)).name] = Array(tiles[Int(part)..<Int(part) + 10])
                    }
                    id += entry.run
                    entries.append(entry)
                }
                var archive = PMTilesBytes()
                archive.tiles = tiles
                var parents: [PMTilesBytes.Entry] = []
                for start in stride(from: 0, to: entries.count, by: 7) {
                    let leaf = PMTilesBytes.directory(Array(entries[start..<min(entries.count, start + 7)]))
                    parents.append(
                        .init(
                            id: entries[start].id,
                            run: 0,
                            length: UInt64(leaf.count),
                            offset: UInt64(archive.leaves.count)
                        )
                    )
                    archive.leaves += leaf
                }
                archive.root = PMTilesBytes.directory(Bool.random(using: &generator) ? entries : parents)
                var found: [String: [UInt8]] = [:]
                try archive.read(in: directory) { found[$0.address.name] = $0.data }
                #expect(found == expected)
            }
        }
    }

    @Test func aTileThatIsTooLargeIsLeftOutAndCounted() async throws {
        try await TemporaryDirectory.with(isInMemory: true) { directory in
            let large = UInt64(MapTile.maximumLength) + 1
            var archive = PMTilesBytes(.init(id: 0, length: large), .init(id: 1, length: 5, offset: large))
            archive.tiles = [UInt8](repeating: 1, count: Int(large) + 5)
            var found: [String] = []
            let omitted = try archive.read(in: directory) { found.append($0.address.name) }
            #expect(found == ["1/0/0"])
            #expect(omitted.count == 1)
            #expect(omitted.example == "the tile 0/0/0 is damaged or has more than 8 MB")
            // An image of gigabytes in a few bytes of gzip.
            let bomb = try #require(GzipData.deflate([UInt8](repeating: 0, count: Int(large))))
            archive = PMTilesBytes(.init(id: 0, length: UInt64(bomb.count)))
            (archive.tiles, archive.tileCompression) = (bomb, 2)
            #expect(try archive.read(in: directory).count == 1)
        }
    }
}

@Suite struct DiskSorterTests {
    @Test(arguments: [1, 2, 7, 64, 1000, 5000]) func sortsInRuns(capacity: Int) async throws {
        try await TemporaryDirectory.with { directory in
            var generator = SeededGenerator(seed: 3)
            let places = (0..<5000).map { _ in
                ArchivedTile(
                    number: ColumnNumber(value: UInt64.random(in: 0..<3000, using: &generator)),
                    offset: UInt64.random(in: 0..<3, using: &generator),
                    length: 1
                )
            }
            let sorter = DiskSorter<ArchivedTile>(in: try Folder(directory.path), capacity: capacity)
            for place in places { try sorter.add(place) }
            var sorted: [ArchivedTile] = []
            try sorter.readSorted { sorted.append($0) }
            #expect(sorted == places.sorted())
            #expect(sorter.count == 5000)
            // What waits in a file has no name.
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
        }
    }
}
