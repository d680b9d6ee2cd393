import Foundation
import GRDB
import PeerCore
import PeerTestSupport
import RegionTestSupport
import Testing

@testable import RegionStore

/// Random histories of edits and transfers on three machines.
///
/// Every transfer is checked against the rules of merging, told independently of the code (``ItemTable``). A failure names
/// the seed of its history; with it, the range of seeds can be made that one alone.
@Suite struct MergePropertyTests {
    @Test func noHistoryOfMergesBreaksTheRules() throws {
        var world = MergeWorld(machines: try (0..<3).map { _ in try MergeMachine() })
        try Self.run(&world, seeds: 0..<200)
        // That everything happened that the rules speak of.
        for fate in [ItemTable.Fate.added, .updated, .unchanged, .kept, .staysRemoved] {
            #expect(world.fates[fate, default: 0] > 10, "\(fate): \(world.fates)")
        }
    }

    @Test func noHistoryOfTransfersBreaksTheRules() async throws {
        try await TemporaryDirectory.with { directory in
            var world = MergeWorld(machines: try MergeMachine.withStores(in: directory))
            for seed in 1...2 as ClosedRange<UInt64> {
                world.maps.append(Array(try Data(contentsOf: URL(fileURLWithPath: directory.path("\(seed).mbtiles")))))
            }
            try Self.run(&world, seeds: 0..<10)
            #expect(world.mapCount > 3)
        }
    }

    /// The order in which versions of an item come does not matter, if no two are equally old and none lacks words.
    @Test func theOrderOfMergesDoesNotMatter() throws {
        for seed in 0..<200 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let id = UUID()
            let times = (0..<4).map { Items.time + Double($0) * 60 }.shuffled(using: &generator)
            let local = try Items.waypoint(id: id, label: "Local", note: "Local", modifiedAt: times[0])
            let arriving = try (1...3).map { number in
                try Items.waypoint(id: id, label: "\(number)", note: "\(number)", modifiedAt: times[number])
            }
            // Removed between two versions, or at the same second as one of them.
            let removedAt = generator.below(3) == 0 ? nil : generator.oneOf(times) + generator.oneOf([0, 30])
            var results: [MergeState] = []
            for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0], [0, 2, 1, 0, 2]] {
                let machine = try MergeMachine()
                try machine.write { database in
                    try RegionItemRecord(regionID: machine.regionID, item: local).insert(database)
                    if let removedAt {
                        try RegionStore.removeItem(id, .waypoint, of: machine.regionID, editedAt: times[0], database)
                        try RemovedItem.note(id, "waypoint", of: machine.regionID, at: removedAt, database)
                    }
                    for index in order {
                        _ = try RegionItemRecord.merge([arriving[index]], into: machine.regionID, database)
                    }
                }
                results.append(try MergeState(of: machine))
            }
            #expect(results.allSatisfy { $0 == results[0] }, "seed \(seed)")
            // The latest edit wins, and so does a removal that is not older.
            let all = removedAt == nil ? arriving + [local] : arriving
            let latest = try #require(all.max { $0.effectiveDate < $1.effectiveDate })
            let isThere = removedAt.map { latest.effectiveDate > $0 } ?? true
            let labels = results[0].items[.waypoints]?.values.map { $0["label"] }
            #expect(labels == (isThere ? [latest.label.databaseValue] : []), "seed \(seed)")
        }
    }

    private static func run(_ world: inout MergeWorld, seeds: Range<UInt64>) throws {
        for seed in seeds {
            try world.begin(seed)
            for _ in 0..<10 where world.failure == nil { try world.step() }
            if world.failure == nil { try world.checkBothWays(0, 1) }
            guard world.failure == nil else { break }
        }
        #expect(world.failure == nil, "\(world.failure ?? "")")
    }
}
