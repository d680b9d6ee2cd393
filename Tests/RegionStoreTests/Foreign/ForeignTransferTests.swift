import Foundation
import NIOCore
import PeerCore
import PeerTestSupport
import RegionTestSupport
import Testing

@testable import RegionStore

/// Maps of other programs on their way from store to store.
@Suite(.timeLimit(.minutes(10))) struct ForeignTransferTests {
    /// Two stores; the first has a region whose map is a file of Mapsforge, with a waypoint.
    struct World {
        var directory: TemporaryDirectory
        var sender: RegionStore
        var receiver: RegionStore
        var region: RegionSummary

        init(in directory: TemporaryDirectory, size: Int = 300_000) throws {
            self.directory = directory
            sender = try RegionStore(path: directory.path("sender"))
            receiver = try RegionStore(path: directory.path("receiver"))
            let path = try ForeignImportTests.write(ForeignBytes.mapsforge(rest: size), "andorra.map", in: directory)
            let id = try sender.importForeign(at: path, as: .mapsforge).region.id
            try sender.add([try Items.waypoint(label: "Hut", note: "")], to: id)
            region = try sender.region(id)
        }
    }

    static func withWorld(_ body: (World) throws -> Void) async throws {
        try await TemporaryDirectory.with { try body(World(in: $0)) }
    }

    @Test func theFileArrivesByteForByte() async throws {
        try await Self.withWorld { world in
            let receipt = try Transfers.run(try world.sender.source(for: world.region.id), to: world.receiver.sink())
            #expect(receipt.imported == ["sealed": 1, "waypoints": 1])
            var received = try world.receiver.region(world.region.id)
            received.addedAt = world.region.addedAt
            #expect(received == world.region)
            #expect(try StoreState(of: world.receiver).files == StoreState(of: world.sender).files)
            #expect(try StoreState.files(in: world.receiver, "incoming").isEmpty)
            // What was received can be sent on, and nothing crosses twice.
            let (first, again) = try (
                world.sender.source(for: world.region.id).manifest,
                world.receiver.source(for: world.region.id).manifest
            )
            #expect(first.entries == again.entries)
            let second = try Transfers.run(try world.sender.source(for: world.region.id), to: world.receiver.sink())
            #expect(second.imported.isEmpty)
        }
    }

    @Test func whoHasImportedItIsPassedOnWithTheFileAlone() async throws {
        try await Self.withWorld { world in
            let identity = try PeerIdentity.known(by: "Anna", for: PeerServiceType(validating: "hikeshare"))
            let (sender, receiver, id) = (world.sender, world.receiver, world.region.id)
            try Transfers.run(try sender.source(for: id), to: receiver.sink())
            let again = try sender.importForeign(
                at: world.directory.path("andorra.map"),
                as: .mapsforge,
                signed: { map in
                    try MapSignature(of: map, as: "Anna") { try identity.sign($0) }
                }
            )
            let signature = try #require(again.region.signature)
            #expect(!again.isNew && signature.signer == identity.id)
            // The receiver has the file already, and learns who has imported it.
            try Transfers.run(try sender.source(for: id), to: receiver.sink())
            #expect(try receiver.region(id).signature == signature)
            let items = try sender.source(for: id, kinds: [.waypoints]).manifest
            #expect(try items.region().signature == nil)

            let bytes = ForeignBytes.mapsforge(rest: 5000)
            let newer = try ForeignImportTests.write(bytes, "andorra.map", in: world.directory)
            let updated = try sender.importForeign(at: newer, as: .mapsforge, updating: id)
            #expect(updated.isUpdate && updated.region.signature == nil)
            try Transfers.run(try sender.source(for: id), to: receiver.sink())
            #expect(try receiver.region(id).signature == nil)
        }
    }

    @Test func theManifestSaysWhatItIs() async throws {
        try await Self.withWorld { world in
            let manifest = try world.sender.source(for: world.region.id).manifest
            #expect(manifest.entries.map(\.kind) == [.foreign, .waypoints])
            let region = try ManifestValidator(manifest).region
            #expect(region.foreign == ForeignMap(format: .mapsforge, fileName: "andorra.map", hasArea: true))
            #expect(region.tileCount == 0 && region.fileSizeBytes == Int64(world.region.mapSize))
            #expect(region.coverage == nil && region.cut == nil)
        }
    }

    /// An offer of a file of another program describes no tiles, and no area if nobody knows it.
    @Test func anOfferThatDescribesTilesIsRefused() async throws {
        try await Self.withWorld { world in
            let manifest = try world.sender.source(for: world.region.id).manifest
            let area = try #require(BoundingBox(north: 43, south: 42, east: 2, west: 1))
            let coverage = try #require(Coverage(bytes: [1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0]))
            func examine(_ change: (inout Region) -> Void) throws {
                var region = try manifest.region()
                change(&region)
                let changed = try Manifest(id: region.id, describing: region, entries: manifest.entries)
                try world.receiver.sink().examine(changed)
            }
            let lies: [(inout Region) -> Void] = [
                { $0.tileCount = 5 }, { $0.zoomLevels = 0...20 }, { $0.coverage = coverage },
                { $0.cut = CutDescription(wholeTileCount: 5, wholeSize: 5) },
                { region in
                    region.foreign?.hasArea = false
                    region.boundingBox = area
                },
            ]
            for lie in lies {
                let error = #expect(throws: RegionStoreError.self) { try examine(lie) }
                #expect(error?.code == .refused)
            }
            try examine { _ in }
            try examine { region in
                region.foreign?.hasArea = false
                region.boundingBox = .earth
            }
        }
    }

    @Test func aTransferThatBrokeOffGoesOn() async throws {
        try await Self.withWorld { world in
            let source = try world.sender.source(for: world.region.id)
            let entry = try #require(source.manifest.entry(of: .foreign))
            let digests = try source.chunkDigests(of: entry)
            let bytes = try Transfers.bytes(of: entry, source)
            let first = try world.receiver.sink().begin(source.manifest, accepting: [.foreign])
            let missing = try first.missingChunks(of: entry, digests: digests)
            #expect(missing.chunkCount == entry.layout.chunkCount)
            let half = entry.layout.byteRange(of: 0..<entry.layout.chunkCount / 2)
            let piece = ByteBuffer(bytes: bytes[Int(half.lowerBound)..<Int(half.upperBound)])
            try first.write([piece], at: half.lowerBound, of: entry)
            first.abandon()
            #expect(try world.receiver.incomingFiles().map(\.kind) == [.foreign])
            guard case .partial = try world.receiver.sink().presence(of: source.manifest)[.foreign] else {
                Issue.record("the received part is not found")
                return
            }

            let next = try world.receiver.sink().begin(source.manifest, accepting: [.foreign])
            let rest = try next.missingChunks(of: entry, digests: digests)
            #expect(rest.chunkCount == entry.layout.chunkCount - entry.layout.chunkCount / 2)
            next.abandon()
            try Transfers.run(source, to: world.receiver.sink())
            #expect(try world.receiver.region(world.region.id).mapDigest == world.region.mapDigest)
        }
    }

    @Test func aFileThatTheStoreHasInAnotherRegionIsLinked() async throws {
        try await Self.withWorld { world in
            let path = world.directory.path("andorra.map")
            let other = try world.receiver.importForeign(at: path, as: .mapsforge, name: "Mine").region
            let source = try world.sender.source(for: world.region.id)
            let entry = try #require(source.manifest.entry(of: .foreign))
            let presence = try #require(try world.receiver.sink().presence(of: source.manifest)[.foreign])
            guard case .whole = presence else {
                Issue.record("the file is not found")
                return
            }
            let transfer = try world.receiver.sink().begin(source.manifest, accepting: [.foreign])
            let missing = try transfer.missingChunks(of: entry, digests: try source.chunkDigests(of: entry))
            #expect(missing.chunkCount == 0)
            transfer.abandon()
            // A person may make the two one region.
            #expect(try world.receiver.adopt(world.region.id, for: other.id))
            #expect(try world.receiver.region(world.region.id).name == "Mine")
        }
    }

    @Test func itemsArriveWithoutTheMapIfTheRegionIsThere() async throws {
        try await Self.withWorld { world in
            let source = try world.sender.source(for: world.region.id, kinds: [.waypoints])
            #expect(throws: RegionStoreError.self) { try world.receiver.sink().examine(source.manifest) }
            try Transfers.run(try world.sender.source(for: world.region.id), to: world.receiver.sink())
            try world.sender.add([try Items.waypoint(label: "Spring", note: "")], to: world.region.id)
            let more = try world.sender.source(for: world.region.id, kinds: [.waypoints])
            #expect(try Transfers.run(more, to: world.receiver.sink()).imported == ["waypoints": 1])
        }
    }

    @Test func aMapOfAnotherKindNeverTakesThePlaceOfOne() async throws {
        try await Self.withWorld { world in
            let tiles = world.directory.path("a.mbtiles")
            try MapFile.small().write(to: tiles)
            let id = try world.receiver.importMap(at: tiles).region.id
            // The region of the sender gets the id of the one with tiles, as a stranger could do it.
            #expect(try world.sender.adopt(id, for: world.region.id))
            for (from, to) in [(world.sender, world.receiver), (world.receiver, world.sender)] {
                let before = try to.region(id)
                #expect(throws: RegionStoreError.self) {
                    try Transfers.run(try from.source(for: id), to: to.sink())
                }
                #expect(try to.region(id) == before)
            }
        }
    }

    @Test func theFileOfOneProgramNeverTakesThePlaceOfThatOfAnother() async throws {
        try await Self.withWorld { world in
            let path = try ForeignImportTests.write(ForeignBytes.osmand(), "a.obf", in: world.directory)
            let own = try world.receiver.importForeign(at: path, as: .osmand).region
            #expect(try world.receiver.adopt(world.region.id, for: own.id))
            let before = try world.receiver.region(world.region.id)
            #expect(throws: RegionStoreError.self) {
                try Transfers.run(try world.sender.source(for: world.region.id), to: world.receiver.sink())
            }
            #expect(try world.receiver.region(world.region.id) == before)
            // Its waypoints come nevertheless.
            let items = try world.sender.source(for: world.region.id, kinds: [.waypoints])
            #expect(try Transfers.run(items, to: world.receiver.sink()).imported == ["waypoints": 1])
        }
    }

    /// A file that is not what was announced, and offers that contradict themselves.
    @Test func liesAreRefused() async throws {
        try await Self.withWorld { world in
            let bytes = ForeignBytes.mapsforge()
            func offer(_ bytes: [UInt8] = bytes, _ change: (inout Region) -> Void = { _ in }) throws -> LyingSource {
                try LyingSource(world.region.region, [.foreign: bytes]) { region in
                    region.fileSizeBytes = Int64(bytes.count)
                    change(&region)
                }
            }
            try Transfers.run(try offer(), to: world.receiver.sink())
            try world.receiver.remove(world.region.id)
            let lies: [(String, LyingSource)] = [
                ("another format", try offer(ForeignBytes.osmand())),
                ("not all of the file", try offer(Array(bytes.dropLast(10)))),
                ("another format is announced", try offer { $0.foreign?.format = .garmin }),
                (
                    "another area",
                    try offer { $0.boundingBox = BoundingBox(north: 2, south: 1, east: 2, west: 1) ?? .earth }
                ),
                ("another size", try offer { $0.fileSizeBytes += 1 }),
                ("no description", try offer { $0.foreign = nil }),
                ("a routing database", try offer { $0.hasRoutingData = true }),
                (
                    "tiles and a file",
                    try LyingSource(world.region.region, [.mbtiles: bytes, .foreign: bytes]) { $0.tileCount = 1 }
                ),
            ]
            for (what, lie) in lies {
                #expect(throws: RegionStoreError.self, "\(what)") { try Transfers.run(lie, to: world.receiver.sink()) }
            }
            #expect(try world.receiver.regions().isEmpty)
        }
    }

    /// Nobody knows the area of the file, whatever the sender says: the receiver reads the header.
    @Test func theReceiverReadsTheHeaderItself() async throws {
        try await Self.withWorld { world in
            let bytes = ForeignBytes.mapsforge()
            let source = try LyingSource(world.region.region, [.foreign: bytes]) { region in
                region.fileSizeBytes = Int64(bytes.count)
                region.boundingBox = .earth
                region.foreign?.hasArea = false
                region.mapDate = nil
            }
            try Transfers.run(source, to: world.receiver.sink())
            let region = try world.receiver.region(world.region.id)
            #expect(region.hasArea && region.boundingBox == world.region.boundingBox)
            #expect(region.mapDate == ForeignBytes.day)
        }
    }

    @Test func thePageHasTheFileAndNothingElseOfTheMap() async throws {
        try await Self.withWorld { world in
            let source = try world.sender.source(for: world.region.id)
            let downloads = try world.sender.downloads(of: source, fileName: { $0 }, includesPersonal: true)
            #expect(downloads.kinds == [.foreign, .gpx, .zip])
            downloads.prepare()
            #expect(downloads.state(of: .foreign) == .ready(size: world.region.mapSize))
            #expect(downloads.name(of: .foreign) == "andorra.map")
            #expect(downloads.name(of: .gpx) == "andorra.gpx")
            let (descriptor, size) = try downloads.open(.foreign)
            let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            #expect(size == world.region.mapSize)
            #expect(try file.readToEnd() == Data(ForeignBytes.mapsforge(rest: 300_000)))
            guard case .ready(let zipSize) = downloads.state(of: .zip) else {
                Issue.record("there is no ZIP file")
                return
            }
            #expect(zipSize > world.region.mapSize)
        }
    }
}
