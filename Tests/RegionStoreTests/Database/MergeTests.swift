import Foundation
import GRDB
import PeerCore
import PeerTestSupport
import RegionTestSupport
import Testing

@testable import RegionStore

@Suite struct MergeTests {
    static let day: TimeInterval = 86_400

    @Test func theNewerOneWins() async throws {
        try await Self.merge(
            local: try Items.waypoint(id: Self.id, label: "Old", modifiedAt: Items.time),
            incoming: try Items.waypoint(id: Self.id, label: "New", modifiedAt: Items.time + Self.day)
        ) { counts, result in
            #expect(counts.updated == 1)
            #expect(result.label == "New")
        }
    }

    @Test func theLocalOneStaysIfItIsNewer() async throws {
        try await Self.merge(
            local: try Items.waypoint(id: Self.id, label: "Mine", modifiedAt: Items.time + Self.day),
            incoming: try Items.waypoint(id: Self.id, label: "Theirs", modifiedAt: Items.time)
        ) { counts, result in
            #expect(counts.keptLocal == 1)
            #expect(result.label == "Mine")
        }
    }

    @Test func theLocalOneStaysIfBothAreAsOld() async throws {
        try await Self.merge(
            local: try Items.waypoint(id: Self.id, label: "Mine", modifiedAt: Items.time),
            incoming: try Items.waypoint(id: Self.id, label: "Theirs", modifiedAt: Items.time + 0.9)
        ) { counts, result in
            #expect(counts.keptLocal == 1)
            #expect(result.label == "Mine")
        }
    }

    /// The counts alone do not say that a warning was lost.
    @Test func whatIsReplacedAndKeptIsNamed() async throws {
        let (early, late) = (Items.time, Items.time + Self.day)
        let warning = try Items.waypoint(id: Self.id, label: "Hut (closed!)", note: "No water", modifiedAt: early)
        let other = try Items.waypoint(id: Self.id, label: "Hut", note: "Nice", modifiedAt: late)
        try await Self.merge(local: warning, incoming: other) { counts, _ in
            var expected = ItemChange(.replaced, of: .waypoints, named: "Hut", localName: "Hut (closed!)")
            expected.setNotes("Nice", local: "No water")
            #expect(counts.changes == [expected])
        }
        try await Self.merge(local: other, incoming: warning) { counts, _ in
            var expected = ItemChange(.kept, of: .waypoints, named: "Hut (closed!)", localName: "Hut")
            expected.setNotes("No water", local: "Nice")
            #expect(counts.changes == [expected])
        }
        try await Self.merge(local: other, incoming: other) { counts, _ in #expect(counts.changes.isEmpty) }
    }

    @Test func anEditCountsMoreThanNoEdit() async throws {
        try await Self.merge(
            local: try Items.waypoint(id: Self.id, label: "Made"),
            incoming: try Items.waypoint(id: Self.id, label: "Edited", modifiedAt: Items.time + 1)
        ) { counts, result in
            #expect(counts.updated == 1)
            #expect(result.label == "Edited")
        }
    }

    @Test func wordsAreNotErasedByTheirAbsence() async throws {
        try await Self.merge(
            local: try Items.waypoint(id: Self.id, label: "Hut", note: "Key under the mat", modifiedAt: Items.time),
            incoming: try Items.waypoint(id: Self.id, label: "Hut!", modifiedAt: Items.time + Self.day)
        ) { counts, result in
            #expect(counts.updated == 1)
            #expect(result.label == "Hut!")
            #expect(result.note == "Key under the mat")
        }
    }

    @Test func healthDataAreNotErasedByTheirAbsence() async throws {
        let local = try Items.hike(id: Self.id, modifiedAt: Items.time)
        var incoming = try Items.hike(id: Self.id, name: "Renamed", modifiedAt: Items.time + Self.day)
        incoming = incoming.withoutHealthData()
        incoming.comment = ""
        try await Self.merge(local: local, incoming: incoming) { counts, result in
            #expect(counts.updated == 1)
            #expect(result.name == "Renamed")
            #expect(result.averageHeartRate == 121)
            #expect(result.comment == "Snow in the gully")
        }
    }

    /// A waypoint, and the same one with everything that a reduced copy lacks.
    private static func waypoints() throws -> (reduced: Waypoint, full: Waypoint) {
        var (reduced, full) = (
            try Items.waypoint(id: id, modifiedAt: Items.time), try Items.waypoint(id: id, note: "Key")
        )
        full.modifiedAt = reduced.modifiedAt
        full.hikeID = UUID()
        reduced.supplement.words = ItemWords()
        reduced.supplement.words?.type = "shelter"
        var words = ItemWords()
        (words.comment, words.isCommentTwice, words.symbol, words.icon) = ("Key", true, "Lodge", "hut")
        (words.color, words.element, words.description) = ("Red", "trk", "Long")
        words.links = [ItemLink(address: "https://example.org")]
        words.type = "shelter"
        full.supplement.words = words
        return (reduced, full)
    }

    /// Such as one of a GPX file, which has no place for everything.
    @Test func aReducedCopyIsCompletedByOneThatIsAsOld() async throws {
        let (reduced, full) = try Self.waypoints()
        try await Self.merge(local: reduced, incoming: full) { counts, result in
            #expect(counts.updated == 1)
            #expect(result == full)
        }
        try await Self.merge(local: full, incoming: reduced) { counts, result in
            #expect(counts.unchanged == 1)
            #expect(result == full)
        }
        // What is there stays.
        var other = full
        other.note = "Door"
        other.supplement.words?.symbol = "Flag"
        other.supplement.words?.links = []
        try await Self.merge(local: other, incoming: full) { counts, result in
            var expected = other
            expected.supplement.words?.links = full.supplement.words?.links ?? []
            #expect(counts.updated == 1)
            #expect(result == expected)
        }
    }

    @Test func aReducedCopyThatIsNewerKeepsTheRest() async throws {
        var (reduced, full) = try Self.waypoints()
        reduced.label = "Renamed"
        reduced.modifiedAt = Items.time + Self.day
        try await Self.merge(local: full, incoming: reduced) { counts, result in
            full.label = "Renamed"
            full.modifiedAt = reduced.modifiedAt
            #expect(counts.updated == 1)
            #expect(result == full)
        }
    }

    /// A person may have removed it since.
    @Test func anOlderCopyGivesNothing() async throws {
        var (reduced, full) = try Self.waypoints()
        reduced.modifiedAt = Items.time + Self.day
        full.modifiedAt = Items.time
        try await Self.merge(local: reduced, incoming: full) { counts, result in
            #expect(counts.keptLocal == 1)
            #expect(result == reduced)
        }
    }

    /// Its time is that of its import, which says nothing of what it has.
    @Test func aReducedCopyThatWasImportedLaterIsCompleted() async throws {
        var (reduced, full) = try Self.waypoints()
        (reduced.modifiedAt, full.modifiedAt) = (nil, nil)
        reduced.time = full.time + Self.day
        try await Self.merge(local: reduced, incoming: full) { counts, result in
            #expect(counts.updated == 1)
            #expect(result.note == full.note)
            #expect(result.time == reduced.time)
        }
    }

    @Test func aRouteWithoutItsTurnsGetsThem() async throws {
        var full = try Items.plannedRoute(id: Self.id)
        full.supplement.pointTexts = [PointTexts(index: 1)]
        var reduced = full
        (reduced.turnInstructions, reduced.viaPoints, reduced.elevationProfile) = ([], [], nil)
        reduced.supplement = ItemSupplement()
        try await Self.merge(local: reduced, incoming: full) { counts, result in
            var expected = full
            expected.regionID = result.regionID
            #expect(counts.updated == 1)
            #expect(result == expected)
        }
        // They belong to the line.
        reduced.coordinates.removeLast()
        try await Self.merge(local: reduced, incoming: full) { counts, result in
            #expect(counts.keptLocal == 1)
            #expect(result.turnInstructions.isEmpty && result.viaPoints.isEmpty)
        }
    }

    @Test func nothingIsFilledInIfNothingIsToBeReplaced() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, id) = try Self.store(in: directory)
            let (reduced, full) = try Self.waypoints()
            try store.add([reduced], to: id)
            let counts = try store.database.write { try RegionItemRecord.merge([full], into: id, replacing: false, $0) }
            #expect(counts.keptLocal == 1)
            #expect(try store.waypoints(of: id) == [reduced])
        }
    }

    /// A route goes out to a GPX file and in again, and then comes from a machine that has the whole.
    @Test func whatAFileHasNoPlaceForComesWithTheNextTransfer() async throws {
        try await TemporaryDirectory.with { directory in
            let (sender, id) = try Self.store(in: directory)
            try sender.add([try Items.plannedRoute()], to: id)
            try sender.exportGPX(of: id, to: directory.path("out.gpx"))
            let receiver = try RegionStore(path: directory.path("receiver"))
            try Transfers.run(try sender.source(for: id, kinds: [.mbtiles]), to: receiver.sink())
            try receiver.importGPX(at: directory.path("out.gpx"), into: id)
            #expect(try receiver.plannedRoutes(of: id).map(\.turnInstructions) == [[]])
            try Transfers.run(try sender.source(for: id), to: receiver.sink())
            let (theirs, ours) = (
                try #require(try sender.plannedRoutes(of: id).first), try receiver.plannedRoutes(of: id)
            )
            #expect(ours.map(\.turnInstructions) == [theirs.turnInstructions])
            #expect(ours.map(\.viaPoints) == [theirs.viaPoints])
        }
    }

    @Test func theSameIsUnchangedWhateverTheFractionOfItsTimes() async throws {
        try await Self.merge(
            local: try Items.waypoint(id: Self.id, modifiedAt: Items.time + 0.789),
            incoming: try Items.waypoint(id: Self.id, modifiedAt: Items.time)
        ) { counts, _ in
            #expect(counts.unchanged == 1)
            #expect(counts.keptLocal == 0)
        }
    }

    @Test(arguments: [-400, 0, 2] as [Double])
    func aTimeInTheFarFutureDoesNotWinForEver(local days: Double) async throws {
        try await Self.merge(
            local: try Items.waypoint(id: Self.id, label: "Mine", modifiedAt: .now + days * Self.day),
            incoming: try Items.waypoint(id: Self.id, label: "Theirs", modifiedAt: .now + 3000 * Self.day)
        ) { counts, result in
            #expect(counts.keptLocal == 1)
            #expect(result.label == "Mine")
        }
    }

    @Test(arguments: [2, 3000] as [Double])
    func aLocalTimeInTheFarFutureIsReplaced(days: Double) async throws {
        try await TemporaryDirectory.with { directory in
            let (store, id) = try Self.store(in: directory)
            let local = try Items.waypoint(id: Self.id, label: "Mine", modifiedAt: .now + days * Self.day)
            func merge(_ label: String, at time: Date) throws -> MergeCounts {
                let item = try Items.waypoint(id: Self.id, label: label, modifiedAt: time)
                return try store.database.write { try RegionItemRecord.merge([item], into: id, $0) }
            }
            try store.database.write { try RegionItemRecord(regionID: id, item: local).insert($0) }
            // Another time in the future is no better.
            #expect(try merge("Later", at: .now + (days + 1) * Self.day).keptLocal == 1)
            #expect(try merge("Theirs", at: Items.time).updated == 1)
            #expect(try store.waypoints(of: id).map(\.label) == ["Theirs"])
            #expect(try merge("Mine", at: Items.time + 1).updated == 1)
        }
    }

    @Test func whatIsNewHereIsTakenWhateverItsTimeAndCanBeEditedThen() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, id) = try Self.store(in: directory)
            let theirs = try Items.waypoint(id: Self.id, label: "Theirs", modifiedAt: .now + 3000 * Self.day)
            func merge(_ item: Waypoint) throws -> MergeCounts {
                try store.database.write { try RegionItemRecord.merge([item], into: id, $0) }
            }
            #expect(try merge(theirs).added == 1)
            let stored = try store.waypoints(of: id)
            #expect(try #require(stored.first).effectiveDate <= .now)
            #expect(try merge(theirs).unchanged == 1)
            #expect(try store.waypoints(of: id) == stored)
            // An edit a little later, and then what was there before comes again.
            #expect(try merge(Items.waypoint(id: Self.id, label: "Mine", modifiedAt: .now + 2)).updated == 1)
            #expect(try merge(theirs).keptLocal == 1)
            #expect(try store.waypoints(of: id).map(\.label) == ["Mine"])
        }
    }

    @Test func anotherDateAloneIsNothingThatIsKept() async throws {
        try await Self.merge(
            local: try Items.waypoint(id: Self.id, modifiedAt: Items.time + Self.day),
            incoming: try Items.waypoint(id: Self.id, modifiedAt: Items.time)
        ) { counts, result in
            #expect(counts.unchanged == 1)
            #expect(result.modifiedAt == Items.time + Self.day)
        }
    }

    @Test func anItemOfAnotherRegionIsNotTouched() async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            var regions: [UUID] = []
            for seed in 1...2 as ClosedRange<UInt64> {
                try MapFile.small(seed: seed).write(to: directory.path("\(seed).mbtiles"))
                regions.append(try store.importMap(at: directory.path("\(seed).mbtiles")).region.id)
            }
            try store.add([try Items.waypoint(id: Self.id, label: "Mine")], to: regions[0])
            try store.add([try Items.waypoint(id: Self.id, label: "Theirs", modifiedAt: .now)], to: regions[1])
            #expect(try store.waypoints(of: regions[0]).map(\.label) == ["Mine"])
            #expect(try store.waypoints(of: regions[1]).map(\.label) == ["Theirs"])
        }
    }

    @Test func everyFieldSurvivesTheDatabase() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, id) = try Self.store(in: directory)
            var waypoint = try Items.waypoint(note: "Grüß Gott 🏔", modifiedAt: Items.time)
            waypoint.hasPhoto = true
            waypoint.hikeID = UUID()
            var hike = try Items.hike(modifiedAt: Items.time)
            var route = try Items.plannedRoute()
            route.modifiedAt = Items.time
            try store.add([waypoint], to: id)
            try store.add([hike], to: id)
            try store.add([route], to: id)
            hike.regionID = id
            route.regionID = id
            #expect(try store.waypoints(of: id) == [waypoint])
            #expect(try store.hikes(of: id) == [hike])
            #expect(try store.plannedRoutes(of: id) == [route])
        }
    }

    @Test func whatMayBeMissingMayBeMissing() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, id) = try Self.store(in: directory)
            var waypoint = try Items.waypoint()
            waypoint.elevation = nil
            var hike = try Items.hike().withoutHealthData()
            hike.trackData = Data()
            var route = try Items.plannedRoute()
            route.elevationProfile = nil
            route.viaPoints = []
            route.turnInstructions = []
            try store.add([waypoint], to: id)
            try store.add([hike], to: id)
            try store.add([route], to: id)
            hike.regionID = id
            route.regionID = id
            #expect(try store.waypoints(of: id) == [waypoint])
            #expect(try store.hikes(of: id) == [hike])
            #expect(try store.plannedRoutes(of: id) == [route])
        }
    }

    @Test func timesAreKeptAsTheyTravel() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, id) = try Self.store(in: directory)
            try store.add([try Items.waypoint(modifiedAt: Items.time + 0.789)], to: id)
            #expect(try store.waypoints(of: id).first?.modifiedAt == Items.time)
            #expect(try store.region(id).createdAt.timeIntervalSince1970.truncatingRemainder(dividingBy: 1) == 0)
        }
    }

    @Test func theReceiptTellsWhatWasKept() async throws {
        try await TemporaryDirectory.with { directory in
            let (sender, id) = try Self.store(in: directory)
            let receiver = try RegionStore(path: directory.path("receiver"))
            let ids = (0..<3).map { _ in UUID() }
            try sender.add(try ids.map { try Items.waypoint(id: $0, modifiedAt: Items.time) }, to: id)
            try Transfers.run(try sender.source(for: id), to: receiver.sink())
            try receiver.add([try Items.waypoint(id: ids[0], label: "Mine", modifiedAt: Items.time + 60)], to: id)
            try sender.add([try Items.waypoint(id: ids[0], label: "Theirs", modifiedAt: Items.time + 50)], to: id)
            try sender.add([try Items.waypoint(id: ids[1], label: "Theirs", modifiedAt: Items.time + 50)], to: id)
            try sender.add([try Items.waypoint(label: "Added")], to: id)

            let receipt = try Transfers.run(try sender.source(for: id), to: receiver.sink())

            #expect(receipt.imported == ["waypoints": 2])
            #expect(receipt.keptLocal == ["waypoints": 1])
            let labels = try receiver.waypoints(of: id).map(\.label).sorted()
            #expect(labels == ["Added", "Mine", "Pfeishütte", "Theirs"])
        }
    }

    static let id = UUID()

    static func store(in directory: TemporaryDirectory) throws -> (RegionStore, UUID) {
        try MapFile.small().write(to: directory.path("a.mbtiles"))
        let store = try RegionStore(path: directory.path("store"))
        return (store, try store.importMap(at: directory.path("a.mbtiles")).region.id)
    }

    static func merge<Item: RegionItem>(
        local: Item,
        incoming: Item,
        check: (MergeCounts, Item) throws -> Void
    ) async throws {
        try await TemporaryDirectory.with { directory in
            let (store, id) = try Self.store(in: directory)
            try store.add([local], to: id)
            let counts = try store.database.write { try RegionItemRecord.merge([incoming], into: id, $0) }
            let all = try store.database.read { try RegionItemRecord<Item>.fetchAll(of: id, $0) }
            #expect(counts.total == 1)
            #expect(all.count == 1)
            try check(counts, try #require(all.first))
        }
    }
}
