import Foundation
import GRDB
import NIOCore
import PeerCore
import PeerTestSupport
import RegionTestSupport
import Testing

@testable import MapFiles
@testable import RegionStore

/// Regions that go from one store to another by a stick.
@Suite(.timeLimit(.minutes(10))) struct StickTests {
    private static let anna = try? PeerIdentity.known(by: "Anna", for: PeerServiceType(validating: "hikeshare"))
    private static let ben = try? PeerIdentity.known(by: "Ben", for: PeerServiceType(validating: "hikeshare"))

    /// Two stores, of which the second has an older version of the region of the first one, and a folder for a stick.
    fileprivate struct Trip {
        let pair: RegionTransferTests.Pair
        let folder: String

        var region: RegionSummary { pair.region }

        init(in directory: TemporaryDirectory) throws {
            pair = try RegionTransferTests.Pair(in: directory)
            folder = directory.path("stick")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }

        /// Gives the receiver the region, and changes some tiles and an item at the sender.
        func update(_ directory: TemporaryDirectory, tiles: [Int] = [3, 7]) throws {
            try Transfers.run(try pair.sender.source(for: region.id), to: pair.receiver.sink())
            var map = MapFile.small(seed: 1)
            for index in tiles { map.tiles[index].data?.append(7) }
            try map.write(to: directory.path("newer.mbtiles")).close()
            try pair.sender.importMap(at: directory.path("newer.mbtiles"), updating: region.id)
            try pair.sender.add([try Items.waypoint(label: "New spring")], to: region.id)
        }

        func request() throws -> StickRequest {
            let identity = try #require(ben)
            return try pair.receiver.writeStickRequest(to: folder, name: "Ben") { try identity.sign($0) }.request
        }

        /// Writes the region of the sender; returns the path.
        @discardableResult
        func write(_ recipient: StickWriter.Recipient, as name: String = "a") throws -> String {
            let identity = try #require(anna)
            let path = "\(folder)/\(name).stick"
            let sender = StickWriter.Sender(name: "Anna") { try identity.sign($0) }
            try StickWriter.write(to: path, try pair.sender.source(for: region.id), for: recipient, from: sender)
            return path
        }

        func open(_ path: String, _ secret: StickSecret? = nil, by store: RegionStore? = nil) throws -> StickReader? {
            try StickReader(path, with: StickReader.Keys(of: store ?? pair.receiver, secret: secret))
        }

        /// Receives everything in a file; returns how many bytes came.
        @discardableResult
        func receive(_ path: String, _ secret: StickSecret? = nil, by store: RegionStore? = nil) throws -> UInt64 {
            var reader = try #require(try open(path, secret, by: store))
            let kinds = Set(reader.manifest.entries.map(\.kind))
            let peer = RemotePeer.called(reader.senderName, id: reader.sender)
            return try reader.receive(into: (store ?? pair.receiver).sink(), accepting: kinds, from: peer).byteCount
        }

        /// Whether both stores have the same region.
        func expectSame(_ store: RegionStore? = nil, location: SourceLocation = #_sourceLocation) throws {
            let store = store ?? pair.receiver
            let (theirs, ours) = (try pair.sender.region(region.id), try store.region(region.id))
            #expect(ours.mapDigest == theirs.mapDigest, sourceLocation: location)
            #expect(ours.routingDigest == theirs.routingDigest, sourceLocation: location)
            #expect(ours.waypointCount == theirs.waypointCount && ours.hikeCount == theirs.hikeCount)
            #expect(ours.signature == theirs.signature)
            #expect(try store.history(limit: 1).first?.partner.id == anna?.id, sourceLocation: location)
        }
    }

    private static func withTrip(_ body: (TemporaryDirectory, Trip) throws -> Void) async throws {
        try await TemporaryDirectory.with { directory in try body(directory, try Trip(in: directory)) }
    }

    // MARK: There and back

    @Test func anUpdateBringsTheDifference() async throws {
        try await Self.withTrip { directory, trip in
            try trip.update(directory)
            let request = try trip.request()
            #expect(request.name == "Ben" && request.signer == Self.ben?.id && request.pieces.count == 21)
            let path = try trip.write(.machine(try StickRequest(readingFile: trip.requestPath())))
            let reader = try #require(try trip.open(path))
            #expect(reader.senderName == "Anna" && reader.sender == Self.anna?.id && !reader.isForAnyone)
            let map = try trip.pair.sender.region(trip.region.id).mapSize
            let count = try trip.receive(path)
            #expect(count < map, "\(count) of \(map)")
            try trip.expectSame()
            // The routing database is the same, and two of 21 tiles differ.
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? UInt64 ?? .max
            #expect(size < map / 2 + 60_000, "\(size) of \(map)")
            // Once more changes nothing.
            let before = try StoreState(of: trip.pair.receiver)
            try trip.receive(path)
            #expect(try StoreState(of: trip.pair.receiver) == before)
        }
    }

    @Test func aStoreWithoutTheRegionGetsAllOfIt() async throws {
        try await Self.withTrip { directory, trip in
            try trip.receive(try trip.write(.machine(try trip.request())))
            try trip.expectSame()
            // And whoever has the link.
            let secret = StickSecret()
            let read = try #require(StickSecret(text: " " + secret.text.lowercased() + "\n"))
            let path = try trip.write(.anyone(secret), as: "b")
            let third = try RegionStore(path: directory.path("third"))
            #expect(try trip.open(path, by: third) == nil)
            try trip.receive(path, read, by: third)
            try trip.expectSame(third)
            let error = #expect(throws: RegionStoreError.self) { try trip.open(path, StickSecret(), by: third) }
            #expect(error?.message.contains("This link does not open") == true)
        }
    }

    /// Maps of different areas have tiles in common, such as those with nothing but water.
    @Test func aTileOfAMapOfAnotherAreaIsFound() async throws {
        try await Self.withTrip { directory, trip in
            let known = MapFile.small(seed: 1)
            var elsewhere = MapFile.small(seed: 9).without("bounds", "name")
            elsewhere.metadata.append(("name", "Elsewhere"))
            for index in elsewhere.tiles.indices {
                elsewhere.tiles[index].column -= 40 << (elsewhere.tiles[index].zoomLevel - 10)
                if index.isMultiple(of: 2) { elsewhere.tiles[index].data = known.tiles[index].data }
            }
            try elsewhere.write(to: directory.path("elsewhere.mbtiles")).close()
            let other = try trip.pair.receiver.importMap(at: directory.path("elsewhere.mbtiles")).region
            #expect(!other.boundingBox.overlaps(trip.region.boundingBox))
            let request = try trip.request()
            #expect(request.pieces.count == 21)
            try trip.receive(try trip.write(.machine(request)))
            try trip.expectSame()
        }
    }

    @Test func whatIsNotAcceptedIsPassedOver() async throws {
        try await Self.withTrip { directory, trip in
            try trip.update(directory)
            let path = try trip.write(.machine(try trip.request()))
            var reader = try #require(try trip.open(path))
            let before = try trip.pair.receiver.region(trip.region.id)
            let peer = RemotePeer.called("Anna", id: reader.sender)
            let taken = try reader.receive(into: trip.pair.receiver.sink(), accepting: [.waypoints], from: peer)
            #expect(taken.receipt.imported["waypoints"] == 1)
            let after = try trip.pair.receiver.region(trip.region.id)
            #expect(after.mapDigest == before.mapDigest && after.waypointCount == before.waypointCount + 1)
        }
    }

    // MARK: Old sticks

    @Test func aReplacedOrUsedRequestOpensNothing() async throws {
        try await Self.withTrip { directory, trip in
            let first = try trip.write(.machine(try trip.request()))
            let second = try trip.write(.machine(try trip.request()), as: "b")
            #expect(try trip.open(first) == nil)
            #expect(try trip.open(second) != nil)
            #expect(try trip.open(second, by: trip.pair.sender) == nil)
            try trip.pair.receiver.closeStickRequest()
            #expect(try trip.open(second) == nil)
            // The person is told only of a request that something could be sealed for.
            let identity = try #require(Self.ben)
            for isReplacement in [false, true] {
                let written = try trip.pair.receiver.writeStickRequest(to: trip.folder, name: "Ben") {
                    try identity.sign($0)
                }
                #expect(written.isReplacement == isReplacement)
            }
        }
    }

    /// The store has lost what the writer took for granted.
    @Test func aStickThatLacksSomethingNowIsSaidToBeOld() async throws {
        try await Self.withTrip { directory, trip in
            try trip.update(directory)
            let path = try trip.write(.machine(try trip.request()))
            _ = try trip.pair.receiver.remove(trip.region.id)
            let before = try StoreState(of: trip.pair.receiver)
            let error = #expect(throws: RegionStoreError.self) { try trip.receive(path) }
            #expect(error?.code == .conflict && error?.message.contains("since the request was written") == true)
            #expect(try StoreState(of: trip.pair.receiver).regions == before.regions)
        }
    }

    // MARK: Damage

    @Test func aFileThatWasCutOffOrChangedIsRefusedAndNothingIsLost() async throws {
        try await Self.withTrip { directory, trip in
            try trip.update(directory)
            let path = try trip.write(.machine(try trip.request()))
            let whole = try Data(contentsOf: URL(fileURLWithPath: path))
            let before = try StoreState(of: trip.pair.receiver)
            var generator = SeededGenerator(seed: 4)
            func expectRefused(_ bytes: Data, _ what: String) throws {
                try bytes.write(to: URL(fileURLWithPath: path))
                do {
                    guard let reader = try trip.open(path) else { return }
                    _ = reader
                    try trip.receive(path)
                    Issue.record("\(what) was received")
                } catch let error as RegionStoreError {
                    #expect(error.code == .invalidFile, "\(what): \(error)")
                }
            }
            for length in [0, 1, 8, 104, 105, 106, 121, 300, whole.count / 2, whole.count - 16, whole.count - 1] {
                try expectRefused(whole.prefix(length), "a file of \(length) bytes")
            }
            try expectRefused(whole + [0], "a longer file")
            for _ in 0..<40 {
                var changed = whole
                let index = Int.random(in: 0..<whole.count, using: &generator)
                changed[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
                try expectRefused(changed, "a changed byte at \(index)")
            }
            #expect(try StoreState(of: trip.pair.receiver) == before)
            try whole.write(to: URL(fileURLWithPath: path))
            try trip.receive(path)
            try trip.expectSame()
        }
    }

    /// A person can pass on which rule a file breaks.
    @Test func theErrorOfAFileNamesTheRuleThatItBreaks() async throws {
        try await Self.withTrip { _, trip in
            let path = try trip.write(.machine(try trip.request()))
            try Data("no stick".utf8).write(to: URL(fileURLWithPath: path))
            let opening = #expect(throws: RegionStoreError.self) { try trip.open(path) }
            #expect(opening?.message.contains("changed: it does not begin as a sealed map does.") == true)
            let manifest = try trip.pair.sender.source(for: trip.region.id).manifest
            let kinds = Set(manifest.entries.map(\.kind))
            let sink = trip.pair.receiver.sink()
            let peer = RemotePeer.called("Anna", id: try #require(Self.anna).id)
            let outputs: [(FrameDecoder.Output, String)] = [
                (.preface, "it begins twice"),
                (.frame(.accept), "it has a part of the type “accept”"),
                (.frame(.request(ChunkRequest(resource: 0, runs: []))), "a list of digests is missing"),
                (.data(ByteBuffer(bytes: [1])), "a list of digests is missing"),
                (.frame(.done(Completion(id: UUID()))), "it ends as another map does"),
            ]
            for (output, rule) in outputs {
                let transfer = try sink.begin(manifest, accepting: kinds, from: peer)
                defer { transfer.abandon() }
                var reception = StickReception(manifest, kinds, sink, transfer)
                let error = #expect(throws: RegionStoreError.self) { _ = try reception.take(output) }
                #expect(error?.code == .invalidFile && error?.message.contains(rule) == true, "\(rule)")
            }
        }
        let failure = ProtocolError(.digestMismatch, "The received data does not match its digest (chunk 3).")
        let error = StickFile.damaged(failure)
        #expect(error.message.contains("its data do not match their digests"))
        #expect(error.cause as? ProtocolError == failure)
    }

    /// Nobody is asked about a file without its end.
    @Test func aFileThatWasCutOffIsNoOffer() async throws {
        try await Self.withTrip { _, trip in
            let secret = StickSecret()
            let path = try trip.write(.anyone(secret))
            let whole = try Data(contentsOf: URL(fileURLWithPath: path))
            let (piece, header) = (SealedStream.sealedLength, StickHeader.length)
            try #require(whole.count > header + piece + 2, "\(whole.count)")
            // Less than the first piece could also be opened by another link.
            for length in [header + piece + 1, header + piece + 17, whole.count - 1] {
                try whole.prefix(length).write(to: URL(fileURLWithPath: path))
                let error = #expect(throws: RegionStoreError.self, "\(length) bytes") { try trip.open(path, secret) }
                #expect(error?.message == StickFile.cutOff.message, "\(length) bytes")
            }
            try whole.write(to: URL(fileURLWithPath: path))
            #expect(try trip.open(path, secret) != nil)
        }
    }

    /// The card of another file, or of another offer, proves nothing.
    @Test func theSenderIsProvedForThisFileAndThisOffer() async throws {
        try await Self.withTrip { directory, trip in
            let identity = try #require(Self.anna)
            let sender = StickWriter.Sender(name: "Anna") { try identity.sign($0) }
            let (header, _) = StickHeader.sealing(by: StickSecret())
            let (other, _) = StickHeader.sealing(by: StickSecret())
            let manifest = try trip.pair.sender.source(for: trip.region.id).manifest
            let card = try StickCard(sender, of: manifest, in: header)
            #expect(card.isValid(for: manifest, in: header))
            #expect(StickCard(card.bytes)?.isValid(for: manifest, in: header) == true)
            #expect(!card.isValid(for: manifest, in: other))
            let changed = try trip.pair.sender.source(for: trip.region.id, kinds: [.mbtiles]).manifest
            #expect(!card.isValid(for: changed, in: header))
            for count in card.bytes.indices { #expect(StickCard(Array(card.bytes.prefix(count))) == nil) }
            // A file for anyone names no request.
            var bytes = header.bytes
            #expect(StickHeader(bytes) != nil)
            bytes[9] = 1
            #expect(StickHeader(bytes) == nil)
        }
    }

    @Test func aRequestThatWasChangedIsRefused() async throws {
        try await Self.withTrip { directory, trip in
            try trip.update(directory)
            _ = try trip.request()
            let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: trip.requestPath())))
            #expect(try StickRequest(parsing: bytes).signer == Self.ben?.id)
            for index in bytes.indices {
                var changed = bytes
                changed[index] ^= 1
                #expect(throws: RegionStoreError.self) { try StickRequest(parsing: changed) }
            }
            for count in bytes.indices {
                #expect(throws: RegionStoreError.self) { try StickRequest(parsing: Array(bytes.prefix(count))) }
            }
        }
    }

    /// A machine that signs what is not possible.
    @Test func aRequestThatIsNotPossibleIsRefused() throws {
        let identity = try #require(Self.ben)
        func parse(_ body: [UInt8]) throws -> StickRequest {
            let start = Array("Stick request 1\n".utf8) + body
            let signature = try identity.sign(start)
            return try StickRequest(parsing: start + signature.key + signature.bytes)
        }
        let name: [UInt8] = [3] + Array("Ben".utf8)
        let time: [UInt8] = [0, 0, 0, 0, 0x6A, 0, 0, 0]
        let key = [UInt8](repeating: 1, count: 64)
        let none: [UInt8] = [0, 0, 0, 0]
        let two: [UInt8] = [0, 0, 0, 2]
        #expect(try parse(name + time + key + none + none).pieces.isEmpty)
        for body in [
            [64] + [UInt8](repeating: 65, count: 64) + time + key + none + none,
            [1, 0xFF] + time + key + none + none,
            name + [UInt8](repeating: 0xFF, count: 8) + key + none + none,
            name + time + key + [0xFF, 0xFF, 0xFF, 0xFF] + none,
            name + time + key + none + [0xFF, 0xFF, 0xFF, 0xFF],
            name + time + key + none + two + [UInt8](repeating: 0, count: 16),
            name + time + key + none + none + [0],
        ] as [[UInt8]] {
            #expect(throws: RegionStoreError.self) { try parse(body) }
        }
        // A key that is no point of the curve seals nothing.
        let bad = try parse(name + time + key + none + none)
        #expect(throws: RegionStoreError.self) { _ = try StickHeader.sealing(for: bad) }
    }

    @Test func anExistingFileStaysAndAFailureLeavesNone() async throws {
        try await Self.withTrip { directory, trip in
            let secret = StickSecret()
            let path = try trip.write(.anyone(secret))
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            #expect(throws: RegionStoreError.self) { try trip.write(.anyone(secret)) }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
            struct Refusal: Error {}
            let source = try trip.pair.sender.source(for: trip.region.id)
            let sender = StickWriter.Sender(name: "Anna") { _ in throw Refusal() }
            #expect(throws: Refusal.self) {
                try StickWriter.write(to: trip.folder + "/b.stick", source, for: .anyone(secret), from: sender)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: trip.folder) == ["a.stick"])
        }
    }

    @Test(arguments: ["", "STICK:", "STICK:ABC", String(repeating: "U", count: 52), String(repeating: "0", count: 53)])
    func whatIsNoSecretIsNone(text: String) {
        #expect(StickSecret(text: text) == nil)
    }
}

extension StickTests.Trip {
    fileprivate func requestPath() throws -> String {
        try #require(try StickFile.paths(in: folder, StickFile.requestSuffix).first)
    }
}
