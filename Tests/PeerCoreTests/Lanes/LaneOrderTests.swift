import PeerProtocol
import Testing

/// In which order the frames of the connections of one transfer may arrive.
@Suite(.timeLimit(.minutes(10))) struct LaneOrderTests {
    private static let sizes = [20 * 16_384 + 1, 5, 6 * 16_384, 0, 16_385]

    /// Nothing is known about the order of what comes over different connections.
    @Test(arguments: 0..<8) func noOrderOfHonestFramesIsRefused(part: UInt64) throws {
        let source = try TransferTests.source(sizes: Self.sizes)
        var counts = (repeated: 0, lanes: 0)
        for seed in part * 50..<(part + 1) * 50 {
            var world = try LaneWorld(source, seed: seed, losses: Int(seed % 5))
            world.run()
            #expect(world.isDone, "seed \(seed): \(world.failure ?? "")")
            counts.repeated += world.counts.repeated
            counts.lanes += world.counts.lanes
        }
        // Otherwise it has not seen what it is for.
        #expect(counts.repeated > 20 && counts.lanes > 100, "\(counts)")
    }

    /// On one connection, frames may not overtake each other: a chunk may be in several of them.
    @Test func framesThatOvertakeOthersAreRefused() throws {
        let source = try TransferTests.source(sizes: Self.sizes)
        let failures = try (UInt64(0)..<50).compactMap { seed -> String? in
            var world = try LaneWorld(source, seed: seed, losses: 0, isUnordered: true)
            world.run()
            return world.failure
        }
        #expect(failures.contains { $0.contains("data that was not requested") })
    }
}
