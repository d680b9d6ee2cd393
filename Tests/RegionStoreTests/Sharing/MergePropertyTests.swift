import Foundation
import GRDB
import PeerCore
import PeerTestSupport
import Testing

@testable import RegionStore

/// Random histories of edits and transfers on three machines.
///
/// Every transfer is checked against the rules of merging, told independently of the code (``ItemTable``). A failure names
/// the seed of its history; with it, the range of seeds can be made that one alone.
@Suite struct MergePropertyTests {
    @Test func noHistoryOfMergesBreaksTheRules() throws {
        var world = MergeWorld(machines: try (0..<3).map { _ in try MergeMachine() })
        try Self.run(&world, seeds: 0..<100)
        // That everything happened that the rules speak of.
        for fate in [ItemTable.Fate.added, .updated, .unchanged, .kept] {
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
