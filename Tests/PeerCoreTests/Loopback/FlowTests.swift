import Foundation
import NIOCore
import PeerCore
import PeerTestSupport
import Synchronization
import Testing

/// A slow store slows the sender down; it does not fill the memory.
@Suite(.timeLimit(.minutes(10))) struct FlowTests {
    /// The sender reports what it has given to the kernel.
    ///
    /// While the sink stands still, that must come to rest far
    /// below the size of the resource: what fits into the buffers of two sockets and a few parts in between.
    @Test(arguments: [EncryptionPreference.none, .required])
    func aSinkThatStandsStillStopsTheSender(encryption: EncryptionPreference) async throws {
        let size = 200_000_000
        let source = try MemorySource([(.mbtiles, [UInt8](repeating: 0x5A, count: size))])
        let pair = try Pair(encryption: encryption)
        let gate = Gate()
        let sink = CountingSink(gate: gate)
        let control = TransferControl()
        let (updates, continuation) = TransferUpdates.makeStream()
        let crossed = Locked<UInt64>(0)
        try await pair.serving(source, control: control, updates: continuation) { address, finished in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    let result = await outcome { try await pair.receive(from: address, into: sink) }
                    #expect(peerError(result)?.code == .peerCancelled)
                }
                group.addTask {
                    for await update in updates {
                        if case .transfer(.transferring(let progress)) = update.event { crossed.set(progress.bytes) }
                    }
                }
                await gate.waitUntilEntered()
                // Half a second is enough to send all of it several times over, if nothing held it back.
                try await Task.sleep(for: .milliseconds(500))
                control.cancel(reason: "enough")
                gate.open()
                let sent = await finished.next()
                #expect(peerError(sent?.result)?.code == .cancelled)
                #expect(try #require(sent).bytesTransferred < 32_000_000)
                continuation.finish()
                try await group.waitForAll()
            }
        }
        #expect(crossed.value < 32_000_000)
    }
}

/// Holds back whoever enters until it is opened.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let entered = AsyncStream.makeStream(of: Void.self)
    private let isOpen = Locked(false)

    func enter() {
        guard !isOpen.value else { return }
        entered.continuation.yield()
        semaphore.wait()
        semaphore.signal()
    }

    func open() {
        isOpen.set(true)
        semaphore.signal()
    }

    func waitUntilEntered() async {
        for await _ in entered.stream { return }
    }
}

/// A sink that stands still at a gate and keeps nothing.
struct CountingSink: ResourceSink, IncomingTransfer {
    var gate: Gate

    func examine(_ manifest: Manifest) throws {}

    func begin(
        _ manifest: Manifest,
        accepting kinds: Set<ResourceKind>,
        from peer: RemotePeer
    ) throws -> any IncomingTransfer { self }

    func write(_ buffers: [ByteBuffer], at offset: UInt64, of entry: ManifestEntry) throws { gate.enter() }

    func finish(_ entry: ManifestEntry) throws {}

    func commit() throws -> TransferReceipt { TransferReceipt() }

    func abandon() {}
}
