import NIOCore
import NIOHTTP1

/// Answers a request that is not valid HTTP, if it has no answer yet.
///
/// The handler of NIO for this also answers a request that was answered before its end and is broken off after that. The second
/// answer is one that nobody asked for.
final class BrokenRequestHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Whether more of the current request comes.
    private var isInRequest = false
    /// Whether the current request has an answer, or a part of it.
    private var isAnswered = false
    /// Whether more of the answer comes.
    private var isInAnswer = false
    /// Whether the connection is closed because the client has sent something else than HTTP.
    private var isBroken = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: isInRequest = true
        case .body: break
        case .end:
            isInRequest = false
            if !isInAnswer { isAnswered = false }
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isBroken else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head: (isAnswered, isInAnswer) = (true, true)
        case .body: break
        case .end:
            isInAnswer = false
            if !isInRequest { isAnswered = false }
        }
        context.write(data, promise: promise)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is HTTPParserError, !isBroken else { return context.fireErrorCaught(error) }
        // NIO closes the connection right after this.
        isBroken = true
        if !isAnswered {
            let headers = HTTPHeaders([("Connection", "close"), ("Content-Length", "0")])
            let head = HTTPResponseHead(version: .http1_1, status: .badRequest, headers: headers)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
        context.fireErrorCaught(error)
    }
}
