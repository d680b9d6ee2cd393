import Foundation
import PeerTestSupport
import RegionTestSupport
import Testing

@testable import RegionStore

/// Adding single waypoints.
@Suite(.timeLimit(.minutes(10))) struct ItemAddingTests {
    @Test func aWaypointIsAdded() async throws {
        try await ItemEditingTests.withPair { pair in
            let place = try Items.coordinate(47.1, 11.3)
            let added = try pair.mine.addWaypoint(
                named: "Spring",
                at: place,
                category: .waterSource,
                note: "Dry in August",
                to: pair.region.id
            )
            #expect(added.isInsideMap)
            #expect(added.region.waypointCount == 4)
            #expect(try pair.mine.waypoints(of: pair.region.id).last == added.waypoint)
            try pair.send(from: pair.mine, to: pair.theirs)
            #expect(try pair.theirs.waypoints(of: pair.region.id).last == added.waypoint)
            let outside = try pair.mine.addWaypoint(named: "Far", at: try Items.coordinate(-33, 18), to: pair.region.id)
            #expect(!outside.isInsideMap)
        }
    }

    @Test func aWaypointNeedsANameAndAShortNote() async throws {
        try await ItemEditingTests.withPair { pair in
            let place = try Items.coordinate()
            for (name, note) in [(" ", ""), ("A", String(repeating: "x", count: 100_001)), ("A", "a\u{0}")] {
                let error = try #require(throws: RegionStoreError.self) {
                    try pair.mine.addWaypoint(named: name, at: place, note: note, to: pair.region.id)
                }
                #expect(error.code == .invalidArgument)
            }
            let nowhere = try #require(throws: RegionStoreError.self) {
                try pair.mine.addWaypoint(named: "A", at: place, to: UUID())
            }
            #expect(nowhere.code == .notFound)
            #expect(try pair.mine.waypoints(of: pair.region.id).count == 3)
        }
    }
}
