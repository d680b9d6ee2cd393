import Glibc
import PeerStorage
import PeerTestSupport
import RegionModel
import Testing

@testable import MapFiles

/// A map with the tiles of a part added.
@Suite struct MapUnionTests {
    /// Whatever the two have: nothing is taken away, and a tile of the part takes the place of one only if it is newer.
    @Test(arguments: 1...20 as ClosedRange<UInt64>, [MapEdition.Age.newer, .older, .same, .unknown])
    func nothingIsTakenAway(seed: UInt64, age: MapEdition.Age) async throws {
        try await TemporaryDirectory.with(isInMemory: true) { folder in
            var generator = SeededGenerator(seed: seed)
            let all = MBTilesWriterTests.tiles(300, seed: seed) { $0.bytes(Int.random(in: 1...50, using: &$0)) }
            let map = all.filter { _ in Int.random(in: 0..<3, using: &generator) > 0 }
            let part = all.filter { _ in Bool.random(using: &generator) }.map { tile in
                let lengths = [0, tile.data.count, 5]
                let length = lengths.randomElement(using: &generator) ?? 0
                return length == tile.data.count ? tile : MapTile(tile.address, data: generator.bytes(length))
            }
            let dates = [.newer: "2026-02-01", .older: "2025-12-01", .same: "2026-01-01"] as [MapEdition.Age: String]
            let date = dates[age].map { ["date": $0] } ?? [:]
            try MBTilesWriterTests.write(map, to: folder.path("map"), ["name": "Map", "date": "2026-01-01"])
            try MBTilesWriterTests.write(part, to: folder.path("part"), ["name": "Part"].merging(date) { $1 })

            let union = try #require(try Self.union("part", "map", to: "union", in: folder))

            var expected = Dictionary(uniqueKeysWithValues: map.map { ($0.address, $0) })
            var counts = MapUnion.Counts()
            for tile in part where !tile.data.isEmpty {
                let here = expected[tile.address]
                if here == nil { counts.added += 1 }
                if let here, here != tile {
                    switch age {
                    case .newer: counts.replaced += 1
                    case .older: counts.older += 1
                    case .same, .unknown: counts.unknown += 1
                    }
                }
                if here == tile, age == .newer { counts.confirmed += 1 }
                if here == nil || age == .newer { expected[tile.address] = tile }
            }
            #expect(union.counts == counts)
            let read = try MBTilesWriterTests.read(folder.path("union"))
            #expect(read == expected.values.sorted { $0.address < $1.address })
            let (before, after) = (try Self.places("map", in: folder), try Self.places("union", in: folder))
            #expect(after.difference(since: before) == union.difference)
            #expect(union.difference.added.count == counts.added && union.difference.changed.count == counts.replaced)
            try UntrustedFile.check(folder.path("union"), as: .mbtiles, isThorough: true, seconds: 600)
            // The part is then in it.
            let again = try MapUnion(adding: Self.open(folder.path("part")), to: Self.open(folder.path("union")))
            #expect(again?.isMap == true && again?.counts.isNothing == true)
        }
    }

    /// Parts of maps of several dates come in any order, some of them joined before: every place has its newest tile.
    @Test(arguments: 1...12 as ClosedRange<UInt64>) func theOrderDoesNotMatter(seed: UInt64) async throws {
        try await TemporaryDirectory.with(isInMemory: true) { folder in
            var generator = SeededGenerator(seed: seed)
            let places = MBTilesWriterTests.tiles(120, seed: seed) { $0.bytes(1) }.map(\.address)
            let editions = (1...Int.random(in: 2...4, using: &generator)).map { "2025-0\($0)-01" }
            // Many tiles are the same in all editions.
            let maps = editions.indices.map { edition in
                places.map { MapTile($0, data: [UInt8($0.column % 251), $0.row % 3 == 0 ? UInt8(edition) : 99]) }
            }
            var newest: [TileAddress: MapTile] = [:]
            var names: [String] = []
            for number in 0..<Int.random(in: 3...6, using: &generator) {
                let edition = Int.random(in: 0..<editions.count, using: &generator)
                let part = maps[edition].filter { _ in Int.random(in: 0..<3, using: &generator) == 0 }
                guard !part.isEmpty else { continue }
                names.append("part\(number)")
                try MBTilesWriterTests.write(part, to: folder.path("part\(number)"), ["date": editions[edition]])
                for tile in part {
                    let older = newest[tile.address].flatMap { here in maps.lastIndex { $0.contains(here) } } ?? -1
                    if older < edition { newest[tile.address] = tile }
                }
            }
            for order in 0..<4 {
                // A forest: any two of what is there are joined, until one is left.
                var rest = names.shuffled(using: &generator)
                var step = 0
                while rest.count > 1 {
                    let (one, two) = (rest.removeFirst(), rest.removeFirst())
                    let name = "union\(order)-\(step)"
                    let union = try #require(try Self.union(one, two, to: name, in: folder))
                    rest.insert(union.isMap ? two : name, at: Int.random(in: 0...rest.count, using: &generator))
                    step += 1
                }
                let read = try MBTilesWriterTests.read(folder.path(rest[0]))
                #expect(read == newest.values.sorted { $0.address < $1.address }, "\(names)")
            }
        }
    }

    /// The dates of a map with tiles of several ages are those of its oldest and of its newest tiles.
    @Test(
        arguments: [
            ("2026-05-01", "2026-06-01", "2026-05-01T00:00:00Z", "2026-06-01T00:00:00Z"),
            ("2026-05-01", "2025-06-01", "2025-06-01T00:00:00Z", "2026-05-01T00:00:00Z"),
            ("2026-05-01", "2026-05-01", "2026-05-01", nil), ("2026-05-01", "2999-05-01", nil, nil),
            ("2026-05-01", nil, nil, nil), (nil, "2026-05-01", nil, nil), (nil, nil, nil, nil),
        ] as [(String?, String?, String?, String?)]
    )
    func theDatesAreThoseOfTheTiles(map: String?, part: String?, oldest: String?, newest: String?) async throws {
        try await TemporaryDirectory.with(isInMemory: true) { folder in
            let tiles = MBTilesWriterTests.tiles(20, seed: 1) { $0.bytes(9) }
            for (name, date, tiles) in [("map", map, tiles[..<15]), ("part", part, tiles[10...])] {
                let changed = tiles.map { name == "map" ? $0 : MapTile($0.address, data: $0.data + [1]) }
                let metadata = date.map { ["date": $0] } ?? [:]
                try MBTilesWriterTests.write(changed, to: folder.path(name), metadata)
            }
            _ = try Self.union("part", "map", to: "union", in: folder)
            let metadata = try MapDescription.metadata(ofCut: Self.open(folder.path("union")))
            #expect(metadata["date"] == oldest && metadata[MapDate.newestKey] == newest)
            #expect(metadata[MapDescription.partKey] == nil)
            #expect((metadata[TileEditions.key] == nil) == (map == part))
        }
    }

    /// A cut of a map with tiles of several ages is as old as its tiles, and all of it together says which is which.
    @Test func aCutKnowsTheAgeOfItsTiles() async throws {
        try await TemporaryDirectory.with(isInMemory: true) { folder in
            let tiles = MBTilesWriterTests.tiles(20, seed: 1) { $0.bytes(9) }
            let high = try #require(tiles.last).address.zoomLevel
            let low = tiles.filter { $0.address.zoomLevel < high }
            try MBTilesWriterTests.write(low, to: folder.path("map"), ["date": "2025-05-01", "version": "1"])
            let others = tiles.filter { $0.address.zoomLevel == high }
            try MBTilesWriterTests.write(others, to: folder.path("part"), ["date": "2026-05-01", "version": "2"])
            _ = try Self.union("part", "map", to: "union", in: folder)
            let union = try Self.open(folder.path("union"))
            let cut = try MapCut(CutRule(maximumZoom: high - 1), of: union)
            try cut.write(to: try OpenFile(folder.path("cut"), O_RDWR | O_CREAT))
            let metadata = try MapDescription.metadata(ofCut: Self.open(folder.path("cut")))
            #expect(metadata["date"] == "2025-05-01T00:00:00Z" && metadata["version"] == "1")
            #expect(metadata[MapDate.newestKey] == nil && metadata[TileEditions.key] == nil)
            let editions = TileEditions(metadata: try MapDescription.metadata(ofCut: union))
            #expect(
                tiles.allSatisfy {
                    editions.edition(of: $0.address).version == ($0.address.zoomLevel < high ? "1" : "2")
                }
            )
        }
    }

    /// What a record cannot say is not known, and nothing of it counts.
    @Test(
        arguments: [
            "", "|", ";|", "x,,|", ",,|0.1", ",,|0.0.0", ",,|0.1.1", ",,|-1.1.0", ",,|3w5e11264sgsf.3w5e11264sgsf.0",
            "32503680000000,,|", "-1,,|", ",,x y|", ",,;,,|0.1.2", ",,\u{0}|",
            String(repeating: ",,;", count: 64) + ",,|", ",,|" + String(repeating: "0.1.0;", count: 50_000),
        ]
    )
    func whatARecordCannotSayIsUnknown(text: String) throws {
        let metadata = [TileEditions.key: text, "date": "2026-01-01", "version": "7"]
        let address = try #require(TileAddress(zoomLevel: 30, column: 1 << 30 - 1, row: 0))
        #expect(TileEditions(metadata: metadata).edition(of: address) == MapEdition())
        let good = [TileEditions.key: "1750000000000,,1;1760000000000,,2|0.1.1;4.2.1", "date": "2026-01-01"]
        let places: [(Int, Int, Int, String)] = [
            (0, 0, 0, "2"), (1, 0, 0, "1"), (1, 1, 0, "1"), (2, 0, 3, "2"), (2, 0, 2, "2"),
        ]
        for (zoomLevel, column, row, version) in places {
            let address = try #require(TileAddress(zoomLevel: zoomLevel, column: column, row: row))
            #expect(TileEditions(metadata: good).edition(of: address).version == version, "\(address)")
        }
    }

    /// With so many changes of edition that no record has room for them, the age of all tiles is that from the oldest to the newest.
    @Test func tooManyRunsAreNoRecord() throws {
        var builder = TileEditions.Builder()
        let editions = ["2025-01-01", "2026-01-01"].map { MapEdition(metadata: ["date": $0]) }
        for number in 0..<100_000 {
            let address = try #require(TileAddress(zoomLevel: 20, column: number >> 8, southernRow: number & 255))
            builder.add(address, editions[number % 2])
        }
        var metadata: [String: String] = [:]
        builder.write(to: &metadata, from: [["date": "2025-01-01"], ["date": "2026-01-01"]])
        #expect(metadata[TileEditions.key] == nil && metadata["date"] == "2025-01-01T00:00:00Z")
        let address = try #require(TileAddress(zoomLevel: 20, column: 0, southernRow: 0))
        let edition = TileEditions(metadata: metadata).edition(of: address)
        #expect(edition.date == editions[0].date && edition.newestDate == editions[1].date)
        let between = MapEdition(metadata: ["date": "2025-06-01"])
        #expect(between.age(comparedWith: edition) == .unknown)
    }

    /// Edges that the part does not move stay as the map states them.
    @Test func theAreaIsThatOfBoth() async throws {
        try await TemporaryDirectory.with(isInMemory: true) { folder in
            func tiles(_ columns: Range<Int>) -> [MapTile] {
                columns.flatMap { column in
                    (4..<8).compactMap { TileAddress(zoomLevel: 5, column: column, row: $0) }
                }.sorted().map { MapTile($0, data: [1]) }
            }
            try MBTilesWriterTests.write(tiles(4..<8), to: folder.path("map"), ["bounds": "-130,67,-91,79"])
            for (name, columns) in [("inside", 5..<7), ("outside", 6..<10)] {
                try MBTilesWriterTests.write(tiles(columns), to: folder.path(name), [:])
                _ = try Self.union(name, "map", to: name + "-union", in: folder)
            }
            let grid = TileGrid(zoomLevel: 5)
            let inside = try MapDescription(checking: Self.open(folder.path("inside-union"))).boundingBox
            #expect(inside == BoundingBox(north: 79, south: 67, east: -91, west: -130))
            let outside = try MapDescription(checking: Self.open(folder.path("outside-union"))).boundingBox
            #expect(abs(outside.east - grid.longitude(10)) < 1e-5 && outside.west == -130 && outside.north == 79)
        }
    }

    /// A part with tiles of a higher zoom level in all tiles of the map takes no place away from it, nor the other way round.
    @Test(arguments: [["map", "part"], ["part", "map"]]) func higherZoomsDoNotShrinkTheArea(
        order: [String]
    ) async throws {
        try await TemporaryDirectory.with(isInMemory: true) { folder in
            func tiles(_ zoomLevel: Int, _ numbers: [Int]) -> [MapTile] {
                numbers.flatMap { column in
                    numbers.compactMap { TileAddress(zoomLevel: zoomLevel, column: column, row: $0) }
                }.sorted().map { MapTile($0, data: [1]) }
            }
            try MBTilesWriterTests.write(tiles(5, [10, 11]), to: folder.path("map"), [:])
            // One tile of zoom level 7 in each of zoom level 5, of which the part lacks one.
            let part = tiles(5, [10, 11]).dropLast() + tiles(7, [42, 45])
            try MBTilesWriterTests.write(part, to: folder.path("part"), [:])
            _ = try Self.union(order[0], order[1], to: "union", in: folder)
            let (map, union) = try (
                MapDescription(checking: Self.open(folder.path("map"))),
                MapDescription(checking: Self.open(folder.path("union")))
            )
            #expect(union.boundingBox.commonPart(with: map.boundingBox) > 0.999 && union.coverage.levels.count == 2)
            let corner = try #require(
                Coordinate(latitude: map.boundingBox.north - 0.1, longitude: map.boundingBox.west + 0.1)
            )
            #expect(union.place.contains(corner))
            let again = try #require(Coverage(bytes: union.coverage.bytes))
            #expect(MapPlace(area: union.boundingBox, coverage: again).contains(corner))
            // A part of the union knows it, too.
            let cut = try MapCut(CutRule(), of: Self.open(folder.path("union")))
            try cut.write(to: OpenFile(folder.path("cut"), O_RDWR | O_CREAT))
            #expect(try MapDescription(checking: Self.open(folder.path("cut"))).place.contains(corner))
        }
    }

    /// A part of low zoom levels, whose tiles reach beyond the map, does not make it larger.
    @Test func newerTilesOfLowZoomsDoNotWidenTheArea() async throws {
        try await TemporaryDirectory.with(isInMemory: true) { folder in
            let (low, high) = (
                TileAddress(zoomLevel: 5, column: 10, row: 10), TileAddress(zoomLevel: 7, column: 41, row: 41)
            )
            let both = [low, high].compactMap { $0 }
            try MBTilesWriterTests.write(
                both.map { MapTile($0, data: [1]) },
                to: folder.path("map"),
                ["date": "2025-01-01"]
            )
            let part = both.prefix(1).map { MapTile($0, data: [2]) }
            try MBTilesWriterTests.write(part, to: folder.path("part"), ["date": "2026-01-01"])
            #expect(try Self.union("part", "map", to: "union", in: folder)?.counts.replaced == 1)
            let (map, union) = try (
                MapDescription(checking: Self.open(folder.path("map"))),
                MapDescription(checking: Self.open(folder.path("union")))
            )
            #expect(union.coverage == map.coverage && union.boundingBox.commonPart(with: map.boundingBox) > 0.999)
        }
    }

    /// A part with a part added stays one until it has as many tiles as the larger of their maps.
    @Test(
        arguments: [
            ("8", "20", "20"), ("20", "8", "20"), ("8", "9", nil), ("8", nil, nil), (nil, "20", nil),
        ] as [(String?, String?, String?)]
    )
    func twoPartsAreOneOfTheLargerMap(map: String?, part: String?, expected: String?) async throws {
        try await TemporaryDirectory.with(isInMemory: true) { folder in
            let tiles = MBTilesWriterTests.tiles(10, seed: 1) { $0.bytes(9) }
            for (name, whole, tiles) in [("map", map, tiles[..<5]), ("part", part, tiles[5...])] {
                let metadata = whole.map { [MapDescription.partKey: $0] } ?? [:]
                try MBTilesWriterTests.write(Array(tiles), to: folder.path(name), metadata)
            }
            _ = try Self.union("part", "map", to: "union", in: folder)
            #expect(
                try MapDescription.metadata(ofCut: Self.open(folder.path("union")))[MapDescription.partKey] == expected
            )
        }
    }

    /// Adds a part to a map, and writes the union.
    private static func union(
        _ part: String,
        _ map: String,
        to name: String,
        in folder: TemporaryDirectory
    ) throws -> MapUnion? {
        let union = try MapUnion(adding: open(folder.path(part)), to: open(folder.path(map)))
        try union?.write(to: try OpenFile(folder.path(name), O_RDWR | O_CREAT), check: { _ in })
        return union
    }

    private static func places(_ name: String, in folder: TemporaryDirectory) throws -> TileDigests {
        try #require(try TileDigests(of: open(folder.path(name))))
    }

    private static func open(_ path: String) throws -> UntrustedDatabase {
        try UntrustedDatabase(path, .immutable, within: CheckLimits(seconds: 600, memory: 64 << 20))
    }
}
