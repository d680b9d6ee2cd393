import Foundation
import GRDB
import PeerCore
import PeerTestSupport
import RegionTestSupport
import Testing

@testable import RegionStore

/// Several processes on one store, each with a store of its own on the same folder: what one does while another receives or
/// imports.
@Suite(.timeLimit(.minutes(10))) struct SeveralProcessesTests {
    /// A sender with a region, a receiver that may have it, and a second process at the receiver.
    private struct Place {
        var sender: RegionStore
        var receiver: RegionStore
        var other: RegionStore
        var region: RegionSummary

        init(in directory: TemporaryDirectory, isThere: Bool) throws {
            let pair = try RegionTransferTests.Pair(in: directory)
            (sender, receiver, region) = (pair.sender, pair.receiver, pair.region)
            if isThere { try Transfers.run(try sender.source(for: region.id), to: receiver.sink()) }
            other = try RegionStore(path: receiver.path)
        }
    }

    /// A transfer that has everything and is not committed.
    private func arrived(_ source: some ResourceSource, in store: RegionStore) throws -> any IncomingTransfer {
        let transfer = try store.sink().begin(source.manifest, accepting: Set(source.manifest.entries.map(\.kind)))
        for entry in source.manifest.entries {
            try Transfers.send(entry, of: source, to: transfer)
            try transfer.finish(entry)
        }
        return transfer
    }

    @Test(arguments: [false, true])
    func aRegionThatIsRemovedWhileItIsReceivedDoesNotComeBackByHalves(onlyItems: Bool) async throws {
        try await TemporaryDirectory.with { directory in
            let place = try Place(in: directory, isThere: true)
            let kinds: Set<ResourceKind>? = onlyItems ? [.waypoints] : nil
            let source = try place.sender.source(for: place.region.id, kinds: kinds)
            let transfer = try arrived(source, in: place.receiver)
            try place.other.remove(place.region.id)
            let error = try #require(throws: RegionStoreError.self) { try transfer.commit() }
            #expect(error.code == .conflict)
            let what = "was removed from this machine during"
            #expect(error.message.hasPrefix("“Nordkette” \(what) the transfer"))
            #expect(try place.other.regions().isEmpty)
            #expect(try StoreState.files(in: place.other, "regions").isEmpty)
            #expect(try StoreState.files(in: place.other, "work").isEmpty)
            guard !onlyItems else { return }
            try Transfers.run(source, to: place.receiver.sink())
            #expect(try place.other.region(place.region.id).waypointCount == 46)
        }
    }

    @Test func aRoutingDatabaseThatIsImportedMeanwhileIsNotReplacedUnseen() async throws {
        try await TemporaryDirectory.with { directory in
            let place = try Place(in: directory, isThere: true)
            // A newer one at the sender, and another one that comes in by an import.
            try RoutingFixture(nodeCount: 30).write(to: directory.path("theirs.db"))
            try RoutingFixture(nodeCount: 40).write(to: directory.path("mine.db"))
            try place.sender.importRouting(at: directory.path("theirs.db"), into: place.region.id)
            let source = try place.sender.source(for: place.region.id)
            let transfer = try arrived(source, in: place.receiver)
            try place.other.importRouting(at: directory.path("mine.db"), into: place.region.id)
            let before = try StoreState(of: place.other)
            let error = try #require(throws: RegionStoreError.self) { try transfer.commit() }
            #expect(error.code == .conflict)
            #expect(try StoreState(of: place.other) == before)
            // Seen now, it goes.
            let receipt = try Transfers.run(source, to: place.receiver.sink())
            #expect(receipt.imported == ["routing": 1])
        }
    }

    /// The files may change between the decision and the beginning, too.
    @Test func aDecisionIsForTheFilesWithWhichTheOfferWasCompared() async throws {
        try await TemporaryDirectory.with { directory in
            let place = try Place(in: directory, isThere: true)
            let source = try place.sender.source(for: place.region.id)
            let compared = try place.receiver.region(place.region.id).mapDigest
            var sink = place.receiver.sink()
            sink.isAsAgreed = { $0[.mbtiles] != compared }
            let error = try #require(throws: RegionStoreError.self) { try Transfers.run(source, to: sink) }
            #expect(error.code == .conflict)
            sink.isAsAgreed = { $0[.mbtiles] == compared }
            try Transfers.run(source, to: sink)
        }
    }

    @Test func aRoutingDatabaseThatBothBringIsNoConflict() async throws {
        try await TemporaryDirectory.with { directory in
            let place = try Place(in: directory, isThere: true)
            try RoutingFixture(nodeCount: 30).write(to: directory.path("theirs.db"))
            try place.sender.importRouting(at: directory.path("theirs.db"), into: place.region.id)
            let transfer = try arrived(try place.sender.source(for: place.region.id), in: place.receiver)
            try place.other.importRouting(at: directory.path("theirs.db"), into: place.region.id)
            #expect(try transfer.commit() == TransferReceipt())
        }
    }

    @Test func aMapThatStaysKeepsItsNameAreaAndZooms() async throws {
        try await TemporaryDirectory.with { directory in
            let place = try Place(in: directory, isThere: true)
            let source = try place.sender.source(for: place.region.id)
            let entry = try #require(source.manifest.entry(of: .mbtiles))
            let map = try Transfers.bytes(of: entry, source)
            let claim = try LyingSource(place.region.region, [.mbtiles: map]) { region in
                region.zoomLevels = 3...17
                region.tileCount = 99
                region.createdAt += 86_400
                region.name = "Theirs"
                if let box = BoundingBox(north: 48, south: 46, east: 13, west: 10) { region.boundingBox = box }
            }
            // The two stores may have got the map in different seconds.
            let expected = try place.receiver.region(place.region.id)
            #expect(try Transfers.run(claim, to: place.receiver.sink()) == TransferReceipt())
            #expect(try place.receiver.region(place.region.id) == expected)
        }
    }

    @Test func twoReceiveOneRegionFromTwoSenders() async throws {
        try await TemporaryDirectory.with { directory in
            let place = try Place(in: directory, isThere: false)
            // The same files, and other waypoints.
            let friend = try RegionStore(path: directory.path("friend"))
            try Transfers.run(try place.sender.source(for: place.region.id), to: friend.sink())
            let own = try Items.waypoint(label: "Only at the friend's")
            try friend.add([own], to: place.region.id)
            let first = try arrived(try place.sender.source(for: place.region.id), in: place.receiver)
            let second = try arrived(try friend.source(for: place.region.id), in: place.other)
            #expect(try first.commit().imported["waypoints"] == 46)
            #expect(try second.commit().imported == ["waypoints": 1])
            #expect(try place.receiver.region(place.region.id).waypointCount == 47)
            #expect(try StoreState(of: place.receiver).files == StoreState(of: friend).files)
            for folder in ["incoming", "work"] { #expect(try StoreState.files(in: place.receiver, folder).isEmpty) }
        }
    }

    @Test func ofTwoMapsForOneRegionTheFirstOneStaysAndTheOtherOneIsKeptForTheNextTry() async throws {
        try await TemporaryDirectory.with { directory in
            let place = try Place(in: directory, isThere: false)
            try MapFile.small(seed: 2).write(to: directory.path("b.mbtiles")).close()
            let map = Array(try Data(contentsOf: URL(fileURLWithPath: directory.path("b.mbtiles"))))
            let newer = try LyingSource(place.region.region, [.mbtiles: map])
            let first = try arrived(try place.sender.source(for: place.region.id), in: place.receiver)
            let second = try arrived(newer, in: place.other)
            #expect(try first.commit().imported["mbtiles"] == 1)
            let before = try StoreState(of: place.receiver)
            let error = try #require(throws: RegionStoreError.self) { try second.commit() }
            #expect(error.code == .conflict)
            #expect(try StoreState(of: place.receiver) == before)
            let kept = try #require(try place.receiver.incomingFiles().first)
            #expect(kept.size == UInt64(map.count) && !kept.isArriving)
            let entry = try #require(newer.manifest.entry(of: .mbtiles))
            let third = try place.receiver.sink().begin(newer.manifest, accepting: [.mbtiles])
            #expect(try Transfers.send(entry, of: newer, to: third) == 0)
            try third.finish(entry)
            #expect(try third.commit().imported == ["mbtiles": 1])
        }
    }

    @Test func whoImportsTheSameMapAtOnceGetsTheSameRegion() async throws {
        try await TemporaryDirectory.with { directory in
            try MapFile.small().write(to: directory.path("a.mbtiles")).close()
            let path = directory.path("store")
            let stored = try await withThrowingTaskGroup(of: StoredRegion.self) { group in
                for _ in 0..<6 {
                    group.addTask { try RegionStore(path: path).importMap(at: directory.path("a.mbtiles")) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(stored.map(\.region.id)).count == 1)
            #expect(stored.count { $0.isNew } == 1)
            let files = try StoreState.files(in: try RegionStore(path: path), "regions")
            // The map and the index of its tiles.
            #expect(files.count == 2)
        }
    }

    @Test func aRoutingDatabaseForARegionThatIsRemovedMeanwhileIsSaidToHaveNone() async throws {
        try await TemporaryDirectory.with { directory in
            let place = try Place(in: directory, isThere: true)
            try RoutingFixture(nodeCount: 40).write(to: directory.path("mine.db"))
            let removed = Locked(false)
            let error = try #require(throws: RegionStoreError.self) {
                try place.receiver.importRouting(at: directory.path("mine.db"), into: place.region.id) { _, _ in
                    guard !removed.value else { return }
                    removed.set(true)
                    _ = try? place.other.remove(place.region.id)
                }
            }
            #expect(error.code == .notFound)
            #expect(error.message.contains("no region \(place.region.id.uuidString)"))
            let again = try RegionStore(path: place.receiver.path)
            #expect(try StoreState.files(in: again, "regions").isEmpty)
        }
    }

    @Test func whoLooksAtWhatArrivesDoesNotDisturbIt() async throws {
        try await TemporaryDirectory.with { directory in
            let place = try Place(in: directory, isThere: false)
            let source = try place.sender.source(for: place.region.id)
            let entry = try #require(source.manifest.entry(of: .mbtiles))
            let interrupted = try place.receiver.sink().begin(source.manifest, accepting: [.mbtiles])
            try Transfers.send(entry, of: source, to: interrupted)
            interrupted.abandon()
            let isOver = Locked(false)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    while !isOver.value {
                        let count = try place.other.incomingFiles().count
                        #expect(count == 1)
                    }
                }
                defer { isOver.set(true) }
                let digests = try source.chunkDigests(of: entry)
                for _ in 0..<60 {
                    let transfer = try place.receiver.sink().begin(source.manifest, accepting: [.mbtiles])
                    // It goes on with what is there, every time.
                    #expect(try transfer.missingChunks(of: entry, digests: digests).chunkCount == 0)
                    transfer.abandon()
                }
            }
        }
    }

    @Test func whatIsJustArrivingIsNotDiscarded() async throws {
        try await TemporaryDirectory.with { directory in
            let place = try Place(in: directory, isThere: false)
            let transfer = try arrived(try place.sender.source(for: place.region.id), in: place.receiver)
            for file in try place.other.incomingFiles() {
                #expect(file.isArriving)
                let error = try #require(throws: RegionStoreError.self) { try place.other.discard(file) }
                #expect(error.code == .conflict)
            }
            _ = try transfer.commit()
            #expect(try place.other.region(place.region.id).hasRoutingData)
        }
    }

    @Test func aFileThatIsGoneFromTheSendersStoreIsSaid() async throws {
        try await TemporaryDirectory.with { directory in
            let place = try Place(in: directory, isThere: false)
            let map = try #require(
                try StoreState.files(in: place.sender, "regions").first { $0.hasSuffix(".mbtiles") }
            )
            let source = try place.sender.source(for: place.region.id)
            let held = try StoreState.files(in: place.sender, "work")
            #expect(!held.isEmpty)
            try FileManager.default.removeItem(atPath: place.sender.path + "/" + map)
            let error = try #require(throws: RegionStoreError.self) {
                try place.sender.source(for: place.region.id)
            }
            #expect(error.code == .storage)
            #expect(error.message.contains(map))
            #expect(error.remedy?.contains("Import it again") == true)
            #expect(try StoreState.files(in: place.sender, "work") == held, "nothing is left of the second")
            // What is being sent already is held.
            try Transfers.run(source, to: place.receiver.sink())
            #expect(try place.receiver.region(place.region.id).mapDigest == place.region.mapDigest)
            #expect(try place.sender.importMap(at: directory.path("a.mbtiles")).isNew == false)
            _ = try place.sender.source(for: place.region.id)
        }
    }
}
