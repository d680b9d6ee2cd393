import Foundation
import PeerCore
import PeerTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct TransferTests {
    static let kinds: [ResourceKind] = [.mbtiles, .routing, .savedroutes, .plannedroutes, .waypoints]

    static func source(sizes: [Int], seed: UInt64 = 7) throws -> MemorySource {
        var generator = SeededGenerator(seed: seed)
        return try MemorySource(zip(kinds, sizes).map { ($0, generator.bytes($1)) })
    }

    @Test(arguments: [EncryptionPreference.required, .optional, .none])
    func allKindsArriveWhole(encryption: EncryptionPreference) async throws {
        let source = try Self.source(sizes: [3_000_001, 100_000, 5, 16_384, 16_385])
        let sink = MemorySink()
        let outcome = try await Pair(encryption: encryption).transfer(source, into: sink)
        let result = try outcome.received.get()
        #expect(result.receipt.imported["mbtiles"] == 3_000_001)
        #expect(result.bytesTransferred == source.manifest.totalSize)
        for kind in Self.kinds {
            #expect(sink.snapshot.committed?[kind] == source.bytes(kind))
        }
        let sent = try #require(outcome.sent)
        #expect(try sent.result.get() == result.receipt)
        #expect(sent.bytesTransferred == source.manifest.totalSize)
        #expect(result.peer?.security == .plainText ? encryption == .none : encryption != .none)
    }

    @Test func theSenderLearnsWhichKindsTheReceiverDoesNotUnderstand() async throws {
        let source = try Self.source(sizes: [100_000, 10, 20])
        let sink = MemorySink()
        sink.state.withLock { $0.notUnderstood = [.savedroutes] }
        let outcome = try await Pair().transfer(source, into: sink) { .accept($0.kinds.subtracting([.savedroutes])) }
        #expect(try outcome.received.get().receipt.imported == ["mbtiles": 100_000, "routing": 10])
        #expect(outcome.sent?.unknownKinds == [.savedroutes])
    }

    @Test(arguments: [0, 1, 16_383, 16_384, 16_385, 65_536, 1_000_000])
    func aMapOfAnySizeArrivesWhole(size: Int) async throws {
        let source = try Self.source(sizes: [size])
        let sink = MemorySink()
        let outcome = try await Pair().transfer(source, into: sink)
        #expect(try outcome.received.get().receipt.imported == ["mbtiles": size])
        #expect(sink.snapshot.committed?[.mbtiles] == source.bytes(.mbtiles))
    }
}
