import Foundation
import GRDB
import PeerCore
import PeerTestSupport
import RegionTestSupport
import Testing
import TrackFiles

@testable import MapFiles
@testable import RegionStore

/// A newer map of a region that is here, from a file or from another machine.
@Suite(.timeLimit(.minutes(10))) struct MapUpdateTests {
    /// Makes a store with a region that has items and routing, and a newer map of the same area.
    private static func withStore(
        _ body: (TemporaryDirectory, RegionStore, _ region: RegionSummary, _ newer: String) throws -> Void
    ) async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            try RoutingFixture().write(to: directory.path("r.db"))
            try store.importRouting(at: directory.path("r.db"), into: region.id)
            try store.add([try Items.hike()], to: region.id)
            try store.add([try Items.waypoint()], to: region.id)
            let newer = directory.path("newer.mbtiles")
            try MapFile.small(seed: 2).write(to: newer).close()
            try body(directory, store, try store.region(region.id), newer)
        }
    }

    /// A map of another place.
    private static func elsewhere() -> MapFile {
        var map = MapFile.small(seed: 3).without("bounds")
        for index in map.tiles.indices { map.tiles[index].column -= 100 << (map.tiles[index].zoomLevel - 10) }
        return map
    }

    @Test func itemsAndNameAndRoutingStay() async throws {
        try await Self.withStore { _, store, region, newer in
            let before = try StoreState(of: store)
            let stored = try store.importMap(at: newer, updating: region.id)
            #expect(stored.isUpdate && !stored.isNew)
            let after = try StoreState(of: store)
            #expect(after.regions.map(\.id) == [region.id])
            #expect(after.hikes == before.hikes && after.waypoints == before.waypoints)
            #expect(stored.region.name == region.name)
            #expect(stored.region.mapDigest != region.mapDigest)
            #expect(stored.region.routingDigest == region.routingDigest)
            #expect(stored.region.addedAt >= region.addedAt)
            // The old map's file is gone, the new one is whole.
            #expect(after.files.count == before.files.count)
            #expect(after.files.values.contains(try Data(contentsOf: URL(fileURLWithPath: newer))))
            // The same once more changes nothing.
            let again = try store.importMap(at: newer, updating: region.id)
            #expect(!again.isUpdate && !again.isNew)
            #expect(try StoreState(of: store) == after)
            // And what is here can be sent.
            let receiver = try RegionStore(path: store.path + "-receiver")
            try Transfers.run(try store.source(for: region.id), to: receiver.sink())
        }
    }

    @Test func itIsCountedHowManyTilesDiffer() async throws {
        try await Self.withStore { directory, store, region, newer in
            #expect(try store.importMap(at: newer, updating: region.id).newTileCount == 21)
            var map = MapFile.small(seed: 2)
            for index in [0, 7, 20] { map.tiles[index].data?.append(1) }
            map.tiles.remove(at: 12)
            try map.write(to: directory.path("third.mbtiles")).close()
            let third = try store.importMap(at: directory.path("third.mbtiles"), updating: region.id)
            #expect(third.newTileCount == 3 && third.difference?.changed.count == 3)
            #expect(third.difference?.gone.count == 1 && third.difference?.gone.zooms == [12])
            // Not if nothing is replaced.
            #expect(try store.importMap(at: directory.path("third.mbtiles")).newTileCount == nil)
        }
    }

    /// Tiles on one's hikes and planned routes are counted, and the names are those with most tiles first.
    @Test func itIsSaidOnWhichRoutesTilesDiffer() async throws {
        try await Self.withStore { directory, store, region, _ in
            var map = MapFile.small(seed: 1)
            let hike = try #require(try store.hikes(of: region.id).first)
            let track = try TrackCodec.decode(hike.trackData, startTime: nil).map(\.coordinate)
            let grid = TileGrid(zoomLevel: 12)
            let on = try #require(track.first.flatMap(grid.tile))
            let changed = map.tiles.indices.filter { index in
                let tile = map.tiles[index]
                return tile.zoomLevel == 12 && (tile.column, 4095 - tile.row) == (on.column, on.row)
            }
            try #require(changed.count == 1)
            let far = try #require(
                map.tiles.indices.last { index in
                    let tile = map.tiles[index]
                    return tile.zoomLevel == 12
                        && !track.contains { grid.tile(at: $0).map { $0.column == tile.column } ?? false }
                }
            )
            for index in changed + [far] { map.tiles[index].data?.append(1) }
            try map.write(to: directory.path("changed.mbtiles")).close()

            let stored = try store.importMap(at: directory.path("changed.mbtiles"), updating: region.id)

            #expect(stored.newTileCount == 2)
            #expect(stored.changedRoutes == ChangedRoutes(names: [hike.name], tileCount: 1))
            // Of a list that is not complete, there may be more.
            let none = try store.routes(under: TileSet([]), of: region.id, isAll: false)
            #expect(none == ChangedRoutes(names: [], tileCount: 0, isLeast: true))
            let all = try store.routes(
                under: TileSet((0...4).compactMap { RowNumber(value: $0).address }),
                of: region.id
            )
            #expect(all == ChangedRoutes(names: [hike.name], tileCount: 2))
            let other = try store.importMap(at: directory.path("a.mbtiles"))
            #expect(other.changedRoutes == nil)
        }
    }

    /// A part of a map adds its tiles, and takes nothing away.
    @Test func aPartAddsItsTiles() async throws {
        try await Self.withStore { directory, store, region, newer in
            let before = try Self.tiles(store, region.id)
            try MapFile.small(seed: 1).of("2025-01-01").write(to: directory.path("dated.mbtiles")).close()
            try store.importMap(at: directory.path("dated.mbtiles"), updating: region.id)
            let region = try store.region(region.id)
            let newer = directory.path("dated-newer.mbtiles")
            try MapFile.small(seed: 2).of("2026-01-01").write(to: newer).close()
            let other = try RegionStore(path: directory.path("other"))
            let whole = try other.importMap(at: newer).region
            let wish = CutRule(maximumZoom: 11)
            let part = directory.path("part.mbtiles")
            try other.export(other.cut(wish, of: whole), to: part)

            #expect(try store.prepareMap(at: part).isPart)
            let stored = try store.importMap(at: part, updating: region.id)

            #expect(stored.isUpdate && stored.isPart && stored.newTileCount == 5)
            #expect(stored.union == MapUnion.Counts(replaced: 5) && stored.difference?.gone.count == 0)
            let expected = before.merging(try Self.tiles(other, whole.id).filter { $0.key.zoomLevel <= 11 }) { $1 }
            #expect(try Self.tiles(store, region.id) == expected)
            let after = try store.region(region.id)
            #expect(after.tileCount == region.tileCount && after.boundingBox == region.boundingBox)
            #expect(after.createdAt == region.createdAt && after.hasRoutingData && after.cut == nil)
            // The same once more changes nothing.
            let again = try store.importMap(at: part, updating: region.id)
            #expect(!again.isUpdate && again.isPart)
            #expect(try store.region(region.id).mapDigest == after.mapDigest)
            #expect(try StoreState(of: store).files.count == 2)
            #expect(try StoreState.files(in: store, "work").isEmpty)
            // The whole map replaces it.
            try store.importMap(at: newer, updating: region.id)
            #expect(try store.region(region.id).mapDigest == whole.mapDigest)
            // As a region of its own, it is what it is.
            let own = try RegionStore(path: directory.path("own"))
            let imported = try own.importMap(at: part).region
            #expect(imported.tileCount == 5 && imported.cut?.wholeTileCount == whole.tileCount)
        }
    }

    @Test func aPartOfAnotherPlaceIsRefused() async throws {
        try await Self.withStore { directory, store, region, _ in
            let other = try RegionStore(path: directory.path("other"))
            try Self.elsewhere().write(to: directory.path("far.mbtiles")).close()
            let far = try other.importMap(at: directory.path("far.mbtiles")).region
            let part = directory.path("part.mbtiles")
            try other.export(other.cut(CutRule(maximumZoom: 11), of: far), to: part)
            let error = #expect(throws: RegionStoreError.self) { try store.importMap(at: part, updating: region.id) }
            #expect(error?.code == .invalidArgument)
            #expect(try store.region(region.id) == region)
        }
    }

    private static func tiles(_ store: RegionStore, _ id: UUID) throws -> [TileAddress: [UInt8]] {
        var tiles: [TileAddress: [UInt8]] = [:]
        let map = try store.map(of: id)
        try MapCut(CutRule(), of: map).forEachTile { tiles[$0.address] = $0.data }
        return tiles
    }

    @Test func aNameThatIsGivenIsTaken() async throws {
        try await Self.withStore { _, store, region, newer in
            let stored = try store.importMap(at: newer, name: "Home", updating: region.id)
            #expect(stored.region.name == "Home")
            #expect(try store.region(region.id).name == "Home")
        }
    }

    @Test func aMapThatIsAlsoInAnotherRegionUpdates() async throws {
        try await Self.withStore { _, store, region, newer in
            // It was imported as a region of its own before.
            let other = try store.importMap(at: newer)
            #expect(other.isNew)
            #expect(try store.importMap(at: newer, updating: region.id).isUpdate)
            #expect(Set(try store.regions().map(\.mapDigest)) == [other.region.mapDigest])
            try store.remove(other.region.id)
            #expect(try store.hikes(of: region.id).count == 1)
            #expect(try StoreState(of: store).files.count == 2)
        }
    }

    @Test func aFailedUpdateLeavesTheOldMap() async throws {
        try await Self.withStore { directory, store, region, newer in
            let before = try StoreState(of: store)
            func expectUnchanged(_ code: RegionStoreError.Code, _ path: String, _ id: UUID) throws {
                let error = try #require(throws: RegionStoreError.self) { try store.importMap(at: path, updating: id) }
                #expect(error.code == code)
                store.collectGarbage()
                #expect(try StoreState(of: store) == before)
                #expect(try StoreState.files(in: store, "work").isEmpty)
            }
            let broken = directory.path("broken.mbtiles")
            try Data(contentsOf: URL(fileURLWithPath: newer)).prefix(20_000).write(to: URL(fileURLWithPath: broken))
            try expectUnchanged(.invalidFile, broken, region.id)
            try Self.elsewhere().write(to: directory.path("far.mbtiles")).close()
            try expectUnchanged(.invalidArgument, directory.path("far.mbtiles"), region.id)
            try expectUnchanged(.notFound, newer, UUID())
            // The transaction fails after the file has its place.
            try store.database.write { database in
                try database.execute(
                    sql: "CREATE TRIGGER stop BEFORE UPDATE ON region BEGIN SELECT RAISE(ABORT, 'stopped'); END"
                )
            }
            try expectUnchanged(.storage, newer, region.id)
            try store.database.write { try $0.execute(sql: "DROP TRIGGER stop") }
            #expect(try store.importMap(at: newer, updating: region.id).isUpdate)
        }
    }

    @Test func aRegionThatIsRemovedMeanwhileIsNotMadeAgain() async throws {
        try await Self.withStore { _, store, region, newer in
            let map = try store.prepareMap(at: newer)
            try store.remove(region.id)
            #expect(throws: RegionStoreError.self) { try map.store(updating: region.id) }
            #expect(try store.regions().isEmpty)
        }
    }

    @Test func routingForAnotherAreaGoes() async throws {
        try await Self.withStore { directory, store, region, newer in
            // The new map covers a part of the old one in which there is no routing.
            var map = MapFile.small(seed: 4).without("bounds")
            map.tiles.removeAll { $0.zoomLevel == 12 && ($0.column > 2176 || $0.row > 2656) }
            map.tiles.removeAll { $0.zoomLevel == 11 && ($0.column > 1088 || $0.row > 1328) }
            try map.write(to: directory.path("part.mbtiles")).close()
            var routing = RoutingFixture()
            routing.bounds = "11.5,47.2,11.55,47.25"
            try routing.write(to: directory.path("r2.db"))
            try store.importRouting(at: directory.path("r2.db"), into: region.id)
            let stored = try store.importMap(at: directory.path("part.mbtiles"), updating: region.id)
            #expect(stored.isUpdate && !stored.region.hasRoutingData)
            #expect(try StoreState(of: store).files.count == 1)
        }
    }

    // MARK: Which region

    @Test func aMapOfTheSameNameOrAreaMayBeNewer() async throws {
        try await Self.withStore { directory, store, region, newer in
            #expect(try store.prepareMap(at: newer).olderVersion()?.id == region.id)
            // By its area alone, if it has another name.
            try store.rename(region.id, to: "Home")
            #expect(try store.prepareMap(at: newer).olderVersion()?.id == region.id)
            // Not if a person says how it is to be called.
            #expect(try store.prepareMap(at: newer, name: "Other").olderVersion() == nil)
            #expect(try store.prepareMap(at: newer, name: "home").olderVersion()?.id == region.id)
            // Not if this very map is here, or if it is elsewhere.
            #expect(try store.prepareMap(at: directory.path("a.mbtiles")).olderVersion() == nil)
            try Self.elsewhere().write(to: directory.path("far.mbtiles")).close()
            #expect(try store.prepareMap(at: directory.path("far.mbtiles"), name: "Home").olderVersion() == nil)
            #expect(try StoreState.files(in: store, "work").isEmpty)
        }
    }

    // MARK: From another machine

    @Test func aReceivedNewerMapUpdatesTheRegionThatItDescendsFrom() async throws {
        try await Self.withStore { _, anna, region, newer in
            let ben = try RegionStore(path: anna.path + "-ben")
            try Transfers.run(try anna.source(for: region.id), to: ben.sink())
            try ben.add([try Items.hike(name: "Ben's own")], to: region.id)
            try ben.add([try Items.waypoint(label: "Ben's hut")], to: region.id)
            let before = try ben.region(region.id)

            try anna.importMap(at: newer, updating: region.id)
            let source = try anna.source(for: region.id)
            #expect(source.manifest.id == region.id)
            let receipt = try Transfers.run(source, to: ben.sink())

            #expect(receipt.imported == ["mbtiles": 1])
            let after = try #require(try ben.regions().first)
            #expect(try ben.regions().count == 1)
            #expect(after.mapDigest != before.mapDigest)
            #expect(after.addedAt >= before.addedAt)
            #expect(after.createdAt == (try anna.region(region.id).createdAt))
            #expect(Set(try ben.hikes(of: region.id).map(\.name)) == ["Goetheweg", "Ben's own"])
            #expect(Set(try ben.waypoints(of: region.id).map(\.label)) == ["Pfeishütte", "Ben's hut"])
        }
    }

    // MARK: Dates

    @Test func theDateOfAMapIsKeptAndOffered() async throws {
        try await TemporaryDirectory.with { directory in
            var map = MapFile.small()
            map.metadata.append(("planettime", "1769890882000"))
            try map.write(to: directory.path("a.mbtiles")).close()
            let store = try RegionStore(path: directory.path("store"))
            let region = try store.importMap(at: directory.path("a.mbtiles")).region
            let date = Date(timeIntervalSince1970: 1_769_890_882)
            #expect(region.mapDate == date)
            let source = try store.source(for: region.id)
            #expect(try source.manifest.description(as: Region.self).mapDate == date)
            let receiver = try RegionStore(path: directory.path("receiver"))
            try Transfers.run(source, to: receiver.sink())
            #expect(try receiver.region(region.id).mapDate == date)

            // A map without a date has none, whatever the one before it had.
            try MapFile.small(seed: 2).write(to: directory.path("b.mbtiles")).close()
            #expect(try store.importMap(at: directory.path("b.mbtiles"), updating: region.id).region.mapDate == nil)
        }
    }
}
