import Foundation
import NIOCore
import PeerCore
import PeerTestSupport
import Synchronization
import Testing

/// Either side stops, at every stage.
@Suite(.timeLimit(.minutes(10))) struct CancellationTests {
    enum Side: CaseIterable, Sendable {
        case sender, receiver
    }

    enum Stage: CaseIterable, Sendable {
        case invited, offered, transferring
    }

    struct Case: Sendable {
        var side: Side
        var stage: Stage
        var encryption: EncryptionPreference
    }

    static let all = Side.allCases.flatMap { side in
        Stage.allCases.flatMap { stage in
            [EncryptionPreference.none, .required].map { Case(side: side, stage: stage, encryption: $0) }
        }
    }

    @Test(arguments: all) func bothSidesKnowWhoStopped(row: Case) async throws {
        let pair = try Pair(encryption: row.encryption)
        let source = try TransferTests.source(sizes: [20_000_000])
        let sink = MemorySink()
        let senderControl = TransferControl()
        let receiverControl = TransferControl()
        let stop: @Sendable (Stage) -> Void = { stage in
            guard stage == row.stage else { return }
            (row.side == .sender ? senderControl : receiverControl).cancel(reason: "a bear")
        }
        sink.state.withLock { $0.beforeWrite = { if $0 > 0 { stop(.transferring) } } }
        let outcome = try await pair.transfer(
            source,
            into: sink,
            senderControl: senderControl,
            receiverControl: receiverControl,
            decide: { offer in
                stop(.offered)
                if row.stage == .offered { await untilCancelled() }
                return .accept(offer.kinds)
            },
            invite: { _ in
                stop(.invited)
                if row.stage == .invited { await untilCancelled() }
                return .accept
            }
        )
        let received = peerError(outcome.received)
        let sent = peerError(outcome.sent?.result)
        let (stopped, told) = row.side == .sender ? (sent, received) : (received, sent)
        #expect(stopped?.code == .cancelled)
        #expect(told?.code == .peerCancelled)
        #expect(told?.message.contains("a bear") == true)
        #expect(!sink.snapshot.isCommitted)
        #expect(sink.snapshot.begun == (row.stage == .transferring ? 1 : 0))
        #expect(sink.snapshot.abandoned == sink.snapshot.begun)
    }

    @Test func aSenderStopsOneTransferAndGoesOnWithTheOthers() async throws {
        let pair = try Pair(encryption: .none)
        let source = try TransferTests.source(sizes: [2_000_000])
        let control = TransferControl()
        let (first, second) = (MemorySink(), MemorySink())
        let (asked, mark) = AsyncStream.makeStream(of: Void.self)
        try await pair.serving(source, control: control) { address, finished in
            async let stopped = outcome {
                try await pair.receive(from: address, into: first) { _ in
                    mark.yield()
                    await untilCancelled()
                    return .accept([])
                }
            }
            for await _ in asked { break }
            _ = try await pair.receive(from: address, into: second) { offer in
                #expect(control.cancel(transfer: 1, reason: "a bear"))
                #expect(peerError(await finished.next()?.result)?.code == .cancelled)
                return .accept(offer.kinds)
            }
            #expect(peerError(await stopped)?.code == .peerCancelled)
        }
        #expect(!first.snapshot.isCommitted)
        #expect(second.snapshot.isCommitted)
    }

    @Test func aReceiverTakesNoMoreTransfersThanItMay() async throws {
        var pair = try Pair(encryption: .none)
        pair.receiving.maximumReceptions = 1
        let source = try TransferTests.source(sizes: [1000])
        let receiver = TransferReceiver(local: pair.receiver, configuration: pair.receiving)
        let sink = MemorySink()
        try await pair.serving(source) { address, _ in
            for _ in 0..<2 {
                _ = try await receiver.receive(from: [address], into: sink) { offer in
                    let second = await outcome {
                        try await receiver.receive(from: [address], into: MemorySink()) { .accept($0.kinds) }
                    }
                    #expect(peerError(second)?.code == .busy)
                    return .accept(offer.kinds)
                }
            }
        }
        #expect(sink.snapshot.isCommitted)
    }

    @Test func aReceiverThatIsStoppedBeforehandDoesNotConnect() async throws {
        let pair = try Pair()
        let control = TransferControl()
        control.cancel(reason: "no")
        let address = try SocketAddress(ipAddress: "127.0.0.1", port: 9)
        let result = await outcome { try await pair.receive(from: address, into: MemorySink(), control: control) }
        #expect(peerError(result)?.code == .cancelled)
    }

    /// The check of a large map takes minutes; who stops the transfer does not wait for it.
    @Test func stoppingEndsTheWorkOnWhatHasArrived() async throws {
        let pair = try Pair()
        let source = try TransferTests.source(sizes: [100_000])
        let sink = CheckingSink()
        let control = TransferControl()
        try await pair.serving(source) { address, finished in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    let result = await outcome { try await pair.receive(from: address, into: sink, control: control) }
                    #expect(peerError(result)?.code == .cancelled)
                }
                await sink.check.waitUntilEntered()
                control.cancel(reason: "enough")
                #expect(peerError(await finished.next()?.result)?.code == .peerCancelled)
                #expect(sink.isStopped.value)
                // So that the test ends if that is not so.
                sink.check.open()
                try await group.waitForAll()
            }
        }
    }

    @Test func stoppingWorksWhileConnecting() async throws {
        var pair = try Pair()
        // Longer than the test may take.
        pair.receiving.connectTimeout = .seconds(3600)
        pair.receiving.connectingTimeout = .seconds(3600)
        let control = TransferControl()
        let (updates, continuation) = TransferUpdates.makeStream()
        let nowhere = try Nowhere()
        defer { nowhere.close() }
        try await withThrowingTaskGroup(of: Void.self) { [pair] group in
            group.addTask {
                let result = await outcome {
                    try await pair.receive(
                        from: nowhere.address,
                        into: MemorySink(),
                        control: control,
                        updates: continuation
                    )
                }
                #expect(peerError(result)?.code == .cancelled)
            }
            for await update in updates {
                if case .connection(.connecting) = update.event { control.cancel(reason: "enough") }
                if case .connection(.disconnected) = update.event { break }
            }
            try await group.waitForAll()
        }
    }

    @Test func aCancelledTaskEndsPromptlyAndTellsTheOtherSide() async throws {
        let pair = try Pair()
        let source = try TransferTests.source(sizes: [20_000_000])
        let sink = MemorySink()
        let gate = Gate()
        sink.state.withLock { $0.beforeWrite = { _ in gate.enter() } }
        try await pair.serving(source) { address, finished in
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    let result = await outcome { try await pair.receive(from: address, into: sink) }
                    #expect(peerError(result)?.code == .cancelled)
                }
                await gate.waitUntilEntered()
                group.cancelAll()
                gate.open()
                await group.waitForAll()
            }
            let code = peerError(await finished.next()?.result)?.code
            #expect(code == .peerCancelled || code == .connectionLost)
        }
        #expect(!sink.snapshot.isCommitted)
        #expect(sink.snapshot.abandoned == 1)
    }

    /// A farewell would wait behind the bulk data that is on its way: a second on a slow network.
    @Test func aSenderThatIsToldToStopSaysNoFarewell() async throws {
        var pair = try Pair()
        let token = ShareToken.random()
        pair.shareToken = token
        let source = try TransferTests.source(sizes: [20_000_000])
        try await pair.serving(source) { [pair] address, finished in
            try await RawPeer.connected(to: address, security: .encrypted(pair.receiverIdentity)) { peer in
                try await peer.greet(RawPeer.hello(pair.receiver.id, encryption: .required))
                try await peer.requestEverything(token: token)
                #expect(try await peer.waitForData())
                try await peer.send(.cancel(Cancellation(reason: "a bear")))
                await peer.waitForEnd()
                #expect(peer.isCutOff)
            }
            #expect(peerError(await finished.next()?.result)?.code == .peerCancelled)
        }
    }

    @Test func nothingMoreIsSentAfterACancel() async throws {
        var pair = try Pair(encryption: .none)
        pair.sending.lingerTimeout = .seconds(1)
        let source = try TransferTests.source(sizes: [20_000_000])
        let control = TransferControl()
        let (updates, updatesIn) = TransferUpdates.makeStream()
        try await pair.serving(source, control: control, updates: updatesIn) { [pair] address, finished in
            try await RawPeer.connected(to: address) { peer in
                try await peer.greet(RawPeer.hello(pair.receiver.id))
                // Nothing is read until the sender has stopped; all of it does not fit into what the kernel holds.
                try await peer.requestEverything { try await peer.channel.setOption(.autoRead, value: false).get() }
                for await update in updates { if case .transfer(.transferring) = update.event { break } }
                control.cancel(reason: "a bear")
                for await update in updates { if case .transfer(.cancelled) = update.event { break } }
                try await peer.channel.setOption(.autoRead, value: true).get()
                #expect(try await peer.next(.cancel) != nil)
                // What was on its way already still comes.
                #expect(await peer.bytesToEnd().readableBytes < 4 << 20)
            }
            let result = await finished.next()?.result
            #expect(peerError(result)?.code == .cancelled, "\(result as Any)")
        }
    }
}

/// Waits until the task is cancelled.
func untilCancelled() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    for await _ in stream {}
    continuation.finish()
}

/// A sink that checks what has arrived until it is told that nobody wants it.
private struct CheckingSink: ResourceSink, IncomingTransfer {
    let check = Gate()
    let isStopped = Locked(false)

    func examine(_ manifest: Manifest) throws {}

    func begin(
        _ manifest: Manifest,
        accepting kinds: Set<ResourceKind>,
        from peer: RemotePeer
    ) throws -> any IncomingTransfer { self }

    func write(_ buffers: [ByteBuffer], at offset: UInt64, of entry: ManifestEntry) throws {}

    func finish(_ entry: ManifestEntry) throws { check.enter() }

    func commit() throws -> TransferReceipt { TransferReceipt() }

    func stop() {
        isStopped.set(true)
        check.open()
    }

    func abandon() {}
}
