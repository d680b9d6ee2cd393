import Foundation
import GRDB
import PeerTestSupport
import RegionTestSupport
import Testing
import TrackFiles

@testable import RegionStore

/// Items of a file that the region has with other ids, because they came from another machine.
@Suite struct KnownItemsTests {
    private static let file = """
        <gpx xmlns="http://www.topografix.com/GPX/1/1">
        <wpt lat="47.2" lon="11.4"><time>2025-06-20T08:00:00Z</time><name>Hut</name><desc>closed in winter</desc></wpt>
        <rte><name>Up</name><desc>steep</desc><rtept lat="47.2" lon="11.4"><ele>1000</ele></rtept>
        <rtept lat="47.21" lon="11.41"><ele>1200</ele></rtept></rte>
        <trk><name>Walk</name><cmt>long</cmt><trkseg>
        <trkpt lat="47.2" lon="11.4"><ele>1000</ele><time>2025-06-20T08:00:00Z</time></trkpt>
        <trkpt lat="47.21" lon="11.4"><ele>1100</ele><time>2025-06-20T08:20:00Z</time></trkpt>
        </trkseg></trk></gpx>
        """

    private func `import`(_ text: String, _ store: RegionStore, _ region: UUID) throws -> GPXImport {
        try store.importGPX(try TrackFileReader(now: Items.time).read(Data(text.utf8), named: "file"), into: region)
    }

    /// Gives all items ids that no file says.
    private func changeIDs(_ store: RegionStore) throws {
        try store.database.write { database in
            for table in ["waypoint", "plannedRoute", "hike"] {
                try database.execute(
                    sql: "UPDATE \(table) SET id = ?, fingerprint = NULL",
                    arguments: [UUID().uuidString]
                )
            }
        }
    }

    private func counts(_ imported: GPXImport) -> [MergeCounts] {
        [imported.waypoints, imported.plannedRoutes, imported.hikes]
    }

    @Test func theSameItemIsKnownByItsNamePositionsAndTimes() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            _ = try `import`(Self.file, store, region.id)
            try changeIDs(store)
            let again = try `import`(Self.file, store, region.id)
            #expect(counts(again).map(\.unchanged) == [1, 1, 1])
            let edited = Self.file.replacing("closed in winter", with: "open").replacing("steep", with: "flat")
                .replacing("long", with: "short")
            let changed = try `import`(edited, store, region.id)
            #expect(counts(changed).map(\.updated) == [1, 1, 1])
            #expect(counts(changed).map(\.total) == [1, 1, 1])
            let summary = try store.region(region.id)
            #expect(summary.waypointCount == 1 && summary.plannedRouteCount == 1 && summary.hikeCount == 1)
            #expect(try store.waypoints(of: region.id).first?.note == "open")
        }
    }

    @Test func anItemOfAnotherRegionIsNotMerged() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            // The second time, the region looks for items that it knows.
            for _ in 1...2 { _ = try `import`(Self.file, store, region.id) }
            let other = directory.path("other.mbtiles")
            try MapFile.small(seed: 2).write(to: other)
            let second = try store.importMap(at: other, name: "Other").region.region
            try #require(second.id != region.id)
            let there = try `import`(Self.file, store, second.id)
            #expect(counts(there).map(\.added) == [1, 1, 1])
            #expect(try store.waypoints(of: region.id).count == 1 && store.waypoints(of: second.id).count == 1)
        }
    }

    @Test func aNameThatAPersonGaveIsNotReplacedByOneThatIsMadeUp() async throws {
        let file = Self.file.replacing("<name>Walk</name>", with: "").replacing("<name>Up</name>", with: "")
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            _ = try `import`(file, store, region.id)
            try store.database.write { database in
                for table in ["hike", "plannedRoute"] { try database.execute(sql: "UPDATE \(table) SET name = 'Mine'") }
            }
            let again = try `import`(file, store, region.id)
            #expect(counts(again).map(\.unchanged) == [1, 1, 1])
            #expect(try store.hikes(of: region.id).first?.name == "Mine")
            #expect(try store.plannedRoutes(of: region.id).first?.name == "Mine")
        }
    }

    @Test func aRegionTakesOnlyAsManyItemsAsCanBeSent() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            try store.database.write { database in
                try database.execute(
                    sql: """
                        WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < \(ItemCoding.maximumCount))
                        INSERT INTO waypoint (regionID, id, latitude, longitude, time, label, note, category, hasPhoto)
                        SELECT ?, printf('00000000-0000-4000-8000-%012d', n), 47.2, 11.4, 1770307200 + n, 'Hut', '', 'shelter', 0
                        FROM number
                        """,
                    arguments: [region.id.uuidString]
                )
            }
            let error = #expect(throws: RegionStoreError.self) { try `import`(Self.file, store, region.id) }
            #expect(error?.code == .invalidArgument && error?.remedy != nil, "\(String(describing: error))")
            let summary = try store.region(region.id)
            #expect(summary.waypointCount == ItemCoding.maximumCount && summary.hikeCount == 0)
        }
    }
}
