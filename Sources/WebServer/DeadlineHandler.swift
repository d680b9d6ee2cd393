import NIOCore
import NIOHTTP1

/// Closes a connection whose client is slow: if a whole request does not arrive in time, or if no piece of an answer is taken in
/// time.
///
/// Single bytes do not prolong a deadline, so a client cannot hold a connection by sending or taking one byte after the other.
final class DeadlineHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = AnswerPart
    typealias OutboundOut = HTTPServerResponsePart

    private let request: TimeAmount
    private let write: TimeAmount
    private let maximumContentLength: Int
    private var deadline: Scheduled<Void>?
    private var pendingWrites = 0

    /// The rate at which content must arrive at least, in bytes per second.
    private static let minimumRate = 50_000

    init(_ configuration: WebServer.Configuration) {
        request = TimeAmount(configuration.requestTime)
        write = TimeAmount(configuration.writeTime)
        maximumContentLength = configuration.maximumContentLength
    }

    func handlerAdded(context: ChannelHandlerContext) {
        set(request, context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        deadline?.cancel()
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            // Content takes longer than a request without any. If it is too long, it is refused at once.
            if let length = head.headers["content-length"].first.flatMap({ Int($0) }), length > 0,
                length <= maximumContentLength
            {
                set(request + .seconds(Int64(length / Self.minimumRate)), context)
            }
        case .body: break
        // The server answers now; its own work has no deadline here.
        case .end: deadline?.cancel()
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = unwrapOutboundIn(data)
        let isEnd = if case .end = part { true } else { false }
        let promise = promise ?? context.eventLoop.makePromise(of: Void.self)
        pendingWrites += 1
        if pendingWrites == 1 { set(write, context) }
        promise.futureResult.assumeIsolated().whenComplete { result in
            switch result {
            case .success: self.wrote(isEnd: isEnd, context)
            case .failure: self.deadline?.cancel()
            }
            // The file stays open until its bytes are on their way.
            Self.tell(part, result)
        }
        context.write(wrapOutboundOut(Self.response(part)), promise: promise)
    }

    private static func response(_ part: AnswerPart) -> HTTPServerResponsePart {
        switch part {
        case .head(let head): return .head(head)
        case .bytes(let bytes): return .body(.byteBuffer(bytes))
        case .piece(let range, let file, _):
            // A file that exists has a size that an Int can hold.
            let (first, last) = (Int(clamping: range.lowerBound), Int(clamping: range.upperBound))
            return .body(.fileRegion(FileRegion(fileHandle: file.handle, readerIndex: first, endIndex: last)))
        case .end: return .end(nil)
        }
    }

    /// Tells what was sent of a file.
    ///
    /// If bytes get lost, the file tells that itself when nothing holds it any more.
    private static func tell(_ part: AnswerPart, _ result: Result<Void, any Error>) {
        guard case .piece(let range, let file, let isLast) = part, case .success = result else { return }
        file.tell(sent: range.upperBound)
        if isLast { file.tellEnd(isComplete: true) }
    }

    private func wrote(isEnd: Bool, _ context: ChannelHandlerContext) {
        pendingWrites -= 1
        if pendingWrites > 0 {
            set(write, context)
        } else if isEnd {
            set(request, context)
        } else {
            deadline?.cancel()
        }
    }

    private func set(_ time: TimeAmount, _ context: ChannelHandlerContext) {
        deadline?.cancel()
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: time) { context.close(promise: nil) }
    }
}
