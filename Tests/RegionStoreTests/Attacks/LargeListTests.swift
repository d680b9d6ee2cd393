import PeerCore
import PeerTestSupport
import Testing

@testable import RegionStore

/// Lists that want more of the machine than a list may.
@Suite struct LargeListTests {
    @Test func aListThatIsTooLargeIsRefusedBeforeItCrosses() async throws {
        try await TemporaryDirectory.with { directory in
            let world = try LiesTests.World(in: directory)
            let lie = LiesTests.Lie(testDescription: "", expected: "") { _ in
            } resources: {
                // Fewer bytes than a million waypoints have.
                $0[.waypoints] = [UInt8](repeating: 0x20, count: Int(ItemCoding.maximumSize) + 1)
            }
            let error = try #require(throws: RegionStoreError.self) {
                try world.store.sink().examine(try world.source(lie).manifest)
            }
            #expect(error.code == .refused)
            #expect(error.message.contains("at most"), "\(error.message)")
            try world.expectUnchanged()
        }
    }
}
