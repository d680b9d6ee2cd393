import Foundation
import PeerCore
import PeerTestSupport
import RegionTestSupport
import Testing

@testable import RegionStore

@Suite(.timeLimit(.minutes(10))) struct RegionTransferTests {
    /// Two stores; the first has a region with everything.
    struct Pair {
        var sender: RegionStore
        var receiver: RegionStore
        var region: RegionSummary
        var map: Data

        init(in directory: TemporaryDirectory, seed: UInt64 = 1) throws {
            let (map, routing) = (directory.path("a.mbtiles"), directory.path("a.routing.db"))
            try MapFile.small(seed: seed).write(to: map)
            try RoutingFixture().write(to: routing)
            sender = try RegionStore(path: directory.path("sender"))
            receiver = try RegionStore(path: directory.path("receiver"))
            let id = try sender.importMap(at: map, routing: routing).region.id
            try sender.add([try Items.hike(), try Items.hike(name: "Höttinger Alm")], to: id)
            try sender.add([try Items.plannedRoute()], to: id)
            try sender.add((0..<46).map { try Items.waypoint(label: "W\($0)", note: "Note") }, to: id)
            region = try sender.region(id)
            self.map = try Data(contentsOf: URL(fileURLWithPath: map))
        }
    }

    @Test(arguments: ["0,0,1,1", "1.4,42.5,1.5,42.6", "nonsense"])
    func whatImportsArrives(bounds: String) async throws {
        try await TemporaryDirectory.with { directory in
            var map = MapFile.small().without("bounds")
            map.metadata.append(("bounds", bounds))
            try map.write(to: directory.path("a.mbtiles"))
            let sender = try RegionStore(path: directory.path("sender"))
            let receiver = try RegionStore(path: directory.path("receiver"))
            let region = try sender.importMap(at: directory.path("a.mbtiles")).region

            try Transfers.run(try sender.source(for: region.id), to: receiver.sink())

            #expect(try receiver.region(region.id).boundingBox == region.boundingBox)
        }
    }

    @Test func everythingArrives() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try Pair(in: directory)
            let peer = RemotePeer.called("Anna", id: PeerID(hex: String(repeating: "ab", count: 32)))

            let receipt = try Transfers.run(
                try pair.sender.source(for: pair.region.id, includeHealth: true),
                to: pair.receiver.sink(),
                from: peer
            )

            #expect(
                receipt.imported
                    == ["mbtiles": 1, "routing": 1, "savedroutes": 2, "plannedroutes": 1, "waypoints": 46]
            )
            #expect(receipt.keptLocal.isEmpty)
            let (sent, received) = (try StoreState(of: pair.sender), try StoreState(of: pair.receiver))
            #expect(sent.files == received.files)
            #expect(sent.files.count == 2)
            #expect(sent.hikes == received.hikes)
            #expect(sent.plannedRoutes == received.plannedRoutes)
            #expect(sent.waypoints == received.waypoints)
            let region = try #require(received.regions.first)
            #expect(region.region.boundingBox == pair.region.boundingBox)
            #expect(region.tileCount == 21)
            #expect(region.format == .png)
            #expect(region.attribution == pair.region.attribution)
            #expect(try StoreState.files(in: pair.receiver, "incoming").isEmpty)
            let entry = try #require(try pair.receiver.history().first)
            #expect(entry.partner == TransferPeer(peer))
            #expect(entry.outcome == .completed)
            #expect(entry.direction == .received)
            #expect(entry.byteCount > pair.region.mapSize)
            // What was received can be sent on, with the same digests.
            let again = try pair.receiver.source(for: pair.region.id, kinds: [.mbtiles, .routing]).manifest
            let first = try pair.sender.source(for: pair.region.id, kinds: [.mbtiles, .routing]).manifest
            #expect(again.entries == first.entries)
        }
    }

    @Test func healthDataStayUnlessAskedFor() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try Pair(in: directory)
            try Transfers.run(try pair.sender.source(for: pair.region.id), to: pair.receiver.sink())
            let hikes = try pair.receiver.hikes(of: pair.region.id)
            #expect(hikes.count == 2)
            #expect(
                hikes.allSatisfy {
                    $0.averageHeartRate == nil && $0.maximumHeartRate == nil && $0.estimatedCalories == nil
                }
            )
        }
    }

    @Test func whatIsThereIsNotSentAgain() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try Pair(in: directory)
            let source = try pair.sender.source(for: pair.region.id, includeHealth: true)
            try Transfers.run(source, to: pair.receiver.sink())
            let before = try StoreState(of: pair.receiver)

            let transfer = try pair.receiver.sink().begin(source.manifest, accepting: [.mbtiles, .routing, .waypoints])
            for entry in source.manifest.entries where [.mbtiles, .routing].contains(entry.kind) {
                #expect(try Transfers.send(entry, of: source, to: transfer) == 0)
                try transfer.finish(entry)
            }
            let waypoints = try #require(source.manifest.entry(of: .waypoints))
            try Transfers.send(waypoints, of: source, to: transfer)
            try transfer.finish(waypoints)
            let receipt = try transfer.commit()

            #expect(receipt == TransferReceipt())
            #expect(try StoreState(of: pair.receiver) == before)
        }
    }

    @Test func aFileThatTheDiskHasDamagedIsHealed() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try Pair(in: directory)
            let source = try pair.sender.source(for: pair.region.id)
            try Transfers.run(source, to: pair.receiver.sink())
            let whole = try StoreState(of: pair.receiver)
            let map = try #require(source.manifest.entry(of: .mbtiles))
            let path = "\(pair.receiver.path)/regions/\(pair.region.id.uuidString)/\(map.digest.hex).mbtiles"
            let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            try handle.seek(toOffset: map.size / 2)
            try handle.write(contentsOf: Data("damage".utf8))
            try handle.close()
            #expect(try StoreState(of: pair.receiver) != whole)

            try Transfers.run(source, to: pair.receiver.sink())

            #expect(try StoreState(of: pair.receiver) == whole)
        }
    }

    @Test func onlyTheMapIsEnough() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try Pair(in: directory)
            let source = try pair.sender.source(for: pair.region.id, kinds: [.mbtiles])
            #expect(source.manifest.entries.map(\.kind) == [.mbtiles])
            #expect(try source.manifest.description(as: Region.self).hasRoutingData == false)
            try Transfers.run(source, to: pair.receiver.sink())
            let region = try pair.receiver.region(pair.region.id)
            #expect(!region.hasRoutingData)
            #expect(region.waypointCount == 0)
        }
    }

    @Test func aReceiverTakesWhatItWants() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try Pair(in: directory)
            let source = try pair.sender.source(for: pair.region.id)
            try Transfers.run(source, to: pair.receiver.sink(), accepting: [.mbtiles, .waypoints])
            let region = try pair.receiver.region(pair.region.id)
            #expect(region.waypointCount == 46)
            #expect(region.hikeCount == 0)
            #expect(region.plannedRouteCount == 0)
            #expect(!region.hasRoutingData)
        }
    }

    @Test func routesComeWithoutTheMapOnlyToARegionThatIsThere() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try Pair(in: directory)
            let source = try pair.sender.source(for: pair.region.id, kinds: [.waypoints])
            let error = try #require(throws: RegionStoreError.self) {
                try Transfers.run(source, to: pair.receiver.sink())
            }
            #expect(error.code == .refused)
            try Transfers.run(
                try pair.sender.source(for: pair.region.id, kinds: [.mbtiles, .routing]),
                to: pair.receiver.sink()
            )
            try Transfers.run(source, to: pair.receiver.sink())
            let region = try pair.receiver.region(pair.region.id)
            #expect(region.waypointCount == 46)
            #expect(region.hasRoutingData)
        }
    }

    @Test func aRegionWhoseRoutingFileIsGoneIsSentWithout() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try Pair(in: directory)
            let file = try #require(
                try StoreState.files(in: pair.sender, "regions").first { $0.hasSuffix(".routing.db") }
            )
            try FileManager.default.removeItem(atPath: pair.sender.path + "/" + file)
            try Transfers.run(try pair.sender.source(for: pair.region.id), to: pair.receiver.sink())
            #expect(try pair.receiver.region(pair.region.id).hasRoutingData == false)
        }
    }

    @Test func aNewMapWithoutRoutingDropsTheOldRouting() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try Pair(in: directory)
            try Transfers.run(try pair.sender.source(for: pair.region.id), to: pair.receiver.sink())
            try MapFile.small(seed: 2).write(to: directory.path("b.mbtiles"))
            let newer = Array(try Data(contentsOf: URL(fileURLWithPath: directory.path("b.mbtiles"))))

            let receipt = try Transfers.run(
                try LyingSource(pair.region.region, [.mbtiles: newer]),
                to: pair.receiver.sink()
            )

            #expect(receipt.imported == ["mbtiles": 1])
            let state = try StoreState(of: pair.receiver)
            #expect(state.regions.first?.hasRoutingData == false)
            #expect(Array(state.files.values) == [Data(newer)])
            #expect(state.waypoints.first?.count == 46)
        }
    }

    @Test func abandoningLeavesNothingButWhatCanBeGoneOnWith() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try Pair(in: directory)
            let source = try pair.sender.source(for: pair.region.id)
            let transfer = try pair.receiver.sink().begin(source.manifest, accepting: [.mbtiles])
            let entry = try #require(source.manifest.entry(of: .mbtiles))
            try Transfers.send(entry, of: source, to: transfer)
            #expect(try pair.receiver.incomingFiles().map(\.isArriving) == [true])
            transfer.abandon()
            transfer.abandon()
            #expect(try pair.receiver.incomingFiles().map(\.isArriving) == [false])
            #expect(try StoreState.files(in: pair.receiver, "work").isEmpty)
            #expect(try pair.receiver.regions().isEmpty)
            #expect(try pair.receiver.history().map(\.outcome) == [.abandoned])
            #expect(throws: RegionStoreError.self) { try transfer.commit() }
        }
    }

    @Test func examiningWritesNothing() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try Pair(in: directory)
            let source = try pair.sender.source(for: pair.region.id)
            let before = try FileManager.default.subpathsOfDirectory(atPath: pair.receiver.path).sorted()
            try pair.receiver.sink().examine(source.manifest)
            #expect(try FileManager.default.subpathsOfDirectory(atPath: pair.receiver.path).sorted() == before)
        }
    }

    @Test func theSameContentIsNotReceivedTwiceAtOnce() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try Pair(in: directory)
            let source = try pair.sender.source(for: pair.region.id)
            let other = try RegionStore(path: pair.receiver.path)
            let transfer = try pair.receiver.sink().begin(source.manifest, accepting: [.mbtiles])
            let error = try #require(throws: RegionStoreError.self) {
                try other.sink().begin(source.manifest, accepting: [.mbtiles])
            }
            #expect(error.code == .conflict)
            transfer.abandon()
            try Transfers.run(source, to: other.sink())
        }
    }

    @Test func aSourceStaysAsItIsWhenTheRegionIsRemoved() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try Pair(in: directory)
            var source: RegionSource? = try pair.sender.source(for: pair.region.id)
            try pair.sender.remove(pair.region.id)
            #expect(try pair.sender.regions().isEmpty)
            // Opening a store clears away what nobody uses; this is used.
            let other = try RegionStore(path: pair.sender.path)
            try Transfers.run(try #require(source), to: pair.receiver.sink())
            #expect(try StoreState(of: pair.receiver).files.values.contains(pair.map))
            source = nil
            #expect(try StoreState.files(in: other, "work").isEmpty)
            #expect(try StoreState.files(in: other, "regions").isEmpty)
        }
    }
}
