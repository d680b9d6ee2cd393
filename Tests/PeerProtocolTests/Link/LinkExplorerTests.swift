import FoundationEssentials
import PeerProtocol
import Testing

/// No record is delivered twice or out of order, and none is lost while both links live, whatever happens when.
@Suite struct LinkExplorerTests {
    /// How many records each side sends, how often connections break, and how many states there are.
    ///
    /// The large ones take minutes; they run if `HIKESHARE_EXPLORE_LINKS` is set.
    static let bounds: [([Int], Int, Int?)] =
        [([4, 4], 0, 27_496), ([4, 0], 2, 25_451), ([2, 2], 1, 6531), ([1, 1], 2, 3397)]
        + (ProcessInfo.processInfo.environment["HIKESHARE_EXPLORE_LINKS"] == nil
            ? [] : [([4, 4], 1, nil), ([2, 2], 2, nil), ([3, 3], 2, nil)])

    @Test(arguments: bounds)
    func everyRecordIsDeliveredOnceAndInOrder(records: [Int], breaks: Int, states: Int?) throws {
        var explorer = LinkExplorer(LinkExplorer.Bounds(records: records, breaks: breaks))
        try explorer.run()
        #expect(explorer.completeCount > 0)
        if let states { #expect(explorer.stateCount == states) } else { print(records, breaks, explorer.stateCount) }
    }
}
