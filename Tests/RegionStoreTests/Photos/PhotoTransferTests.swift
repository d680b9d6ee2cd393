import Foundation
import GRDB
import NIOCore
import PeerCore
import PeerTestSupport
import RegionTestSupport
import Testing

@testable import RegionStore

@Suite(.timeLimit(.minutes(10))) struct PhotoTransferTests {
    /// Two stores; the first has a region with five waypoints, the first three of which have photos.
    struct World {
        var directory: TemporaryDirectory
        var pair: RegionTransferTests.Pair
        var id: UUID
        var waypoints: [Waypoint]

        var sender: RegionStore { pair.sender }
        var receiver: RegionStore { pair.receiver }

        init(in directory: TemporaryDirectory) throws {
            self.directory = directory
            pair = try RegionTransferTests.Pair(in: directory)
            id = pair.region.id
            waypoints = Array(try pair.sender.waypoints(of: id).prefix(5))
            for (position, waypoint) in waypoints.prefix(3).enumerated() {
                let path = try Photos.file(UInt64(position), size: 40_000 * (position + 1), in: directory)
                try pair.sender.importPhoto(at: path, for: waypoint.id, in: id)
            }
        }

        @discardableResult
        func transfer(_ from: RegionStore, _ to: RegionStore, replacing: Bool = true) throws -> TransferReceipt {
            try Transfers.run(try from.source(for: id), to: to.sink(replacesItems: replacing))
        }

        /// How many chunks of the photos the receiver lacks.
        func missingCount() throws -> Int {
            let source = try sender.source(for: id)
            let entry = try #require(source.manifest.entry(of: .photos))
            let transfer = try receiver.sink().begin(source.manifest, accepting: [.photos])
            defer { transfer.abandon() }
            return try transfer.missingChunks(of: entry, digests: source.chunkDigests(of: entry)).chunkCount
        }
    }

    static func withWorld(_ body: (World) throws -> Void) async throws {
        try await TemporaryDirectory.with { try body(World(in: $0)) }
    }

    @Test func photosArriveWithTheirWaypoints() async throws {
        try await Self.withWorld { world in
            let receipt = try world.transfer(world.sender, world.receiver)
            #expect(receipt.imported["photos"] == 3)
            #expect(try world.receiver.photoData(of: world.id) == world.sender.photoData(of: world.id))
            #expect(try world.receiver.photos(of: world.id) == world.sender.photos(of: world.id))
            #expect(try world.receiver.region(world.id).photoCount == 3)
            #expect(try world.receiver.region(world.id).photoSize == 240_000)
            #expect(try world.receiver.waypoints(of: world.id) == world.sender.waypoints(of: world.id))
            #expect(try StoreState.files(in: world.receiver, "incoming").isEmpty)
            #expect(try StoreState.files(in: world.receiver, "work").isEmpty)
        }
    }

    @Test func whatIsHereDoesNotCrossAgain() async throws {
        try await Self.withWorld { world in
            try world.transfer(world.sender, world.receiver)
            #expect(try world.missingCount() == 0)
            let receipt = try world.transfer(world.sender, world.receiver)
            #expect(receipt.imported.isEmpty && receipt.keptLocal.isEmpty)
        }
    }

    @Test func onePhotoMoreCrossesAlone() async throws {
        try await Self.withWorld { world in
            try world.transfer(world.sender, world.receiver)
            let path = try Photos.file(9, size: 100_000, in: world.directory)
            try world.sender.importPhoto(at: path, for: world.waypoints[4].id, in: world.id)
            // 100,028 bytes, in chunks of 16 KiB, wherever among the others it stands; zero bytes there are enough of.
            #expect(try world.missingCount() == 7)
            #expect(try world.transfer(world.sender, world.receiver).imported["photos"] == 1)
            #expect(try world.receiver.photoData(of: world.id) == world.sender.photoData(of: world.id))
        }
    }

    @Test func theNewerPhotoWinsAndTheLocalOneIfBothAreAsOld() async throws {
        try await Self.withWorld { world in
            try world.transfer(world.sender, world.receiver)
            let now = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
            let offsets: [TimeInterval] = [60, 0, -60]
            for (store, seed) in [(world.sender, 100 as UInt64), (world.receiver, 200)] {
                try store.add(
                    zip(world.waypoints, offsets).enumerated().map { position, item in
                        let time = store.path == world.sender.path ? now.addingTimeInterval(item.1) : now
                        return (item.0.id, Photos.jpeg(seed + UInt64(position)), time)
                    },
                    to: world.id
                )
            }
            let receipt = try world.transfer(world.sender, world.receiver)
            #expect(receipt.imported["photos"] == 1)
            #expect(receipt.keptLocal["photos"] == 2)
            let photos = try world.receiver.photoData(of: world.id)
            #expect(photos[world.waypoints[0].id] == Photos.jpeg(100))
            #expect(photos[world.waypoints[1].id] == Photos.jpeg(201))
            #expect(photos[world.waypoints[2].id] == Photos.jpeg(202))
        }
    }

    @Test func aPhotoOfTheFutureDoesNotWinForEver() async throws {
        try await Self.withWorld { world in
            try world.transfer(world.sender, world.receiver)
            let waypoint = world.waypoints[0].id
            try world.sender.add(
                [(waypoint, Photos.jpeg(5), Date(timeIntervalSince1970: 250_000_000_000))],
                to: world.id
            )
            try world.transfer(world.sender, world.receiver)
            let photo = try #require(try world.receiver.photos(of: world.id).first { $0.waypointID == waypoint })
            #expect(photo.modifiedAt <= MergeClock.tomorrow)
        }
    }

    @Test func aLocalPhotoOfTheFutureIsReplaced() async throws {
        try await Self.withWorld { world in
            try world.transfer(world.sender, world.receiver)
            let waypoint = world.waypoints[0].id
            let future = (waypointID: waypoint, data: Photos.jpeg(77), modifiedAt: Date.now + 3000 * 86_400)
            try world.receiver.add([future], to: world.id)
            #expect(try world.transfer(world.sender, world.receiver).imported["photos"] == 1)
            #expect(try world.receiver.photoData(of: world.id) == world.sender.photoData(of: world.id))
        }
    }

    /// A waypoint with the last date that there is could not be sent after a photo was put there.
    @Test func aDateAtTheEndOfTimeDoesNotKeepARegionHere() async throws {
        try await Self.withWorld { world in
            let waypoint = try #require(world.waypoints.last)
            try world.sender.database.write { database in
                try database.execute(
                    sql: "UPDATE waypoint SET modifiedAt = 253402300799 WHERE id = ?",
                    arguments: [waypoint.id.uuidString]
                )
            }
            try world.transfer(world.sender, world.receiver)
            try world.sender.importPhoto(
                at: try Photos.file(9, in: world.directory),
                for: waypoint.id,
                in: world.id
            )
            try world.transfer(world.sender, world.receiver)
            #expect(try world.receiver.photoData(of: world.id) == world.sender.photoData(of: world.id))
            try world.sender.database.write { database in
                try database.execute(sql: "UPDATE waypoint SET modifiedAt = 253402300800")
            }
            try world.transfer(world.sender, world.receiver)
        }
    }

    @Test func aStrangersPhotoReplacesNone() async throws {
        try await Self.withWorld { world in
            try world.transfer(world.sender, world.receiver)
            let before = try world.receiver.photoData(of: world.id)
            let path = try Photos.file(7, in: world.directory)
            try world.sender.importPhoto(at: path, for: world.waypoints[0].id, in: world.id, replacing: true)
            let receipt = try world.transfer(world.sender, world.receiver, replacing: false)
            #expect(receipt.keptLocal["photos"] == 1)
            #expect(try world.receiver.photoData(of: world.id) == before)
        }
    }

    @Test func aStrangersPhotoDoesNotGetToAWaypointThatIsHere() async throws {
        try await Self.withWorld { world in
            try world.transfer(world.sender, world.receiver)
            let path = try Photos.file(7, in: world.directory)
            try world.sender.importPhoto(at: path, for: world.waypoints[4].id, in: world.id)
            let new = try Items.waypoint(label: "New")
            try world.sender.add([new], to: world.id)
            try world.sender.add([(new.id, Photos.jpeg(8), Items.time)], to: world.id)
            let receipt = try world.transfer(world.sender, world.receiver, replacing: false)
            #expect(receipt.imported["photos"] == 1)
            #expect(receipt.keptLocal["photos"] == 1)
            let photos = try world.receiver.photoData(of: world.id)
            #expect(photos[world.waypoints[4].id] == nil && photos[new.id] == Photos.jpeg(8))
        }
    }

    @Test(arguments: [2 * 3600, 2 * 86_400] as [TimeInterval])
    func aPhotoThatWasReplacedHereStaysThoughTheOtherClockIsAhead(seconds: TimeInterval) async throws {
        try await Self.withWorld { world in
            let waypoint = world.waypoints[0].id
            let ahead = Date().addingTimeInterval(seconds)
            try world.sender.add([(waypoint, Photos.jpeg(50), ahead)], to: world.id)
            try world.transfer(world.sender, world.receiver)
            #expect(try world.receiver.photoData(of: world.id)[waypoint] == Photos.jpeg(50))
            let mine = try Photos.file(51, in: world.directory)
            try world.receiver.importPhoto(at: mine, for: waypoint, in: world.id, replacing: true)
            let receipt = try world.transfer(world.sender, world.receiver)
            #expect(receipt.keptLocal["photos"] == 1)
            #expect(try world.receiver.photoData(of: world.id)[waypoint] == Photos.jpeg(51))
        }
    }

    @Test func roomThatPhotosTookIsGivenBack() async throws {
        try await Self.withWorld { world in
            let photo = try Photos.file(1, size: 8 << 20, in: world.directory)
            try world.sender.importPhoto(at: photo, for: world.waypoints[4].id, in: world.id)
            try world.sender.remove(world.id)
            let file = world.sender.path + "/hikeshare.sqlite"
            let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
            #expect(try #require(size) < 1 << 20)
        }
    }

    @Test func aPhotoStaysWhenItsWaypointBecomesNewer() async throws {
        try await Self.withWorld { world in
            try world.transfer(world.sender, world.receiver)
            let photos = try world.receiver.photoData(of: world.id)
            var waypoint = world.waypoints[0]
            waypoint.label = "Renamed"
            waypoint.modifiedAt = Date().addingTimeInterval(3600)
            try world.sender.add([waypoint], to: world.id)
            try Transfers.run(
                try world.sender.source(for: world.id, kinds: [.waypoints]),
                to: world.receiver.sink()
            )
            #expect(try world.receiver.waypoints(of: world.id).contains { $0.label == "Renamed" && $0.hasPhoto })
            #expect(try world.receiver.photoData(of: world.id) == photos)
        }
    }

    @Test func aPhotoOfAWaypointThatIsNotHereIsLeftOut() async throws {
        try await Self.withWorld { world in
            try Transfers.run(
                try world.sender.source(for: world.id),
                to: world.receiver.sink(),
                accepting: [.mbtiles, .photos]
            )
            #expect(try world.receiver.photos(of: world.id).isEmpty)
            #expect(try world.receiver.waypoints(of: world.id).isEmpty)
        }
    }

    @Test func photosGoOnWhereTheyStopped() async throws {
        try await Self.withWorld { world in
            let source = try world.sender.source(for: world.id)
            let entry = try #require(source.manifest.entry(of: .photos))
            let bytes = try Transfers.bytes(of: entry, source)
            let kinds: Set<ResourceKind> = [.mbtiles, .waypoints, .photos]
            let digests = try source.chunkDigests(of: entry)
            let first = try world.receiver.sink().begin(source.manifest, accepting: kinds)
            _ = try first.missingChunks(of: entry, digests: digests)
            try first.write([.init(bytes: bytes[0..<5 * 16_384])], at: 0, of: entry)
            first.abandon()

            let second = try world.receiver.sink().begin(source.manifest, accepting: kinds)
            // Zero bytes behind photos are what a file has where nothing came yet.
            let left = (5..<entry.layout.chunkCount).count { chunk in
                bytes[chunk * 16_384..<(chunk + 1) * 16_384].contains { $0 != 0 }
            }
            #expect(left > 5)
            #expect(try second.missingChunks(of: entry, digests: digests).chunkCount == left)
            second.abandon()
        }
    }

    @Test func photosGoWithTheirRegion() async throws {
        try await Self.withWorld { world in
            try world.sender.remove(world.id)
            #expect(try world.sender.photos(of: world.id).isEmpty)
        }
    }
}
