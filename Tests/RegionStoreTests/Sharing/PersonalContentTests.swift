import Foundation
import PeerCore
import PeerTestSupport
import RegionTestSupport
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
        try await withRegion { (store, id) throws in
            var expected = PersonalContent(hikes: 2, comments: 1, withheldHealthRecords: 1, notes: 2)
            (expected.timedHikes, expected.hikeComments) = (2, 1)
            #expect(try store.source(for: id).personal == expected)
            (expected.healthRecords, expected.withheldHealthRecords) = (1, 0)
            #expect(try store.source(for: id, includeHealth: true).personal == expected)
        }
    }

    /// A planned route with nothing but a description tells of a person, too.
    @Test func textsOfPlannedRoutesAreCounted() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            var described = try Items.plannedRoute()
            described.supplement.words = ItemWords()
            described.supplement.words?.description = "Key of the hut is under the stone"
            var linked = try Items.plannedRoute()
            linked.supplement.words = ItemWords()
            linked.supplement.words?.links = [ItemLink(address: "https://example.org/me")]
            linked.supplement.words?.comment = " "
            var named = try Items.plannedRoute()
            named.supplement.pointTexts = [PointTexts(index: 0), PointTexts(index: 1)]
            named.supplement.pointTexts?[1].name = "Grandma's house"
            var waypoint = try Items.waypoint()
            waypoint.supplement.words = linked.supplement.words
            try store.add([try Items.plannedRoute(), described, linked, named], to: region.id)
            try store.add([waypoint], to: region.id)
            let personal = try store.source(for: region.id).personal
            #expect(personal == PersonalContent(comments: 1, links: 2, pointTexts: 1))
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
