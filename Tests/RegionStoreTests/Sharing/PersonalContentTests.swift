import Foundation
import PeerCore
import PeerTestSupport
import Testing

@testable import RegionStore

@Suite struct PersonalContentTests {
    /// A region with two hikes, one of which has a comment and health data, and three waypoints, two of which have notes.
    private func withRegion(_ body: (RegionStore, UUID) throws -> Void) async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            var bare = try Items.hike().withoutHealthData()
            bare.comment = " \n"
            try store.add([try Items.hike(), bare], to: region.id)
            try store.add(
                [try Items.waypoint(), try Items.waypoint(note: "Key under the mat"), try Items.waypoint(note: "x")],
                to: region.id
            )
            try body(store, region.id)
        }
    }

    @Test func isCountedInWhatIsSent() async throws {
        try await withRegion { store, id in
            let usual = try store.source(for: id).personal
            #expect(usual == PersonalContent(hikes: 2, comments: 1, withheldHealthRecords: 1, notes: 2))
            let withHealth = try store.source(for: id, includeHealth: true).personal
            #expect(withHealth == PersonalContent(hikes: 2, comments: 1, healthRecords: 1, notes: 2))
        }
    }

    @Test func whatIsNotSentIsNotCounted() async throws {
        try await withRegion { store, id in
            let map = try store.source(for: id, kinds: [.mbtiles]).personal
            #expect(map == PersonalContent())
            let withWaypoints = try store.source(for: id, kinds: [.mbtiles, .waypoints]).personal
            #expect(withWaypoints == PersonalContent(notes: 2))
        }
    }
}
