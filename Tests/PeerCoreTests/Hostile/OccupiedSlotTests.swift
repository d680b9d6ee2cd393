import Foundation
import NIOCore
import PeerCore
import Synchronization
import Testing

/// Peers that occupy the places of a sender.
@Suite(.serialized, .timeLimit(.minutes(10))) struct OccupiedSlotTests {
    @Test(arguments: [EncryptionPreference.none, .required])
    func connectionsThatSayNothingDoNotKeepAnHonestReceiverOut(encryption: EncryptionPreference) async throws {
        let pair = try Pair(encryption: encryption)
        let source = try TransferTests.source(sizes: [200_000])
        let sink = MemorySink()
        try await pair.serving(source) { address, _ in
            try await withThrowingTaskGroup(of: Void.self) { group in
                let (sentAway, mark) = AsyncStream.makeStream(of: Void.self)
                for _ in 0..<200 {
                    group.addTask {
                        defer { mark.yield() }
                        do {
                            try await RawPeer.connected(to: address) { await $0.waitForEnd() }
                        } catch let error as IOError where error.errnoCode == ECONNRESET {
                            // On a busy machine, it can be sent away while it is still being opened.
                        } catch {
                            if !Task.isCancelled { Issue.record(error) }
                        }
                    }
                }
                // When so many have been sent away, all have been let in before.
                var count = 0
                for await _ in sentAway {
                    count += 1
                    if count == 200 - pair.sending.maximumConnectionsPerAddress { break }
                }
                _ = try await pair.receive(from: address, into: sink)
                group.cancelAll()
            }
        }
        #expect(sink.snapshot.committed?[.mbtiles] == source.bytes(.mbtiles))
    }

    @Test func aTransferIsNeverMadeRoomOf() async throws {
        var pair = try Pair(encryption: .none)
        pair.sending.maximumConnections = 2
        let source = try TransferTests.source(sizes: [200_000])
        let sink = MemorySink()
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        try await pair.serving(source) { [pair] address, finished in
            async let result = pair.receive(from: address, into: sink) { offer in
                open.yield()
                for _ in 0..<5 {
                    // Each makes room of the one before it, never of the transfer.
                    try await RawPeer.connected(to: address) { peer in
                        await peer.send(Preface.hikeshare.bytes)
                        guard try await peer.next(.hello) != nil else { throw ScriptError("no hello") }
                    }
                }
                return .accept(offer.kinds)
            }
            for await _ in gate { break }
            _ = try await result
        }
        #expect(sink.snapshot.committed?[.mbtiles] == source.bytes(.mbtiles))
    }
}
