import Foundation
import GRDB
import MapFiles
import PeerTestSupport
import RegionTestSupport
import Testing

@testable import RegionStore

/// What an import of somebody else's file may take, and how it ends before it is complete.
@Suite(.timeLimit(.minutes(10))) struct ImportWorkTests {
    private static func expectNothingLeft(in store: RegionStore) throws {
        #expect(try StoreState.files(in: store, "work").isEmpty)
        #expect(try store.regions().isEmpty)
    }

    /// A view that computes for years.
    @Test func whatNobodyHasAgreedToEnds() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("bomb.mbtiles")
            try HostileMap.make(path, rows: 1000, factors: 9)
            let store = try RegionStore(path: directory.path("store"))
            let work = ImportWork(.unasked, patience: 0.3)
            #expect(throws: ImportWork.TooLong.self) { try work.run { try store.prepareMap(at: path, by: work) } }
            try Self.expectNothingLeft(in: store)
        }
    }

    /// It ends also while an archive is read that needs no query.
    @Test func aRunOfManyTilesEndsToo() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("run.pmtiles")
            var archive = PMTilesBytes(.init(id: 22_369_621, run: 49_999_999))
            archive.zoomLevels = (13, 13)
            try Data(archive.bytes).write(to: URL(fileURLWithPath: path))
            let store = try RegionStore(path: directory.path("store"))
            let work = ImportWork(.unasked, patience: 0.3)
            #expect(throws: ImportWork.TooLong.self) { try work.run { try store.prepareMap(at: path, by: work) } }
            let stopped = ImportWork(.agreed)
            #expect(throws: CancellationError.self) {
                try stopped.run {
                    try store.prepareMap(at: path, by: stopped) { progress in
                        if case .tiles(let done, let count) = progress, done > 1000 {
                            #expect(count == 49_999_999)
                            stopped.stop()
                        }
                    }
                }
            }
            try Self.expectNothingLeft(in: store)
        }
    }

    @Test func aStopEndsAQuery() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("bomb.mbtiles")
            try HostileMap.make(path, rows: 1000, factors: 9)
            let store = try RegionStore(path: directory.path("store"))
            let work = ImportWork(.agreed)
            work.stop()
            #expect(throws: CancellationError.self) { try work.run { try store.prepareMap(at: path, by: work) } }
            try Self.expectNothingLeft(in: store)
        }
    }

    /// An ordinary map is within the limits of what nobody has agreed to.
    @Test func anOrdinaryMapIsTaken() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("map.mbtiles")
            try MapFile.small().write(to: path).close()
            let store = try RegionStore(path: directory.path("store"))
            let cost = try store.importCost(at: path, called: "map")
            #expect(!cost.isLong && !cost.isOutOfProportion && cost.tileCount ?? 0 >= 21, "\(cost)")
            let work = ImportWork(.unasked)
            let map = try work.run { try store.prepareMap(at: path, by: work) }
            #expect(try map.store().isNew)
        }
    }
}
