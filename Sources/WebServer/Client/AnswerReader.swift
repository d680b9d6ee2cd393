import NIOCore
import NIOHTTP1
import NIOSSL
import NIOTLS

/// Reads the answer of a server, and limits its time and its length.
final class AnswerReader: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = Step
    typealias OutboundOut = HTTPClientRequestPart

    /// What is written of a request.
    enum Step: Sendable {
        case head(HTTPRequestHead)
        case body(IOData)
        case end
        /// All of the request was given to the network.
        case sent
    }

    private let exchange: WebExchange
    private let options: WebClient.Options
    private let isSecure: Bool
    private var status: Int?
    private var content = ByteBuffer()
    private var deadline: Scheduled<Void>?
    private var isReady = false

    init(_ exchange: WebExchange, _ options: WebClient.Options, isSecure: Bool) {
        (self.exchange, self.options, self.isSecure) = (exchange, options, isSecure)
    }

    func channelActive(context: ChannelHandlerContext) {
        if isSecure {
            set(options.handshakeTime, context)
        } else {
            ready()
        }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(.closed)
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted = event { ready() }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case HTTPParserError.invalidEOFState: end(.closed)
        case is HTTPParserError: end(.invalidAnswer)
        case is NIOSSLError where !isReady, is BoringSSLError: end(.insecure)
        default: end(.closed)
        }
    }

    // MARK: The answer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            status = Int(head.status.code)
            set(options.idleTime, context)
        case .body(let bytes):
            guard bytes.readableBytes <= options.maximumAnswerLength - content.readableBytes else {
                return end(.invalidAnswer)
            }
            content.writeImmutableBuffer(bytes)
        case .end:
            deadline?.cancel()
            guard let status else { return end(.invalidAnswer) }
            exchange.answered(status, Array(content.readableBytesView))
        }
    }

    // MARK: The request

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head): context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body(let bytes): context.write(wrapOutboundOut(.body(bytes)), promise: promise)
        case .end: context.write(wrapOutboundOut(.end(nil)), promise: promise)
        case .sent:
            if status == nil { set(options.answerTime, context) }
            promise?.succeed()
        }
    }

    private func ready() {
        deadline?.cancel()
        isReady = true
        exchange.isReady()
    }

    private func end(_ failure: WebClient.Failure) {
        deadline?.cancel()
        exchange.fail(failure)
    }

    private func set(_ time: Duration, _ context: ChannelHandlerContext) {
        deadline?.cancel()
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(time)) {
            self.exchange.fail(WebClient.Failure.silent)
        }
    }
}
