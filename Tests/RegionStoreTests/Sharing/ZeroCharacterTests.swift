import Foundation
import GRDB
import PeerCore
import PeerTestSupport
import RegionTestSupport
import Testing

@testable import RegionStore

/// Zero characters in texts: SQLite's end at the first one, so nothing behind it may be lost.
@Suite struct ZeroCharacterTests {
    @Test func ofWhatArrivesOnlyTheZerosAreLeftOut() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try RegionTransferTests.Pair(in: directory)
            let hike = try Items.hike(name: "Goethe\u{0}weg")
            let waypoint = try Items.waypoint(label: "\u{0}Hut", note: "Key\u{0}\u{0} under the mat")
            let source = try LyingSource(
                pair.region.region,
                [
                    .mbtiles: Array(pair.map), .savedroutes: try ItemCoding.encode([hike], .savedroutes),
                    .waypoints: try ItemCoding.encode([waypoint], .waypoints),
                ]
            ) { $0.name = "Nord\u{0}kette" }
            try Transfers.run(source, to: pair.receiver.sink())
            #expect(try pair.receiver.region(pair.region.id).name == "Nordkette")
            #expect(try pair.receiver.hikes(of: pair.region.id).map(\.name) == ["Goetheweg"])
            let arrived = try #require(try pair.receiver.waypoints(of: pair.region.id).first)
            #expect(arrived.label == "Hut")
            #expect(arrived.note == "Key under the mat")
        }
    }

    @Test func theNameInAMapIsNotCut() async throws {
        try await TemporaryDirectory.with { directory in
            var map = MapFile.small().without("name")
            map.additions = ["INSERT INTO metadata VALUES ('name', CAST(x'4e6f7264006b65747465' AS TEXT))"]
            try map.write(to: directory.path("a.mbtiles"))
            let store = try RegionStore(path: directory.path("store"))
            #expect(try store.importMap(at: directory.path("a.mbtiles")).region.name == "Nordkette")
        }
    }

    @Test func aNameWithAZeroIsRefused() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            let error = try #require(throws: RegionStoreError.self) {
                try store.rename(region.id, to: "Nord\u{0}kette")
            }
            #expect(error.code == .invalidArgument)
            #expect(try store.region(region.id).name == region.name)
        }
    }
}
