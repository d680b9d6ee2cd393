import Glibc
import NIOCore
import NIOSSL
import Synchronization

final class Flag: Sendable {
    let isSet = Atomic(false)
}

/// Passes on the bytes that come.
final class ByteCollector: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let continuation: AsyncStream<ByteBuffer>.Continuation
    private let cutOff: Flag
    private let limit: Int
    private var count = 0

    init(
        _ continuation: AsyncStream<ByteBuffer>.Continuation,
        _ cutOff: Flag,
        limit: Int = .max
    ) {
        self.continuation = continuation
        self.cutOff = cutOff
        self.limit = limit
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        count += bytes.readableBytes
        if count > limit { try? context.channel.syncOptions?.setOption(.autoRead, value: false) }
        continuation.yield(bytes)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if case NIOSSLError.uncleanShutdown = error { cutOff.isSet.store(true, ordering: .releasing) }
        if let error = error as? IOError, error.errnoCode == ECONNRESET {
            cutOff.isSet.store(true, ordering: .releasing)
        }
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        continuation.finish()
    }
}
