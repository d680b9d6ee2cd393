import Foundation
import GRDB
import PeerCore
import PeerTestSupport
import Testing

@testable import RegionStore

/// A machine: a store, or only what of one is needed to merge, which is much faster.
struct MergeMachine {
    static let regionID = UUID()

    var regionID = Self.regionID
    var store: RegionStore?
    private var queue: DatabaseQueue?

    /// Makes a machine that can merge only.
    init() throws {
        let queue = try DatabaseQueue()
        try StoreSchema.migrator.migrate(queue)
        try queue.write { database in
            try database.execute(
                sql: """
                    INSERT INTO region (id, name, north, south, east, west, minimumZoom, maximumZoom, createdAt,
                        addedAt, announcedTileCount, tileCount)
                    VALUES (?, 'Nordkette', 47.3, 47, 11.6, 11.2, 10, 12, 0, 0, 21, 21)
                    """,
                arguments: [regionID.uuidString]
            )
        }
        self.queue = queue
    }

    private init(store: RegionStore, regionID: UUID) {
        self.store = store
        self.regionID = regionID
    }

    /// Makes three machines with stores that have the same region; its map is `1.mbtiles`, another one `2.mbtiles`.
    static func withStores(in directory: TemporaryDirectory) throws -> [MergeMachine] {
        let stores = try (0..<3).map { try RegionStore(path: directory.path("\($0)")) }
        for seed in 1...2 as ClosedRange<UInt64> {
            try MapFile.small(seed: seed).write(to: directory.path("\(seed).mbtiles")).close()
        }
        let id = try stores[0].importMap(at: directory.path("1.mbtiles")).region.id
        for store in stores.dropFirst() { try Transfers.run(try stores[0].source(for: id), to: store.sink()) }
        return stores.map { MergeMachine(store: $0, regionID: id) }
    }

    func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        if let store { return try store.database.read(body) }
        return try #require(queue).read(body)
    }

    func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
        if let store { return try store.database.write(body) }
        return try #require(queue).write(body)
    }
}

/// What a machine has of a region.
struct MergeState: Equatable {
    var items: [ResourceKind: [String: ItemTable.Row]] = [:]
    /// When items were removed, in seconds since 1970.
    var removed: [ResourceKind: [String: Double]] = [:]
    var name: String
    var map: Data?

    init(of machine: MergeMachine) throws {
        (items, removed, name, map) = try machine.read { database in
            let name = try database.cachedStatement(sql: "SELECT name FROM region")
            let digest = try database.cachedStatement(sql: "SELECT digest FROM regionFile WHERE kind = 'mbtiles'")
            let region = try #require(try GRDB.Row.fetchOne(name))
            return (
                Dictionary(uniqueKeysWithValues: try ItemTable.all.map { ($0.kind, try $0.rows(database)) }),
                Dictionary(uniqueKeysWithValues: try ItemTable.all.map { ($0.kind, try $0.removed(database)) }),
                region["name"],
                try Data.fetchOne(digest)
            )
        }
    }
}
