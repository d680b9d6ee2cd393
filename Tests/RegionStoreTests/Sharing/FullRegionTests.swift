import Foundation
import GRDB
import PeerCore
import PeerTestSupport
import RegionTestSupport
import Testing

@testable import RegionStore

/// A region that has as many waypoints as a region can have.
@Suite struct FullRegionTests {
    private static func fill(_ store: RegionStore, _ regionID: UUID) throws {
        try store.database.write { database in
            try database.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
                    INSERT INTO waypoint (regionID, id, latitude, longitude, time, label, note, category, hasPhoto)
                    SELECT ?, printf('%08X-0000-4000-8000-000000000000', i), 47.2, 11.4, 1770307200, '', '', 'custom', 0
                    FROM n
                    """,
                arguments: [ItemCoding.maximumCount, regionID.uuidString]
            )
        }
    }

    /// Nobody has broken a rule, and everything else can be received.
    @Test func furtherWaypointsAreAConflictAndTheRestArrives() async throws {
        try await TemporaryDirectory.with { directory in
            let (sender, region) = try RegionStoreTests.store(in: directory)
            let receiver = try RegionStore(path: directory.path("receiver"))
            try Transfers.run(try sender.source(for: region.id), to: receiver.sink())
            try Self.fill(receiver, region.id)
            try sender.add([try Items.waypoint()], to: region.id)
            try sender.add([try Items.hike()], to: region.id)
            let source = try sender.source(for: region.id)

            let error = try #require(throws: RegionStoreError.self) { try Transfers.run(source, to: receiver.sink()) }

            #expect(error.code == .conflict)
            #expect(error.message.contains("would have too many waypoints"), "\(error)")
            #expect(error.remedy?.contains("without the waypoints") == true, "\(error)")
            #expect(try receiver.region(region.id).hikeCount == 0)
            // The remedy.
            let rest = source.manifest.entries.map(\.kind).filter { $0 != .waypoints }
            try Transfers.run(source, to: receiver.sink(), accepting: Set(rest))
            #expect(try receiver.region(region.id).hikeCount == 1)
        }
    }

    /// An import says so as soon as there is no room, whatever follows in the file, and in the words of an import.
    @Test(arguments: [true, false]) func aFileThatDoesNotFitIsRefusedEarly(isNamedAlike: Bool) async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            let point = try #require(Coordinate(latitude: 47.2, longitude: 11.4))
            var route = try Items.plannedRoute()
            try store.add([route], to: region.id)
            route.coordinates = Array(repeating: point, count: 25_000)
            let routes = (0..<80).map { number in
                var copy = route
                (copy.id, copy.name) = (UUID(), isNamedAlike ? route.name : "Way \(number)")
                return copy
            }
            var addedCount = 0
            let error = #expect(throws: RegionStoreError.self) {
                try store.database.write { database in
                    defer { addedCount = (try? RegionItemRecord<PlannedRoute>.count(of: region.id, database)) ?? 0 }
                    _ = try KnownItems.add(routes, to: region.id, .plannedroutes, database)
                }
            }
            #expect(error?.message.contains("would have too many planned routes: a region has at most 32 MiB") == true)
            #expect(error?.remedy == "Import a smaller file, or import it into another region.")
            // A route has nearly a megabyte. One that is called like a route of the region may be that one.
            #expect(isNamedAlike ? (30...45).contains(addedCount) : addedCount == 1, "\(addedCount)")
            #expect(try store.region(region.id).plannedRouteCount == 1)
        }
    }
}
