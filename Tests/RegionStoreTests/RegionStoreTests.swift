import Foundation
import GRDB
import PeerCore
import PeerTestSupport
import RegionTestSupport
import Testing
import TrackFiles

@testable import RegionStore

@Suite(.timeLimit(.minutes(10))) struct RegionStoreTests {
    @Test func isPrivate() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, _) = try Self.store(in: directory)
            for path in try FileManager.default.subpathsOfDirectory(atPath: store.path) + [""] {
                let attributes = try FileManager.default.attributesOfItem(atPath: store.path + "/" + path)
                let mode = try #require(attributes[.posixPermissions] as? Int)
                #expect(mode & 0o077 == 0, "\(path) has mode \(String(mode, radix: 8))")
            }
        }
    }

    @Test(arguments: [0o777, 0o702, 0o770, 0o720]) func aFolderThatOthersMayWriteToIsNoStore(mode: Int) async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("open")
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            let error = try #require(throws: RegionStoreError.self) { try RegionStore(path: path) }
            #expect(error.code == .storage)
            #expect(error.message.contains("changed by other users"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: path).isEmpty)
        }
    }

    @Test func onlyTheLastTransfersAreRemembered() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try Self.store(in: directory)
            let entry = TransferHistoryEntry(
                direction: .sent,
                partner: TransferPeer(id: nil, displayName: "Ben"),
                regionID: region.id,
                regionName: region.name,
                startedAt: Items.time,
                endedAt: Items.time,
                outcome: .completed,
                byteCount: 1
            )
            try store.database.write { database in
                for _ in 0..<(TransferRecord.maximumCount + 5) { try TransferRecord.note(entry, database) }
            }
            #expect(try store.history(limit: .max).count == TransferRecord.maximumCount)
        }
    }

    @Test func makesTheFoldersAboveIt() async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("a/b/store"))
            #expect(try store.regions().isEmpty)
        }
    }

    @Test func opensAgainWithEverythingInIt() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try Self.store(in: directory)
            try store.add([try Items.hike()], to: region.id)
            let before = try StoreState(of: store)
            #expect(try StoreState(of: try RegionStore(path: store.path)) == before)
        }
    }

    @Test func refusesADatabaseOfANewerVersion() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, _) = try Self.store(in: directory)
            try DatabaseQueue(path: store.path + "/hikeshare.sqlite").write { database in
                try database.execute(sql: "INSERT INTO grdb_migrations VALUES ('v99')")
            }
            let error = try #require(throws: RegionStoreError.self) { try RegionStore(path: store.path) }
            #expect(error.code == .storage)
            #expect(error.message.contains("newer version"))
            #expect(error.remedy == "Update the program on this machine.")
        }
    }

    /// Databases before the first release had the same tables, and got them step by step.
    @Test(
        arguments: [
            ["v1"], ["v1", "v2", "v3"],
            ["v1", "v2", "v3", "v4", "v5", "removedItem", "regionDates", "gpx", "fingerprints"],
        ]
    )
    func refusesADatabaseFromBeforeTheFirstRelease(migrations: [String]) async throws {
        try await TemporaryDirectory.with { directory in
            let (store, _) = try Self.store(in: directory)
            let database = try DatabaseQueue(path: store.path + "/hikeshare.sqlite")
            try await database.write { database in
                try database.execute(sql: "DELETE FROM grdb_migrations")
                for name in migrations {
                    try database.execute(sql: "INSERT INTO grdb_migrations VALUES (?)", arguments: [name])
                }
            }
            let before = try StoreState.files(in: store, "regions")
            let error = try #require(throws: RegionStoreError.self) { try RegionStore(path: store.path) }
            #expect(error.code == .storage)
            #expect(error.message.hasSuffix("was written by a version of this program before the first release."))
            #expect(error.remedy == "Export the regions with that version, and import them into a new store.")
            #expect(try StoreState.files(in: store, "regions") == before)
            let found = try await database.read {
                try String.fetchSet($0, sql: "SELECT identifier FROM grdb_migrations")
            }
            #expect(found == Set(migrations))
        }
    }

    @Test func refusesADatabaseThatIsNone() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, _) = try Self.store(in: directory)
            for name in ["hikeshare.sqlite-wal", "hikeshare.sqlite-shm"] {
                try? FileManager.default.removeItem(atPath: store.path + "/" + name)
            }
            let broken = directory.path("broken")
            try FileManager.default.createDirectory(atPath: broken, withIntermediateDirectories: true)
            try Data(repeating: 65, count: 9000).write(to: URL(fileURLWithPath: broken + "/hikeshare.sqlite"))
            let error = try #require(throws: RegionStoreError.self) { try RegionStore(path: broken) }
            #expect(error.code == .storage)
            #expect(error.message.contains("is damaged"))
        }
    }

    @Test func refusesAPlaceThatIsAFile() async throws {
        try await TemporaryDirectory.with { directory in
            try Data().write(to: URL(fileURLWithPath: directory.path("file")))
            for path in ["file", "file/store"] {
                let error = try #require(throws: RegionStoreError.self) { try RegionStore(path: directory.path(path)) }
                #expect(error.code == .storage)
                #expect(error.message.contains("not a folder"), "\(error.message)")
            }
        }
    }

    // Nobody may make folders there, not even an administrator.
    @Test func saysThatAPlaceCannotBeWritten() throws {
        let error = try #require(throws: RegionStoreError.self) { try RegionStore(path: "/sys/hikeshare") }
        #expect(error.code == .storage)
        #expect(error.message.contains("/sys/hikeshare cannot be opened"))
        #expect(error.message.contains("permission is denied") || error.message.contains("the disk is read-only"))
        #expect(error.remedy != nil)
    }

    @Test func aNameGivenHereStaysWhenTheRegionIsReceivedAgain() async throws {
        try await TemporaryDirectory.with { directory in
            let (sender, region) = try Self.store(in: directory)
            let receiver = try RegionStore(path: directory.path("receiver"))
            try Transfers.run(try sender.source(for: region.id), to: receiver.sink())
            try sender.rename(region.id, to: "Theirs")
            try Transfers.run(try sender.source(for: region.id), to: receiver.sink())
            // The name of the map, which no person has chosen, stays, too.
            #expect(try receiver.region(region.id).name == region.name)
            try receiver.rename(region.id, to: "Mine")
            try Transfers.run(try sender.source(for: region.id), to: receiver.sink())
            #expect(try receiver.region(region.id).name == "Mine")
            let error = try #require(throws: RegionStoreError.self) { try receiver.rename(region.id, to: " ") }
            #expect(error.code == .invalidArgument)
        }
    }

    @Test func removingTakesEverythingOfTheRegionAndNothingElse() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try Self.store(in: directory)
            try MapFile.small(seed: 2).write(to: directory.path("b.mbtiles"))
            let other = try store.importMap(at: directory.path("b.mbtiles")).region
            try store.add([try Items.hike()], to: other.id)
            let before = try StoreState(of: store)
            try RoutingFixture().write(to: directory.path("r.db"))
            try store.importRouting(at: directory.path("r.db"), into: region.id)
            try store.add([try Items.hike()], to: region.id)
            try store.add([try Items.waypoint(), try Items.waypoint()], to: region.id)

            let counts = try store.remove(region.id)

            #expect(counts == RemovalCounts(hikes: 1, plannedRoutes: 0, waypoints: 2))
            let after = try StoreState(of: store)
            #expect(after.regions.map(\.id) == [other.id])
            #expect(after.hikes == [try store.hikes(of: other.id)])
            #expect(after.files.count == 1)
            #expect(before.files.count == 2)
            #expect(throws: RegionStoreError.self) { try store.remove(region.id) }
        }
    }

    @Test func whatIsRemovedCanBeWrittenToAFileFirst() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try Self.store(in: directory)
            try store.add([try Items.hike().withoutHealthData()], to: region.id)
            try store.add([try Items.waypoint(note: "Key under the mat")], to: region.id)
            try store.add([try Items.plannedRoute()], to: region.id)
            try store.database.write { try $0.execute(sql: "UPDATE hike SET trackData = x'010203'") }

            let before = try StoreState(of: store)
            try Data("mine".utf8).write(to: URL(fileURLWithPath: directory.path("taken.gpx")))
            let taken = try #require(throws: RegionStoreError.self) {
                try store.remove(region.id, exportingItemsTo: directory.path("taken.gpx"))
            }
            #expect(taken.code == .conflict)
            #expect(try StoreState(of: store) == before)

            // Nothing is lost that nobody has agreed to lose.
            let leftOut = ["the track of the hike “Goetheweg”"]
            for losing in [[], ["something else"]] {
                let error = try #require(throws: RegionStoreError.self) {
                    try store.remove(region.id, exportingItemsTo: directory.path("all.gpx"), losing: losing)
                }
                #expect(error.code == .conflict && error.cause is IncompleteExport)
                #expect(error.message.contains(leftOut[0]), "\(error.message)")
                #expect(try StoreState(of: store) == before)
                #expect(!FileManager.default.fileExists(atPath: directory.path("all.gpx")))
            }
            #expect(try store.unreadableItems(of: region.id) == leftOut)
            let counts = try store.remove(region.id, exportingItemsTo: directory.path("all.gpx"), losing: leftOut)
            #expect(counts == RemovalCounts(hikes: 1, plannedRoutes: 1, waypoints: 1, leftOut: leftOut))
            #expect(try store.regions().isEmpty)
            let document = try TrackFileReader().read(contentsOf: directory.path("all.gpx"))
            #expect(document.savedRoutes.map(\.name) == ["Goetheweg"])
            #expect(document.plannedRoutes.map(\.name) == ["Zum Hafelekar"])
            #expect(document.waypoints.map(\.note) == ["Key under the mat"])
        }
    }

    @Test func namesHaveALength() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try Self.store(in: directory)
            let longest = String(repeating: "x", count: ModelLimits.maximumNameLength)
            try store.rename(region.id, to: longest)
            for name in ["", " \t", longest + "x", "a\0b"] {
                let error = #expect(throws: RegionStoreError.self) { try store.rename(region.id, to: name) }
                #expect(error?.code == .invalidArgument, "\(name.count) characters")
            }
            #expect(try store.region(region.id).name == longest)
        }
    }

    @Test func whatChangedSinceItWasSeenIsNotRemoved() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try Self.store(in: directory)
            try RegionStore(path: store.path).add([try Items.waypoint()], to: region.id)
            let error = try #require(throws: RegionStoreError.self) {
                try store.remove(region.id, asSeen: region, exportingItemsTo: directory.path("a.gpx"))
            }
            #expect(error.code == .conflict)
            #expect(!FileManager.default.fileExists(atPath: directory.path("a.gpx")))
            let withoutFile = #expect(throws: RegionStoreError.self) { try store.remove(region.id, asSeen: region) }
            #expect(withoutFile?.code == .conflict)
            #expect(try store.remove(region.id, asSeen: try store.region(region.id)).waypoints == 1)
        }
    }

    @Test func twoStoresOnOneFolderSeeOneAnother() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try Self.store(in: directory)
            let other = try RegionStore(path: store.path)
            try await withThrowingTaskGroup { group in
                for number in 0..<20 {
                    let target = number.isMultiple(of: 2) ? store : other
                    group.addTask { try target.add([try Items.waypoint(label: "\(number)")], to: region.id) }
                }
                try await group.waitForAll()
            }
            #expect(try store.waypoints(of: region.id).count == 20)
            #expect(try other.waypoints(of: region.id).count == 20)
        }
    }

    @Test func severalImportAtOnce() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("store")
            try await withThrowingTaskGroup { group in
                for seed in 1...6 as ClosedRange<UInt64> {
                    try MapFile.small(seed: seed).write(to: directory.path("\(seed).mbtiles")).close()
                    group.addTask {
                        try RegionStore(path: path).importMap(at: directory.path("\(seed).mbtiles"), name: "\(seed)")
                    }
                }
                try await group.waitForAll()
            }
            let store = try RegionStore(path: path)
            let state = try StoreState(of: store)
            #expect(state.regions.count == 6)
            #expect(state.files.count == 6)
            #expect(try StoreState.files(in: store, "work").isEmpty)
        }
    }

    @Test func whatADeadProcessLeftBehindIsClearedAway() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try Self.store(in: directory)
            let before = try StoreState(of: store)
            let stray = [
                "incoming/\(String(repeating: "0", count: 64))/mbtiles", "work/import-1/mbtiles",
                "regions/\(region.id.uuidString)/\(String(repeating: "a", count: 64)).mbtiles",
                "regions/\(UUID().uuidString)/\(String(repeating: "b", count: 64)).routing.db",
            ]
            let foreign = "regions/\(region.id.uuidString)/notes.txt"
            for name in stray + [foreign] {
                let url = URL(fileURLWithPath: store.path + "/" + name)
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                try Data([1]).write(to: url)
            }
            let again = try RegionStore(path: store.path)
            // What we did not make is not ours to remove.
            #expect(FileManager.default.fileExists(atPath: store.path + "/" + foreign))
            try FileManager.default.removeItem(atPath: store.path + "/" + foreign)
            #expect(try StoreState(of: again) == before)
            #expect(try StoreState.files(in: again, "incoming").isEmpty)
            #expect(try StoreState.files(in: again, "work").isEmpty)
        }
    }

    @Test func theHistoryListsTheLatestFirst() async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            let entries = (0..<5).map { number in
                TransferHistoryEntry(
                    direction: .sent,
                    partner: TransferPeer(id: nil, displayName: "Peer \(number)"),
                    regionID: UUID(),
                    regionName: "Region",
                    startedAt: Items.time,
                    endedAt: Items.time + Double(number),
                    outcome: .completed,
                    byteCount: 1 << 40
                )
            }
            for entry in entries { try store.record(entry) }
            #expect(try store.history() == entries.reversed())
            #expect(try store.history(limit: 2) == [entries[4], entries[3]])
        }
    }

    static func store(in directory: TemporaryDirectory) throws -> (RegionStore, RegionSummary) {
        try MapFile.small().write(to: directory.path("a.mbtiles"))
        let store = try RegionStore(path: directory.path("store"))
        return (store, try store.importMap(at: directory.path("a.mbtiles")).region)
    }
}
