import Foundation
import GRDB
import PeerCore
import PeerTestSupport
import RegionTestSupport
import Testing

@testable import RegionStore

/// The items as lists show them.
@Suite struct BriefItemsTests {
    @Test func everyItemIsThereWithoutWhatIsLong() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            var hike = try Items.hike()
            hike.supplement.words = ItemWords()
            let (route, waypoint) = (try Items.plannedRoute(), try Items.waypoint(note: "Key"))
            try store.add([hike], to: region.id)
            try store.add([route], to: region.id)
            try store.add([waypoint], to: region.id)
            let items = try store.briefItems(of: region.id)
            #expect(ItemKind.allCases.map { items.count($0) } == [1, 1, 1])
            guard case .hike(let briefHike)? = try items.items(.hike, 0..<1).first?.item,
                case .plannedRoute(let briefRoute)? = try items.items(.plannedRoute, 0..<1).first?.item,
                case .waypoint(let briefWaypoint)? = try items.items(.waypoint, 0..<1).first?.item
            else { throw ImpossibleValue(column: "kind") }
            (hike.trackData, hike.regionID, hike.supplement) = (Data(), region.id, ItemSupplement())
            #expect(briefHike == hike)
            #expect(briefRoute.name == route.name && briefRoute.totalDistance == route.totalDistance)
            #expect(briefRoute.coordinates.isEmpty && briefRoute.elevationProfile == nil)
            #expect(briefWaypoint == waypoint)
        }
    }

    /// What a command selects by a number is what the list shows with it, whatever cannot be read.
    @Test func numbersAreThoseOfTheCommandsEvenIfItemsCannotBeRead() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            for number in 0..<3 {
                var hike = try Items.hike(name: "Hike \(number)")
                hike.startTime += Double(number)
                try store.add([hike], to: region.id)
            }
            try store.add(
                [try Items.plannedRoute(name: "Broken line"), try Items.plannedRoute(name: "Other")],
                to: region.id
            )
            try store.database.write { database in
                try database.execute(sql: "UPDATE hike SET id = printf('%036d', 0) WHERE name = 'Hike 1'")
                try database.execute(sql: "UPDATE plannedRoute SET coordinates = '[{}]' WHERE name = 'Broken line'")
            }
            let items = try store.briefItems(of: region.id)
            let hikes = try items.items(.hike, 0..<3)
            #expect(hikes.map(\.position) == [0, 1, 2])
            guard case .unreadable(.hike, name: "Hike 1") = hikes[1].item, case .hike(let last) = hikes[2].item else {
                throw ImpossibleValue(column: "kind")
            }
            #expect(last.name == "Hike 2")
            #expect(try store.items(.hike, of: region.id).map(\.number) == [1, 3])
            #expect(try store.item(matching: "3", .hike, of: region).name == "Hike 2")
            // The list needs no line, so it has this one.
            #expect(
                try items.items(.plannedRoute, 0..<2).count { if case .plannedRoute = $0.item { true } else { false } }
                    == 2
            )
            #expect(try store.items(.plannedRoute, of: region.id).map(\.number) == [4, 5])
        }
    }

    @Test func aWaypointThatIsRemovedMeanwhileIsMissing() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            let waypoints = try (0..<3).map { number in
                var waypoint = try Items.waypoint(label: "Hut \(number)")
                waypoint.time += Double(number)
                return waypoint
            }
            try store.add(waypoints, to: region.id)
            let items = try store.briefItems(of: region.id)
            try store.remove(try store.item(matching: "2", .waypoint, of: region), of: region.id)
            #expect(try items.items(.waypoint, 0..<3).map(\.position) == [0, 2])
        }
    }
}
