import Foundation
import GRDB
import PeerTestSupport
import RegionTestSupport
import Testing

@testable import RegionStore

/// One map that two machines have under different ids.
@Suite struct SameMapTests {
    @Test func aRegionThatTakesTheIdKeepsAllItHasAndIsOneWithTheOther() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try RegionTransferTests.Pair(in: directory)
            let store = pair.receiver
            let own = try store.importMap(at: directory.path("a.mbtiles"), name: "Mine").region
            let waypoint = try Items.waypoint(label: "Spring", note: "Dry")
            try store.add([waypoint], to: own.id)
            _ = try store.importPhoto(at: try Photos.file(1, in: directory), for: waypoint.id, in: own.id)
            try store.database.write { database in
                try database.execute(
                    sql: "INSERT INTO receivedEdit (regionID, id, modifiedAt) VALUES (?, ?, 1)",
                    arguments: [own.id.uuidString, waypoint.id.uuidString]
                )
            }
            let before = try store.region(own.id)

            #expect(try store.adopt(pair.region.id, for: own.id))

            var after = try store.region(pair.region.id)
            after.id = own.id
            #expect(after == before)
            #expect(try store.regions().count == 1)
            try store.database.read { try $0.checkForeignKeys() }
            let folders = try FileManager.default.contentsOfDirectory(atPath: store.path + "/regions")
            #expect(folders == [pair.region.id.uuidString])

            try Transfers.run(try pair.sender.source(for: pair.region.id), to: store.sink())
            let merged = try store.region(pair.region.id)
            #expect(merged.name == "Mine")
            #expect(merged.waypointCount == 47)
            #expect(merged.photoCount == 1)
            #expect(try store.regions().count == 1)
        }
    }

    @Test func noTableOfARegionIsForgotten() async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            let sql = """
                SELECT item.name FROM sqlite_master AS item JOIN pragma_table_info(item.name) AS field
                WHERE item.type = 'table' AND field.name = 'regionID'
                """
            let tables = try store.database.read { try String.fetchAll($0, sql: sql) }
            #expect(Set(tables) == Set(RegionStore.tablesOfRegions))
        }
    }

    @Test func aStoreWithBothRegionsKeepsThem() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try RegionTransferTests.Pair(in: directory)
            let own = try pair.receiver.importMap(at: directory.path("a.mbtiles")).region
            try Transfers.run(try pair.sender.source(for: pair.region.id), to: pair.receiver.sink())
            #expect(try !pair.receiver.adopt(pair.region.id, for: own.id))
            #expect(Set(try pair.receiver.regions().map(\.id)) == [own.id, pair.region.id])
        }
    }
}
