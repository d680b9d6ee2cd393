import Foundation
import Logging
import NIOCore
import PeerCore
import PeerTestSupport
import Testing

/// What the other side is told when the program that runs a transfer ends.
@Suite(.timeLimit(.minutes(10))) struct StoppedProgramTests {
    /// A source whose first digests take until they are released.
    private struct HeldSource: ResourceSource {
        let source: MemorySource
        let begun: AsyncStream<Void>.Continuation
        let release = DispatchSemaphore(value: 0)
        let isFirst = Locked(true)

        var manifest: Manifest { source.manifest }

        func chunkDigests(of entry: ManifestEntry) throws -> [ContentDigest] {
            if isFirst.value {
                isFirst.set(false)
                begun.yield()
                release.wait()
            }
            return try source.chunkDigests(of: entry)
        }

        func content(of entry: ManifestEntry) throws -> ResourceContent { try source.content(of: entry) }
    }

    /// The file is complete then, but is not checked any more.
    @Test func aReceiverThatIsStoppedDuringItsLastWriteDoesNotFail() async throws {
        let pair = try Pair(encryption: .none)
        let gate = Gate()
        let sink = MemorySink()
        sink.state.withLock { $0.beforeWrite = { _ in gate.enter() } }
        try await pair.serving(TransferTests.source(sizes: [1000])) { address, finished in
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    let result = await outcome { try await pair.receive(from: address, into: sink) }
                    #expect(peerError(result)?.code == .cancelled, "\(result)")
                }
                await gate.waitUntilEntered()
                group.cancelAll()
                gate.open()
                await group.waitForAll()
            }
            let code = peerError(await finished.next()?.result)?.code
            #expect(code == .peerCancelled || code == .connectionLost)
        }
    }

    /// The commit waits for a thread then, and never begins.
    @Test func aReceiverThatIsStoppedBeforeItsCommitBeginsDoesNotFail() async throws {
        let pair = try Pair(encryption: .none)
        let sink = MemorySink()
        let logger = Logger.recording(in: Locked([])) { entry in
            guard entry.message == "state changed", entry.details["to"] == "committing" else { return }
            withUnsafeCurrentTask { $0?.cancel() }
        }
        try await pair.serving(TransferTests.source(sizes: [1000])) { address, finished in
            let receiver = TransferReceiver(local: pair.receiver, configuration: pair.receiving, logger: logger)
            let result = await outcome { try await receiver.receive(from: [address], into: sink) { .accept($0.kinds) } }
            #expect(peerError(result)?.code == .cancelled, "\(result)")
            #expect(peerError(await finished.next()?.result) != nil)
        }
        #expect(!sink.snapshot.isCommitted)
        #expect(sink.snapshot.abandoned == 1)
    }

    /// Work that ends because the program ends has not failed.
    @Test func aSenderThatIsStoppedWhileItHashesSaysThatItWasStopped() async throws {
        let pair = try Pair(encryption: .none)
        let (hashing, begun) = AsyncStream.makeStream(of: Void.self)
        let source = HeldSource(source: try TransferTests.source(sizes: [1000, 10]), begun: begun)
        try await PeerListener.with(local: pair.sender, host: "127.0.0.1", configuration: pair.sending) { listener in
            let address = try SocketAddress(ipAddress: "127.0.0.1", port: listener.port)
            try await withThrowingTaskGroup(of: Void.self) { serving in
                serving.addTask {
                    try await TransferSender(local: pair.sender, source: source, configuration: pair.sending).serve(
                        on: listener,
                        decide: { _ in .accept },
                        finished: { _ in true }
                    )
                }
                try await RawPeer.connected(to: address) { peer in
                    try await peer.greet()
                    let manifest = try await peer.invite()
                    try await peer.send(.selection(ResourceSelection(kinds: manifest.entries.map(\.kind))))
                    for await _ in hashing { break }
                    serving.cancelAll()
                    source.release.signal()
                    var last: Frame?
                    while let frame = try await peer.nextFrame() {
                        if frame.type == .cancel || frame.type == .failure { last = frame }
                    }
                    guard case .cancel(let cancellation) = last else {
                        Issue.record("\(String(describing: last))")
                        return
                    }
                    #expect(cancellation.reason == "The program was stopped.")
                }
                try await serving.waitForAll()
            }
        }
    }
}
