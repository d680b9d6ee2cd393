import Foundation
import Logging
import NIOCore
import NIOPosix
import PeerCore
import PeerTestSupport
import Testing

/// Bulk data over several connections of one transfer.
@Suite(.timeLimit(.minutes(10))) struct LaneTests {
    private static let both = [EncryptionPreference.none, .required]

    private func pair(_ encryption: EncryptionPreference = .required, lanes: Int = 3) throws -> Pair {
        var pair = try Pair(encryption: encryption)
        pair.sending.lanes = .always(lanes)
        return pair
    }

    /// Holds up the main connection until a lane has brought so much: alone, it would have done all before lanes come.
    private func mainWaits(untilLanesBring wanted: Int) -> @Sendable (Int, Int) -> Void {
        let gate = Gate()
        return { connection, count in
            if connection > 0 {
                if count > wanted { gate.open() }
            } else if count > 1_000_000 {
                gate.enter()
            }
        }
    }

    /// Runs a transfer through a relay.
    private func transfer(
        _ pair: Pair,
        _ source: any ResourceSource,
        into sink: MemorySink,
        control: TransferControl = TransferControl(),
        senderControl: TransferControl = TransferControl(),
        fate: @escaping @Sendable (Int) -> LaneRelay.Fate = { _ in .passes },
        counted: @escaping @Sendable (Int, Int) -> Void = { _, _ in },
        then check: (LaneRelay) async throws -> Void = { _ in }
    ) async throws -> Pair.Outcome {
        try await pair.serving(source, control: senderControl) { address, finished in
            try await LaneRelay.with(toPort: try #require(address.port), fate: fate, counted: counted) {
                relay,
                port in
                let front = try SocketAddress(ipAddress: "127.0.0.1", port: port)
                let received = await outcome { try await pair.receive(from: front, into: sink, control: control) }
                let sent = await finished.next()
                await relay.waitUntilAllEnded()
                try await check(relay)
                return Pair.Outcome(received: received, sent: sent)
            }
        }
    }

    @Test(arguments: both) func everyResourceArrivesWholeOverLanes(encryption: EncryptionPreference) async throws {
        let source = try TransferTests.source(sizes: [60_000_001, 3_000_000, 5, 0, 16_385])
        let sink = MemorySink()
        let outcome = try await transfer(
            try pair(encryption),
            source,
            into: sink,
            counted: mainWaits(untilLanesBring: 1_000_000),
            then: { #expect($0.acceptedCount > 3) }
        )
        #expect(try outcome.received.get().bytesTransferred == source.manifest.totalSize)
        #expect(outcome.sent?.bytesTransferred == source.manifest.totalSize)
        for kind in TransferTests.kinds {
            #expect(sink.snapshot.committed?[kind] == source.bytes(kind))
        }
        // Lanes are no transfers of their own.
        #expect(outcome.sent?.transfer == 1)
    }

    /// What a transfer sends on another thread could be overtaken by what it sends next on its own.
    @Test func lanesMoveNothingOfTheirTransferToOtherThreads() async throws {
        let entries = Locked<[LogEntry]>([])
        var pair = try pair(.none, lanes: 7)
        pair.senderLogger = .recording(in: entries)
        let outcome = try await transfer(
            pair,
            try TransferTests.source(sizes: [20_000_000, 20_000_000]),
            into: MemorySink(),
            fate: { _ in
                // Both sides take the next event loop in turn, so the sender would have the same one for all its connections.
                _ = MultiThreadedEventLoopGroup.singleton.next()
                return .passes
            },
            counted: mainWaits(untilLanesBring: 100_000)
        )
        _ = try outcome.received.get()
        let opened = entries.value.filter { $0.message == "lane opened" }
        #expect(opened.count > 1)
        let asked = try #require(entries.value.first { $0.message == "lanes requested" })
        #expect(opened.allSatisfy { $0.eventLoop == asked.eventLoop })
    }

    /// In plain text every connection sends from the file itself.
    @Test(arguments: both) func aFileArrivesWholeOverLanes(encryption: EncryptionPreference) async throws {
        try await FileTransferTests.withFile(size: 65_000_001) { source, _ in
            let sink = MemorySink()
            let outcome = try await pair(encryption, lanes: 7).transfer(source, into: sink)
            #expect(try outcome.received.get().bytesTransferred == 65_000_001)
            #expect(sink.snapshot.committed?[.mbtiles] == source.base.bytes(.mbtiles))
        }
    }

    @Test(arguments: both) func onlyMissingChunksCrossOverLanes(encryption: EncryptionPreference) async throws {
        let source = try TransferTests.source(sizes: [20_000_000])
        let sink = MemorySink()
        var there = try #require(source.bytes(.mbtiles))
        for chunk in stride(from: 0, to: 20_000_000 / 16_384, by: 3) { there[chunk * 16_384 + 7] ^= 1 }
        sink.state.withLock { [there] in $0.alreadyThere[.mbtiles] = there }
        let outcome = try await transfer(try pair(encryption), source, into: sink)
        let result = try outcome.received.get()
        #expect(result.bytesTransferred == 16_384 * 407)
        #expect(sink.snapshot.committed?[.mbtiles] == source.bytes(.mbtiles))
    }

    /// Nothing is lost with a lane: what it had is asked for again, and only that.
    @Test(arguments: both) func lanesThatBreakLoseNothing(encryption: EncryptionPreference) async throws {
        let source = try TransferTests.source(sizes: [60_000_000, 1_000_000])
        let sink = MemorySink()
        let outcome = try await transfer(
            try pair(encryption),
            source,
            into: sink,
            fate: { $0 == 0 ? .passes : .endsAfter(100_000 * $0) },
            counted: mainWaits(untilLanesBring: 100_000)
        )
        #expect(try outcome.received.get().bytesTransferred == source.manifest.totalSize)
        #expect(sink.snapshot.committed?[.mbtiles] == source.bytes(.mbtiles))
        #expect(sink.snapshot.committed?[.routing] == source.bytes(.routing))
    }

    /// A lane on a dead path holds up nobody for longer than the silence that is allowed.
    @Test func lanesThatStandStillAreGivenUp() async throws {
        let source = try TransferTests.source(sizes: [40_000_000])
        let sink = MemorySink()
        var pair = try pair()
        for side in [\Pair.sending, \Pair.receiving] {
            pair[keyPath: side].keepAliveInterval = .milliseconds(500)
            pair[keyPath: side].silenceTimeout = .seconds(10)
        }
        let outcome = try await transfer(
            pair,
            source,
            into: sink,
            fate: { $0 == 0 ? .passes : .holdsAfter(200_000) }
        )
        #expect(try outcome.received.get().bytesTransferred == source.manifest.totalSize)
        #expect(sink.snapshot.committed?[.mbtiles] == source.bytes(.mbtiles))
    }

    @Test func lanesThatCannotBeOpenedAreDoneWithout() async throws {
        let source = try TransferTests.source(sizes: [10_000_000])
        let sink = MemorySink()
        let outcome = try await transfer(
            try pair(),
            source,
            into: sink,
            fate: { $0 == 0 ? .passes : .endsAfter(0) }
        )
        #expect(try outcome.received.get().bytesTransferred == source.manifest.totalSize)
        #expect(sink.snapshot.committed?[.mbtiles] == source.bytes(.mbtiles))
    }

    /// Why both: each side may be the one that does not know lanes.
    @Test(arguments: [true, false]) func aPeerWithoutLanesGetsEverythingOverOne(isReceiver: Bool) async throws {
        let source = try TransferTests.source(sizes: [10_000_000])
        let sink = MemorySink()
        var pair = try pair()
        if isReceiver { pair.receiving.lanes = .never } else { pair.sending.lanes = .never }
        let outcome = try await transfer(pair, source, into: sink, then: { #expect($0.acceptedCount == 1) })
        #expect(try outcome.received.get().bytesTransferred == source.manifest.totalSize)
    }

    /// The relay sees that no connection is left.
    @Test(arguments: [true, false], both)
    func aCancellationEndsAllLanes(isSender: Bool, encryption: EncryptionPreference) async throws {
        let source = try TransferTests.source(sizes: [40_000_000])
        let sink = MemorySink()
        let (control, senderControl) = (TransferControl(), TransferControl())
        sink.state.withLock {
            $0.beforeWrite = { if $0 > 4_000_000 { (isSender ? senderControl : control).cancel(reason: "a bear") } }
        }
        let outcome = try await transfer(
            try pair(encryption, lanes: 7),
            source,
            into: sink,
            control: control,
            senderControl: senderControl,
            counted: mainWaits(untilLanesBring: 100_000),
            then: { #expect($0.acceptedCount > 1) }
        )
        #expect(peerError(outcome.received)?.code == (isSender ? .peerCancelled : .cancelled))
        #expect(peerError(outcome.sent?.result)?.code == (isSender ? .cancelled : .peerCancelled))
        #expect(!sink.snapshot.isCommitted)
        #expect(sink.snapshot.abandoned == 1)
    }

    /// The main connection is the transfer.
    @Test func lanesEndWithTheMainConnection() async throws {
        let source = try TransferTests.source(sizes: [40_000_000])
        let sink = MemorySink()
        let outcome = try await transfer(
            try pair(),
            source,
            into: sink,
            fate: { $0 == 0 ? .endsAfter(2_000_000) : .passes }
        )
        #expect(peerError(outcome.received)?.code == .connectionLost)
        #expect(!sink.snapshot.isCommitted)
    }

    @Test func wrongDataOnALaneEndTheTransfer() async throws {
        let base = try TransferTests.source(sizes: [20_000_000])
        var wrong = try #require(base.bytes(.mbtiles))
        for position in stride(from: 10_000_000, to: 20_000_000, by: 16_384) { wrong[position] ^= 1 }
        let source = AlteredSource(base: base) { [wrong] _ in .bytes(Data(wrong)) }
        let sink = MemorySink()
        let outcome = try await transfer(try pair(), source, into: sink)
        #expect(peerError(outcome.received)?.code == .verificationFailed)
        #expect(!sink.snapshot.isCommitted)
    }
}
