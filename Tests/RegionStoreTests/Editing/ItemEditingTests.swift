import Foundation
import GRDB
import PeerCore
import PeerTestSupport
import RegionTestSupport
import Testing

@testable import RegionStore

/// Renaming, removing and adding single items.
@Suite(.timeLimit(.minutes(10))) struct ItemEditingTests {
    /// Two machines with one region, which has a hike, a planned route and three waypoints of the same name.
    struct Pair {
        var mine: RegionStore
        var theirs: RegionStore
        var region: RegionSummary

        init(in directory: TemporaryDirectory) throws {
            (mine, region) = try RegionStoreTests.store(in: directory)
            try mine.add([try Items.hike(id: Pair.id(1))], to: region.id)
            try mine.add([try Items.plannedRoute(id: Pair.id(2))], to: region.id)
            try mine.add(
                try (3...5).map { number in
                    var waypoint = try Items.waypoint(id: Pair.id(number), label: "Parking")
                    waypoint.coordinate = try Items.coordinate(47.2 + Double(number) * 0.01)
                    waypoint.time += Double(number)
                    return waypoint
                },
                to: region.id
            )
            theirs = try RegionStore(path: directory.path("theirs"))
            try send(from: mine, to: theirs)
            region = try mine.region(region.id)
        }

        static func id(_ number: Int) throws -> UUID {
            try #require(UUID(uuidString: "00000000-0000-4000-8000-00000000000\(number)"))
        }

        @discardableResult
        func send(from: RegionStore, to: RegionStore, replacing: Bool = true) throws -> TransferReceipt {
            try Transfers.run(try from.source(for: region.id), to: to.sink(replacesItems: replacing))
        }

        func item(_ text: String, _ kind: ItemKind, of store: RegionStore? = nil) throws -> ItemDescription {
            try (store ?? mine).item(matching: text, kind, of: region)
        }
    }

    static func withPair(_ body: (Pair) throws -> Void) async throws {
        try await TemporaryDirectory.with { try body(try Pair(in: $0)) }
    }

    // MARK: Which one

    @Test func aNameOrANumberOrAnIDIsEnough() async throws {
        try await Self.withPair { pair in
            for text in ["goetheWEG", "1", "#1", "00000000-0000-4000-8000-000000000001"] {
                #expect(try pair.item(text, .hike).id == Pair.id(1))
            }
            // Planned routes go on where hikes end, and waypoints begin again.
            #expect(try pair.item("2", .plannedRoute).name == "Zum Hafelekar")
            #expect(try pair.item("2", .waypoint).id == Pair.id(4))
            for (text, kind) in [("2", ItemKind.hike), ("1", .plannedRoute), ("Goethe", .hike), ("", .waypoint)] {
                let error = try #require(throws: RegionStoreError.self) { try pair.item(text, kind) }
                #expect(error.code == .notFound)
                #expect(error.message.contains("“\(text)” in “Nordkette”"))
            }
        }
    }

    @Test func aNameThatIsANumberGoesFirst() async throws {
        try await Self.withPair { pair in
            try pair.mine.rename(try pair.item("1", .waypoint), of: pair.region.id, to: "3")
            #expect(try pair.item("3", .waypoint).id == Pair.id(3))
        }
    }

    @Test func namesakesAreToldApartByNumberAndPlace() async throws {
        try await Self.withPair { pair in
            let error = try #require(throws: RegionStoreError.self) { try pair.item("parking", .waypoint) }
            #expect(error.code == .ambiguous)
            #expect(
                error.message == "“Nordkette” has 3 waypoints called “Parking”: "
                    + "1 (47.23, 11.4), 2 (47.24, 11.4), 3 (47.25, 11.4)."
            )
            try pair.mine.add([try Items.hike(name: "goetheweg")], to: pair.region.id)
            let hikes = try #require(throws: RegionStoreError.self) { try pair.item("Goetheweg", .hike) }
            #expect(hikes.message.contains("1 (5.2 km), 2 (5.2 km)"))
        }
    }

    @Test func aWaypointIsFoundInAllRegionsOrInOne() async throws {
        try await Self.withPair { pair in
            let error = try #require(throws: RegionStoreError.self) {
                try pair.mine.waypoint(matching: "Parking", of: nil)
            }
            #expect(error.code == .ambiguous)
            #expect(error.message.contains("2 in “Nordkette” (47.24, 11.4)"))
            #expect(try pair.mine.waypoint(matching: "2", of: pair.region.id).item.id == Pair.id(4))
            // Without a region, a number says nothing.
            #expect(throws: RegionStoreError.self) { try pair.mine.waypoint(matching: "2", of: nil) }
        }
    }

    @Test func aRouteToSendCanBeNamedByItsNumber() async throws {
        try await Self.withPair { pair in
            try pair.mine.add([try Items.hike(id: Pair.id(9))], to: pair.region.id)
            let third = try RegionStore(path: pair.mine.path + "-third")
            let routes = try pair.mine.routes(matching: ["2"], of: pair.region.id)
            let source = try pair.mine.source(for: pair.region.id, routes: routes)
            try Transfers.run(source, to: third.sink())
            #expect(try third.hikes(of: pair.region.id).map(\.id) == [Pair.id(9)])
            #expect(try third.plannedRoutes(of: pair.region.id).isEmpty)
            // All of a name are meant by it.
            #expect(try pair.mine.routes(matching: ["Goetheweg"], of: pair.region.id).ids.isEmpty)
            #expect(try pair.mine.routes(matching: [], of: pair.region.id) == .all)
        }
    }

    // MARK: Renaming

    @Test func aNewNameGoesToOthersAndStaysHere() async throws {
        try await Self.withPair { pair in
            let old = try pair.theirs.waypoints(of: pair.region.id)
            try pair.mine.rename(try pair.item("1", .hike), of: pair.region.id, to: "Above the town")
            try pair.mine.rename(try pair.item("2", .plannedRoute), of: pair.region.id, to: "Summit")
            try pair.mine.rename(try pair.item("3", .waypoint), of: pair.region.id, to: "Tunnel")
            // The older copy changes nothing.
            try pair.send(from: pair.theirs, to: pair.mine)
            #expect(try pair.mine.hikes(of: pair.region.id).map(\.name) == ["Above the town"])
            try pair.send(from: pair.mine, to: pair.theirs)
            #expect(try pair.theirs.plannedRoutes(of: pair.region.id).map(\.name) == ["Summit"])
            var expected = old
            expected[2].label = "Tunnel"
            expected[2].modifiedAt = try pair.mine.waypoints(of: pair.region.id)[2].modifiedAt
            #expect(try pair.theirs.waypoints(of: pair.region.id) == expected)
        }
    }

    @Test func aNameMustBeOne() async throws {
        try await Self.withPair { pair in
            let before = try StoreState(of: pair.mine)
            for name in ["", "  ", String(repeating: "x", count: 1001), "a\u{0}b"] {
                for kind in ItemKind.allCases {
                    let item = try #require(try pair.mine.items(kind, of: pair.region.id).first)
                    let error = try #require(throws: RegionStoreError.self) {
                        try pair.mine.rename(item, of: pair.region.id, to: name)
                    }
                    #expect(error.code == .invalidArgument)
                    #expect(error.message.contains(kind.noun))
                }
            }
            // The same name is no edit.
            try pair.mine.rename(try pair.item("1", .hike), of: pair.region.id, to: "Goetheweg")
            #expect(try StoreState(of: pair.mine) == before)
        }
    }

    // MARK: Removing

    @Test(arguments: ItemKind.allCases) func whatWasRemovedDoesNotComeBack(kind: ItemKind) async throws {
        try await Self.withPair { pair in
            let item = try #require(try pair.mine.items(kind, of: pair.region.id).last)
            let count = try pair.mine.items(kind, of: pair.region.id).count
            try pair.mine.remove(item, of: pair.region.id)
            for _ in 0..<2 {
                let receipt = try pair.send(from: pair.theirs, to: pair.mine)
                #expect(receipt.imported.isEmpty)
                #expect(receipt.keptLocal == [kind.resourceKind.rawValue: 1])
                #expect(try pair.mine.items(kind, of: pair.region.id).count == count - 1)
            }
            // Nothing is taken from others by a removal here.
            try pair.send(from: pair.mine, to: pair.theirs)
            #expect(try pair.theirs.items(kind, of: pair.region.id).count == count)
        }
    }

    @Test func whatWasEditedLaterComesBack() async throws {
        try await Self.withPair { pair in
            let item = try pair.item("1", .waypoint)
            try pair.mine.remove(item, of: pair.region.id)
            let later = Date() + 60
            try pair.theirs.database.write { database in
                let sql = "UPDATE waypoint SET label = 'Better', modifiedAt = ? WHERE id = ?"
                let seconds = later.timeIntervalSince1970.rounded(.down)
                try database.execute(sql: sql, arguments: [seconds, item.id.uuidString])
            }
            // Not from a sender of whom nobody was asked.
            try pair.send(from: pair.theirs, to: pair.mine, replacing: false)
            #expect(try pair.mine.items(.waypoint, of: pair.region.id).count == 2)
            #expect(try pair.send(from: pair.theirs, to: pair.mine).imported == ["waypoints": 1])
            #expect(try pair.item("Better", .waypoint).id == item.id)
            let records = try pair.mine.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM removedItem") }
            #expect(records == 0)
        }
    }

    /// Times are stored in whole seconds, so an edit within the same second must count as later, or others never get it.
    @Test func editsWithinASecondHaveDifferentTimes() async throws {
        try await Self.withPair { pair in
            let item = try pair.item("1", .waypoint)
            var times: [Date] = []
            for name in ["Once", "Twice", "Again"] {
                try pair.mine.rename(try pair.item("1", .waypoint), of: pair.region.id, to: name)
                let edited = try #require(try pair.mine.waypoints(of: pair.region.id).first { $0.id == item.id })
                times.append(try #require(edited.modifiedAt))
            }
            #expect(times[1] >= times[0] + 1 && times[2] >= times[1] + 1, "\(times)")
        }
    }

    /// The clock of the machine was wrong when somebody removed the item.
    @Test func aRemovalInTheFarFutureDoesNotWinForEver() async throws {
        try await Self.withPair { pair in
            let item = try pair.item("1", .waypoint)
            try pair.mine.remove(item, of: pair.region.id)
            try pair.mine.database.write { database in
                try database.execute(sql: "UPDATE removedItem SET removedAt = removedAt + 10 * 86400")
            }
            try pair.theirs.rename(
                try #require(try pair.theirs.items(.waypoint, of: pair.region.id).first { $0.id == item.id }),
                of: pair.region.id,
                to: "Better"
            )
            #expect(try pair.send(from: pair.theirs, to: pair.mine).imported == ["waypoints": 1])
            #expect(try pair.item("Better", .waypoint).id == item.id)
        }
    }

    @Test func whatIsImportedAgainIsThereAgain() async throws {
        try await Self.withPair { pair in
            let item = try pair.item("1", .hike)
            let hike = try #require(try pair.mine.hikes(of: pair.region.id).first)
            try pair.mine.remove(item, of: pair.region.id)
            let counts = try pair.mine.database.write { database in
                try KnownItems.add([hike], to: pair.region.id, .savedroutes, database)
            }
            #expect(counts.added == 1)
            #expect(try pair.mine.items(.hike, of: pair.region.id).count == 1)
        }
    }

    @Test func theRecordsAreForgottenWithTheRegion() async throws {
        try await Self.withPair { pair in
            try pair.mine.remove(try pair.item("1", .hike), of: pair.region.id)
            try pair.mine.remove(pair.region.id)
            try pair.send(from: pair.theirs, to: pair.mine)
            #expect(try pair.mine.items(.hike, of: pair.region.id).count == 1)
        }
    }

    @Test func thePhotoGoesWithItsWaypoint() async throws {
        try await Self.withPair { pair in
            let item = try pair.item("2", .waypoint)
            let photo = pair.mine.path + ".jpg"
            try Data([0xFF, 0xD8, 0xFF, 0xD9]).write(to: URL(fileURLWithPath: photo))
            try pair.mine.importPhoto(at: photo, for: item.id, in: pair.region.id)
            try pair.send(from: pair.mine, to: pair.theirs)
            try pair.mine.remove(try pair.item("2", .waypoint), of: pair.region.id)
            #expect(try pair.mine.photos(of: pair.region.id).isEmpty)
            try pair.send(from: pair.theirs, to: pair.mine)
            #expect(try pair.mine.photos(of: pair.region.id).isEmpty)
        }
    }

    @Test func whatChangedMeanwhileIsNotRemoved() async throws {
        try await Self.withPair { pair in
            let item = try pair.item("1", .waypoint)
            try pair.mine.rename(item, of: pair.region.id, to: "Mine now")
            for _ in 0..<2 {
                let error = try #require(throws: RegionStoreError.self) {
                    try pair.mine.remove(item, of: pair.region.id)
                }
                #expect(error.code == .conflict)
                let stays = try pair.mine.items(.waypoint, of: pair.region.id)
                if stays.count == 3 { try pair.mine.remove(stays[0], of: pair.region.id) }
            }
            #expect(throws: RegionStoreError.self) { try pair.mine.rename(item, of: pair.region.id, to: "Gone") }
        }
    }

    @Test func theOldestRecordsAreForgotten() async throws {
        try await Self.withPair { pair in
            let ids = (0..<5).map { _ in UUID() }
            try pair.mine.database.write { database in
                for (index, id) in ids.enumerated() {
                    let time = Items.time + Double(index)
                    try RemovedItem.note(id, "hike", of: pair.region.id, at: time, atMost: 3, database)
                }
                let known = try ids.map { try RemovedItem.time(of: $0, "hike", of: pair.region.id, database) != nil }
                #expect(known == [false, false, true, true, true])
            }
        }
    }
}
