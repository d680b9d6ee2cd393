import Dispatch
import FoundationEssentials
import NIOCore
import NIOPosix
import PeerTestSupport
import Testing

@testable import PeerCore

/// Transfers run on event loops, which have others to serve.
@Suite(.timeLimit(.minutes(10))) struct EventLoopExecutorTests {
    /// A link that takes everything at once.
    private final class Swallower: ChannelOutboundHandler {
        typealias OutboundIn = IOData

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            promise?.succeed()
        }
    }

    /// Notes whether it is asked on an event loop, where it must not wait for anything.
    private final class NotingTrust: TrustStore {
        let isOnEventLoop = Locked<[Bool]>([])

        func note() {
            isOnEventLoop.withLock { $0.append(MultiThreadedEventLoopGroup.currentEventLoop != nil) }
        }

        func trust(of id: PeerID, callingItself name: String) async throws -> PeerTrust {
            note()
            return .unknown
        }

        func pin(_ id: PeerID, name: String) async throws {
            note()
        }
    }

    @Test func aSenderHearsItsPeerWhileTheLinkTakesEverythingAtOnce() async throws {
        let begun = DispatchSemaphore(value: 0)
        let speak: @Sendable (RawConnection) -> Void = { connection in
            begun.wait()
            connection.write([1])
            connection.readToEnd()
        }
        try await RawServer.with(serve: speak) { server in
            let connection = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: server.port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let connection = try FrameConnection.makeConnecting(
                            channel,
                            application: .hikeshare,
                            configuration: ConnectionConfiguration(),
                            security: nil,
                            expecting: nil,
                            greeting: nil
                        )
                        try channel.pipeline.syncOperations.addHandler(Swallower(), position: .first)
                        return connection
                    }
                }
            let content = try ReadableContent(.bytes(Data(repeating: 7, count: 1 << 20)), size: 1 << 20)
            let executor = EventLoopExecutor.of(connection.channel.eventLoop)
            let writer = BulkWriter(
                connection: connection,
                limits: .standard,
                isEncrypted: false,
                executor: executor
            )
            let isAllSent = try await withTaskExecutorPreference(executor) {
                try await connection.asyncChannel.executeThenClose { _ in
                    try await writer.send(
                        0,
                        from: content,
                        next: { 0..<UInt64($0) },
                        sent: { _ in
                            begun.signal()
                            return connection.activity.last == nil
                        }
                    )
                }
            }
            #expect(!isAllSent)
        }
    }

    @Test func whoDecidesAndWhoKnowsMayBlock() async throws {
        var pair = try Pair()
        let (sender, receiver) = (NotingTrust(), NotingTrust())
        pair.senderTrust = sender
        pair.receiverTrust = receiver
        let outcome = try await pair.transfer(
            try TransferTests.source(sizes: [1000]),
            into: MemorySink(),
            decide: { offer in
                receiver.note()
                return .acceptAndPin(offer.kinds)
            },
            invite: { _ in
                sender.note()
                return .acceptAndPin
            }
        )
        _ = try outcome.received.get()
        #expect(sender.isOnEventLoop.withLock { $0 } == [false, false, false])
        #expect(receiver.isOnEventLoop.withLock { $0 } == [false, false, false])
    }
}
