import Foundation
import GRDB
import PeerCore
import PeerTestSupport
import Testing

@testable import MapFiles
@testable import RegionStore

/// Parts of maps in transfers.
@Suite(.timeLimit(.minutes(10))) struct CutTransferTests {
    private static let low = CutRule(maximumZoom: 11)
    private static let west = CutRule(area: BoundingBox(north: 47.3, south: 47, east: 11.3, west: 11.2))
    private static let east = CutRule(area: BoundingBox(north: 47.3, south: 47, east: 11.6, west: 11.5))

    @Test func aPartArrivesAndSaysWhatItIs() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try RegionTransferTests.Pair(in: directory)
            let source = try pair.sender.source(for: pair.region.id, routes: .all, cut: Self.low)
            let offered = try ManifestValidator(source.manifest).region
            #expect(offered.tileCount == 5 && offered.cut?.wholeTileCount == 21 && offered.cut?.maximumZoom == 11)
            #expect(offered.cut?.wholeSize == Int64(pair.region.mapSize))

            try Transfers.run(source, to: pair.receiver.sink())

            let region = try pair.receiver.region(pair.region.id)
            #expect(region.cut == offered.cut && region.tileCount == 5 && region.zoomLevels == 10...11)
            #expect(region.waypointCount == 46 && region.hasRoutingData)
            let whole = try Self.tiles(pair.sender, pair.region.id)
            #expect(try Self.tiles(pair.receiver, region.id) == whole.filter { $0.key.zoomLevel <= 11 })
            // Who has a part sends a part.
            let next = try ManifestValidator(pair.receiver.source(for: region.id).manifest).region
            #expect(next.cut == offered.cut)
            let smaller = CutRule(maximumZoom: 10)
            let least = try pair.receiver.source(for: region.id, routes: .all, cut: smaller)
            #expect(try ManifestValidator(least.manifest).region.cut?.wholeTileCount == 21)
        }
    }

    /// A part with all tiles is the map.
    @Test func aPartOfEverythingIsTheWhole() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try RegionTransferTests.Pair(in: directory)
            let everything = CutRule(maximumZoom: 12)
            let source = try pair.sender.source(for: pair.region.id, routes: .all, cut: everything)
            #expect(source.manifest.entry(of: .mbtiles)?.digest == pair.region.mapDigest)
            #expect(try ManifestValidator(source.manifest).region.cut == nil)
        }
    }

    /// Two machines with the map offer the same file.
    @Test func everyMachineOffersTheSamePart() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try RegionTransferTests.Pair(in: directory)
            try Transfers.run(try pair.sender.source(for: pair.region.id), to: pair.receiver.sink())
            let digests = try [pair.sender, pair.receiver].map { store in
                try store.source(for: pair.region.id, routes: .all, cut: Self.west).manifest.entry(of: .mbtiles)?.digest
            }
            #expect(digests[0] != nil && digests[0] == digests[1])
        }
    }

    /// A part of a newer map replaces its tiles, and the rest of the map stays.
    ///
    /// A part of an older one, or of one of unknown age, replaces none.
    @Test(arguments: [("2026-01-02", true), ("2025-12-31", false), (nil, false)] as [(String?, Bool)])
    func aPartTakesNothingAway(date: String?, isNewer: Bool) async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try RegionTransferTests.Pair(in: directory)
            let id = pair.region.id
            try MapFile.small(seed: 1).of("2026-01-01").write(to: directory.path("old.mbtiles"))
            try pair.sender.importMap(at: directory.path("old.mbtiles"), updating: id)
            try Transfers.run(try pair.sender.source(for: id), to: pair.receiver.sink())
            let (old, before) = (try Self.tiles(pair.receiver, id), try pair.receiver.region(id))
            let newMap = date.map { MapFile.small(seed: 2).of($0) } ?? MapFile.small(seed: 2)
            try newMap.write(to: directory.path("new.mbtiles"))
            try pair.sender.importMap(at: directory.path("new.mbtiles"), updating: id)
            let new = try Self.tiles(pair.sender, id)

            let source = try pair.sender.source(for: id, kinds: [.mbtiles], routes: .all, cut: Self.low)
            let change = Locked<MapChange?>(nil)
            var sink = pair.receiver.sink()
            sink.noteMapChange = { noted in change.withLock { $0 = noted } }
            let receipt = try Transfers.run(source, to: sink)

            #expect(receipt.imported["mbtiles"] == (isNewer ? 1 : nil))
            let counts = change.withLock { $0 }?.union
            #expect(counts?.replaced == (isNewer ? 5 : 0) && counts?.added == 0)
            #expect(counts?.older == (date == "2025-12-31" ? 5 : 0) && counts?.unknown == (date == nil ? 5 : 0))
            let expected = isNewer ? old.merging(new.filter { $0.key.zoomLevel <= 11 }) { $1 } : old
            #expect(try Self.tiles(pair.receiver, id) == expected)
            let region = try pair.receiver.region(id)
            #expect(region.cut == nil && region.tileCount == 21 && region.hasRoutingData)
            #expect(region.boundingBox == before.boundingBox && region.createdAt == before.createdAt)
            // The store is as it should be: the file is where its digest says, and it can be sent.
            let state = try StoreState(of: pair.receiver)
            #expect(state.files.count == 2)
            let third = try RegionStore(path: directory.path("third"))
            try Transfers.run(try pair.receiver.source(for: id), to: third.sink())
            #expect(try Self.tiles(third, id) == expected)
            #expect(try StoreState.files(in: pair.receiver, "incoming").isEmpty)
        }
    }

    /// A map has tiles of two dates, and a part of it those of one of them.
    @Test func aPartOfAJoinedMapIsAsOldAsItsTiles() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try RegionTransferTests.Pair(in: directory)
            let id = pair.region.id
            for (seed, date) in [(1, "2025-01-01"), (2, "2026-01-01")] as [(UInt64, String)] {
                try MapFile.small(seed: seed).of(date).write(to: directory.path("\(seed).mbtiles"))
            }
            try pair.sender.importMap(at: directory.path("2.mbtiles"), updating: id)
            let third = try RegionStore(path: directory.path("third"))
            try Transfers.run(try pair.sender.source(for: id), to: third.sink())
            try third.importMap(at: directory.path("1.mbtiles"), updating: id)
            let low = try pair.sender.source(for: id, kinds: [.mbtiles], routes: .all, cut: Self.low)
            try Transfers.run(low, to: third.sink())
            let joined = try third.region(id).edition
            #expect(joined.date != joined.newestDate && joined.newestDate != nil)

            // Only tiles of the newer date, as an offer and as an answer to a request.
            let offer = try third.source(for: id, kinds: [.mbtiles], routes: .all, cut: Self.low)
            let asked = try third.source(for: id).cut(Self.low, in: third)
            for (name, source) in [("fourth", offer), ("fifth", asked)] {
                #expect(try source.manifest.region().edition.newestDate ?? joined.newestDate == joined.newestDate)
                #expect(try source.manifest.region().edition.date == joined.newestDate, "\(name)")
                let store = try RegionStore(path: directory.path(name))
                try Transfers.run(source, to: store.sink())
                #expect(try store.region(id).edition.date == joined.newestDate, "\(name)")
            }
        }
    }

    @Test func aPartOfTheOwnMapChangesNothing() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try RegionTransferTests.Pair(in: directory)
            let id = pair.region.id
            try Transfers.run(try pair.sender.source(for: id), to: pair.receiver.sink())
            let before = try pair.receiver.region(id)

            let source = try pair.sender.source(for: id, routes: .all, cut: Self.west)
            let receipt = try Transfers.run(source, to: pair.receiver.sink())

            #expect(receipt.imported["mbtiles"] == nil)
            #expect(try pair.receiver.region(id) == before)
            #expect(try StoreState(of: pair.receiver).files == StoreState(of: pair.sender).files)
        }
    }

    /// What was said of a part is not said of it with more zoom levels.
    @Test func anImportedPartTakesFalseWordsAway() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try RegionTransferTests.Pair(in: directory)
            let id = pair.region.id
            let lowest = CutRule(maximumZoom: 10)
            try Transfers.run(try pair.sender.source(for: id, routes: .all, cut: lowest), to: pair.receiver.sink())
            #expect(try pair.receiver.region(id).cut?.maximumZoom == 10)
            let part = directory.path("part.mbtiles")
            try pair.sender.export(pair.sender.cut(Self.low, of: pair.region), to: part)
            try pair.receiver.importMap(at: part, updating: id)
            let cut = try pair.receiver.region(id).cut
            #expect(cut?.wholeTileCount == 21 && cut?.maximumZoom == nil)
        }
    }

    /// Parts add up, and the whole map replaces them.
    @Test func partsAddUp() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try RegionTransferTests.Pair(in: directory)
            let id = pair.region.id
            let whole = try Self.tiles(pair.sender, id)
            try Transfers.run(try pair.sender.source(for: id, routes: .all, cut: Self.west), to: pair.receiver.sink())
            let first = try Self.tiles(pair.receiver, id)
            let part = try pair.sender.source(for: id, routes: .all, cut: Self.east)
            try Transfers.run(part, to: pair.receiver.sink())
            let both = try Self.tiles(pair.receiver, id)
            #expect((1..<both.count).contains(first.count) && both.count < whole.count)
            #expect(both.allSatisfy { whole[$0.key] == $0.value } && first.allSatisfy { both[$0.key] == $0.value })
            let region = try pair.receiver.region(id)
            #expect(region.cut != nil && region.cut?.area == nil && region.tileCount == both.count)
            #expect(region.boundingBox.west < 11.26 && region.boundingBox.east > 11.5)

            try Transfers.run(try pair.sender.source(for: id), to: pair.receiver.sink())

            #expect(try pair.receiver.region(id).cut == nil)
            #expect(try StoreState(of: pair.receiver).files == StoreState(of: pair.sender).files)
        }
    }

    /// A part whose tiles have no data takes none away.
    @Test func aTileWithoutDataReplacesNone() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try RegionTransferTests.Pair(in: directory)
            let id = pair.region.id
            try Transfers.run(try pair.sender.source(for: id), to: pair.receiver.sink())
            let old = try Self.tiles(pair.receiver, id)
            var map = MapFile.small(seed: 3)
            for index in map.tiles.indices where index > 0 { map.tiles[index].data = index % 2 == 0 ? nil : Data() }
            try map.write(to: directory.path("lie.mbtiles"))
            let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: directory.path("lie.mbtiles"))))
            let source = try LyingSource(pair.region.region, [.mbtiles: bytes]) { region in
                region.cut = CutDescription(maximumZoom: 12, wholeTileCount: 21, wholeSize: 1)
            }

            try Transfers.run(source, to: pair.receiver.sink())

            let now = try Self.tiles(pair.receiver, id)
            #expect(now.count == 21 && now == old)
        }
    }

    /// What an offer says before a person agrees.
    @Test func anOfferTellsThatNothingIsLost() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try RegionTransferTests.Pair(in: directory)
            let source = try pair.sender.source(for: pair.region.id, kinds: [.mbtiles], routes: .all, cut: Self.west)
            let replacement = RegionReplacement(
                of: pair.region,
                by: try ManifestValidator(source.manifest).region,
                entries: source.manifest.entries,
                wanted: [.mbtiles]
            )
            #expect(replacement.addsToMap && replacement.files == [.mbtiles] && !replacement.coversAnotherArea)
            // Even so, a stranger does not change a map without a question.
            #expect(replacement.objection(isSenderKnown: false) == .untrustedSender)
            #expect(!replacement.hasTooManyTiles)
            var large = pair.region
            large.tileCount = MapCut.maximumTileCount
            // The part may have the same tiles.
            #expect(
                !RegionReplacement(
                    of: large,
                    by: try ManifestValidator(source.manifest).region,
                    entries: source.manifest.entries,
                    wanted: [.mbtiles]
                ).hasTooManyTiles
            )
            large.tileCount += 1
            large.coverageBytes = []
            #expect(
                RegionReplacement(
                    of: large,
                    by: try ManifestValidator(source.manifest).region,
                    entries: source.manifest.entries,
                    wanted: [.mbtiles]
                ).hasTooManyTiles
            )
        }
    }

    private static func tiles(_ store: RegionStore, _ id: UUID) throws -> [TileAddress: [UInt8]] {
        var tiles: [TileAddress: [UInt8]] = [:]
        try StoredRegionContent(id, in: store).openTiles()?.forEachTile { tiles[$0.address] = $0.data }
        return tiles
    }
}
