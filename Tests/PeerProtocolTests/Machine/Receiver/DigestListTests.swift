import FoundationEssentials
import PeerProtocol
import Testing

/// Lists of digests that come in several parts, as the receiver's machine and whole transfers see them.
@Suite struct DigestListTests {
    /// The chunks of resources whose lists have three parts, three full parts, and one.
    static let chunkCounts = [2500, 3072, 1]
    private static let kinds: [ResourceKind] = [.mbtiles, .routing, .waypoints]

    private static func digests(_ resource: Int) -> [ContentDigest] {
        (0..<chunkCounts[resource]).map { chunk in ContentDigest(hashing: Array("\(resource) \(chunk)".utf8)) }
    }

    private static func parts(_ resource: Int) -> [DigestListPart] {
        Array(DigestListPart.parts(of: digests(resource), resource: resource))
    }

    private static func entries() throws -> [ManifestEntry] {
        try zip(kinds, chunkCounts.indices).map { kind, resource in
            let size = UInt64(chunkCounts[resource]) * ChunkLayout.minimumChunkLength
            return ManifestEntry(
                name: ResourceName(kind: kind, id: Sample.id),
                layout: try #require(ChunkLayout(size: size)),
                digest: ContentDigest(resourceSize: size, chunkDigests: digests(resource))
            )
        }
    }

    /// A machine that awaits the lists of all resources but the last.
    private static func machine() throws -> ReceiverStateMachine {
        var machine = ReceiverStateMachine()
        _ = machine.start()
        let manifest = try Manifest(id: Sample.id, describing: Offer(id: Sample.id, name: "x"), entries: entries())
        _ = machine.receivedManifest(manifest.body)
        _ = machine.offerAccepted([.mbtiles, .routing])
        return machine
    }

    @Test func aListIsCompleteWithItsLastPart() throws {
        var machine = try Self.machine()
        for resource in [1, 0] {
            let parts = Self.parts(resource)
            #expect(parts.count == 3)
            for part in parts.dropLast() {
                #expect(!machine.isAwaitingData || part.first > 0)
                expect(machine.receivedDigests(part), equals: .none)
                #expect(machine.isAwaitingData)
            }
            expect(
                machine.receivedDigests(try #require(parts.last)),
                equals: .locateChunks(resource, Self.digests(resource))
            )
            #expect(!machine.isAwaitingData)
        }
    }

    @Test func otherFramesMayComeBetweenTheParts() throws {
        var machine = try Self.machine()
        for part in Self.parts(0) { _ = machine.receivedDigests(part) }
        let layout = try #require(try Self.entries().first?.layout)
        _ = machine.chunksLocated(0, missing: try #require(layout.runs(validating: [2499..<2500])))
        expect(machine.receivedDigests(Self.parts(1)[0]), equals: .none)
        let header = DataHeader(resource: 0, offset: 2499 * 16_384, length: 16_384)
        expect(machine.receivedWhole(header), equals: .keepAndStore(0))
        expect(machine.receivedDigests(Self.parts(1)[1]), equals: .none)
    }

    /// What comes after the first part of the list of resource 0.
    struct Wrong: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var part: DigestListPart
    }

    static let wrong: [Wrong] = [
        Wrong(testDescription: "the same part", part: parts(0)[0]),
        Wrong(testDescription: "the part after the next", part: parts(0)[2]),
        Wrong(testDescription: "a part of another list", part: parts(1)[0]),
        Wrong(testDescription: "the next part of another list", part: parts(1)[1]),
        Wrong(testDescription: "a list that is not wanted", part: parts(2)[0]),
        Wrong(
            testDescription: "one digest too few",
            part: DigestListPart(resource: 0, first: 1024, digests: parts(0)[1].digests.dropLast())
        ),
        Wrong(
            testDescription: "one digest too many",
            part: DigestListPart(resource: 0, first: 1024, digests: Array(digests(0)[1024..<2049]))
        ),
        Wrong(testDescription: "no digests", part: DigestListPart(resource: 0, first: 1024, digests: [])),
        Wrong(
            testDescription: "a place within the first part",
            part: DigestListPart(resource: 0, first: 1023, digests: parts(0)[1].digests)
        ),
        Wrong(
            testDescription: "the highest place",
            part: DigestListPart(resource: 0, first: Int(UInt32.max), digests: parts(0)[1].digests)
        ),
    ]

    @Test(arguments: wrong) func aPartThatIsNotTheNextEndsTheTransfer(wrong: Wrong) throws {
        var machine = try Self.machine()
        expect(machine.receivedDigests(Self.parts(0)[0]), equals: .none)
        guard case .end(.violated(let error)) = machine.receivedDigests(wrong.part) else {
            Issue.record("accepted")
            return
        }
        #expect(error.code == .unexpectedFrame)
        expect(machine.receivedDigests(Self.parts(0)[1]), equals: .none)
    }

    @Test(arguments: [1, 2]) func aListBeginsWithItsFirstPart(part: Int) throws {
        var machine = try Self.machine()
        guard case .end(.violated(let error)) = machine.receivedDigests(Self.parts(0)[part]) else {
            Issue.record("accepted")
            return
        }
        #expect(error.code == .unexpectedFrame)
    }

    @Test func aPartTooManyEndsTheTransfer() throws {
        var machine = try Self.machine()
        for part in Self.parts(1) { _ = machine.receivedDigests(part) }
        let more = DigestListPart(resource: 1, first: 3072, digests: [])
        guard case .end(.violated(let error)) = machine.receivedDigests(more) else {
            Issue.record("accepted")
            return
        }
        #expect(error.code == .unexpectedFrame)
    }

    @Test(arguments: [0, 1, 2]) func aWrongDigestInAnyPartEndsTheTransfer(place: Int) throws {
        var machine = try Self.machine()
        var parts = Self.parts(0)
        parts[place].digests[3] = ContentDigest(hashing: [1])
        for part in parts.dropLast() { expect(machine.receivedDigests(part), equals: .none) }
        guard case .end(.violated(let error)) = machine.receivedDigests(parts[2]) else {
            Issue.record("accepted")
            return
        }
        #expect(error.code == .digestMismatch)
    }

    @Test func theEndIsNotTheEndOfAList() throws {
        var machine = try Self.machine()
        _ = machine.receivedDigests(Self.parts(0)[0])
        guard case .end(.violated(let error)) = machine.receivedDone(Completion(id: Sample.id)) else {
            Issue.record("accepted")
            return
        }
        #expect(error.code == .unexpectedFrame)
    }

    @Test func aResourceOfManyChunksCrosses() throws {
        var bytes = [UInt8](repeating: 7, count: 2050 * 16_384 - 5)
        for chunk in 0..<2050 { bytes[chunk * 16_384] = UInt8(chunk % 256) }
        let missing: Set = [0, 1023, 1024, 2047, 2048, 2049]
        var script = TransferPair.Script()
        script.present = [0: Set(0..<2050).subtracting(missing)]
        (script.pieceLength, script.mtu) = (1 << 20, 1 << 20)
        let resource = SampleResource(.mbtiles, bytes)
        var pair = try TransferPair([resource, Sample.waypoints], script)
        try pair.drive()
        #expect(pair.receiver.hasCommitted)
        #expect(pair.sender.wire.sentFrames.filter { $0 == .digests }.count == 4)
        let expected = missing.sorted().flatMap { resource.bytes(in: resource.layout.byteRange(of: $0..<$0 + 1)) }
        #expect(pair.receiver.bytes(of: 0) == expected)
    }
}
