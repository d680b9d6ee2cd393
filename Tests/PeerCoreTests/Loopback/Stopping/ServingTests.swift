import Foundation
import NIOCore
import PeerCore
import PeerTestSupport
import Synchronization
import Testing

/// How a sender stops serving.
@Suite(.timeLimit(.minutes(10))) struct ServingTests {
    @Test func aCancelledServeEndsItsTransfers() async throws {
        let pair = try Pair()
        let source = try TransferTests.source(sizes: [1000])
        let sink = MemorySink()
        let (asked, mark) = AsyncStream.makeStream(of: Void.self)
        try await PeerListener.with(local: pair.sender, host: "127.0.0.1", configuration: pair.sending) { listener in
            let address = try SocketAddress(ipAddress: "127.0.0.1", port: listener.port)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    let result = await outcome {
                        try await pair.receive(from: address, into: sink) { _ in
                            mark.yield()
                            await untilCancelled()
                            return .accept([])
                        }
                    }
                    let code = peerError(result)?.code
                    #expect(code == .peerCancelled || code == .connectionLost)
                }
                try await withThrowingTaskGroup(of: Void.self) { serving in
                    serving.addTask {
                        try await TransferSender(local: pair.sender, source: source, configuration: pair.sending).serve(
                            on: listener,
                            decide: { _ in .accept },
                            finished: { _ in true }
                        )
                    }
                    for await _ in asked { break }
                    serving.cancelAll()
                    try await serving.waitForAll()
                }
                try await group.waitForAll()
            }
        }
        #expect(sink.snapshot.begun == 0)
    }

    @Test func servingUntilOneHasFinishedLeavesTheCallersControlAlone() async throws {
        let pair = try Pair()
        let source = try TransferTests.source(sizes: [1000])
        let control = TransferControl()
        try await PeerListener.with(local: pair.sender, host: "127.0.0.1", configuration: pair.sending) { listener in
            let address = try SocketAddress(ipAddress: "127.0.0.1", port: listener.port)
            async let received = pair.receive(from: address, into: MemorySink())
            try await TransferSender(local: pair.sender, source: source, configuration: pair.sending).serve(
                on: listener,
                control: control,
                decide: { _ in .accept },
                finished: { _ in false }
            )
            _ = try await received
        }
        #expect(!control.isCancelled)
    }

    /// A program that is to end waits for its open transfers: it must not end before it has told how they ended.
    @Test func aTransferOfASenderIsOpenUntilItsEndIsReported() async throws {
        let pair = try Pair()
        let source = try TransferTests.source(sizes: [1000])
        let control = TransferControl()
        let wasOpen = Locked(false)
        try await PeerListener.with(local: pair.sender, host: "127.0.0.1", configuration: pair.sending) { listener in
            let address = try SocketAddress(ipAddress: "127.0.0.1", port: listener.port)
            // The connection is closed when it has received.
            async let received = pair.receive(from: address, into: MemorySink())
            try await TransferSender(local: pair.sender, source: source, configuration: pair.sending).serve(
                on: listener,
                control: control,
                decide: { _ in .accept },
                finished: { _ in
                    wasOpen.withLock { $0 = control.openTransferCount > 0 }
                    return false
                }
            )
            _ = try await received
        }
        #expect(wasOpen.value)
        #expect(control.openTransferCount == 0)
    }
}
