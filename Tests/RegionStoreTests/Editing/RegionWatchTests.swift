import GRDB
import PeerTestSupport
import RegionTestSupport
import Testing

@testable import RegionStore

@Suite struct RegionWatchTests {
    @Test func everyChangeIsNoticedOnce() async throws {
        try await TemporaryDirectory.with { directory in
            let map = directory.path("a.mbtiles")
            try MapFile.small().write(to: map)
            let store = try RegionStore(path: directory.path("store"))
            let id = try store.importMap(at: map).region.id
            let waypoint = try Items.waypoint(label: "Spring", note: "")
            try store.add([waypoint], to: id)
            var watch = try RegionWatch(id, in: store)
            #expect(try watch.change() == nil)
            // Another process writes, but not to this region.
            try RegionStore(path: store.path).setDisplayName("Anna")
            #expect(try watch.change() == nil)

            try RegionStore(path: store.path).rename(id, to: "Renamed")
            #expect(try watch.change() == .changed)
            #expect(try watch.change() == nil)
            try store.database.write { try $0.execute(sql: "UPDATE waypoint SET note = 'Dry'") }
            #expect(try watch.change() == .changed)
            try RegionStore(path: store.path).remove(id)
            #expect(try watch.change() == .removed)
            #expect(try watch.change() == nil)
        }
    }
}
