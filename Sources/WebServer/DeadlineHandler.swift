import NIOCore
import NIOHTTP1

/// Closes a connection whose client is slow.
///
/// A client is slow if its request is not complete in time, or if it does not take a piece of an answer in time. The
/// handler also closes the connection when the last answer has been sent.
///
/// Single bytes do not extend a deadline, so a client cannot hold a connection by sending or taking one byte at a time.
final class DeadlineHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = AnswerPiece
    typealias OutboundOut = HTTPServerResponsePart

    /// What the connection waits for.
    private enum Phase {
        /// A request.
        case idle
        /// The rest of a request.
        case request
        /// The answer of the server.
        case answer
        /// The client's end of the connection, after the last answer.
        case closing
    }

    private let request: TimeAmount
    private let write: TimeAmount
    private let maximumContentLength: Int
    private let places: Places
    private var place: Int?
    private var deadline: Scheduled<Void>?
    private var phase = Phase.idle
    private var pendingWrites = 0
    private var isLast = false

    // 0.4 Mbit/s. A slower client would hold one of the few places for content too long.
    /// The minimum rate at which content must arrive, in bytes per second.
    private static let minimumRate = 50_000

    init(_ configuration: WebServer.Configuration, _ places: Places) {
        request = TimeAmount(configuration.requestTime)
        write = TimeAmount(configuration.writeTime)
        maximumContentLength = configuration.maximumContentLength
        self.places = places
    }

    // MARK: The connection

    func channelActive(context: ChannelHandlerContext) {
        let channel = context.channel
        place = places.take(for: context.remoteAddress?.ipAddress ?? "") { channel.close(promise: nil) }
        set(request, context)
        context.fireChannelActive()
        // Only now, so that the handlers after this one see a connection that begins and ends.
        if place == nil { context.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        if let place { places.give(place) }
        place = nil
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if phase == .closing, case ChannelEvent.inputClosed = event { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard phase != .closing else { return context.fireChannelRead(data) }
        switch unwrapInboundIn(data) {
        case .head(let head):
            enter(.request)
            // Content gets extra time. Content that is too long gets none, because the server refuses it at once.
            if let length = head.headers["content-length"].first.flatMap({ Int($0) }), length > 0,
                length <= maximumContentLength
            {
                set(request + .seconds(Int64(length / Self.minimumRate)), context)
            }
        case .body: break
        case .end:
            enter(.answer)
            // The deadline is for the client, not for the server's own work.
            if pendingWrites == 0 { deadline?.cancel() }
        }
        context.fireChannelRead(data)
    }

    // MARK: Answers

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = unwrapOutboundIn(data)
        guard let response = Self.response(part) else {
            promise?.succeed()
            isLast = true
            return closeIfDone(context)
        }
        let promise = promise ?? context.eventLoop.makePromise(of: Void.self)
        pendingWrites += 1
        // The time runs for the oldest piece that waits; `wrote` sets it for the next one.
        if pendingWrites == 1 { set(write, context) }
        promise.futureResult.assumeIsolated().whenComplete { result in
            switch result {
            case .success: self.wrote(context)
            case .failure: self.deadline?.cancel()
            }
            // The closure holds the part, so the file stays open and the memory stays reserved until the bytes are
            // sent.
            Self.tell(part, result)
        }
        // Enter before the write: the client may already have sent its next request, and the HTTP pipeline delivers it
        // during this call.
        if case .end = part { enter(.idle) }
        context.write(wrapOutboundOut(response), promise: promise)
    }

    private static func response(_ part: AnswerPiece) -> HTTPServerResponsePart? {
        switch part {
        case .head(let head): return .head(head)
        case .bytes(let bytes, _): return .body(.byteBuffer(bytes))
        case .piece(let range, let file, _):
            // The size of an existing file fits into an Int.
            let (first, last) = (Int(clamping: range.lowerBound), Int(clamping: range.upperBound))
            return .body(.fileRegion(FileRegion(fileHandle: file.handle, readerIndex: first, endIndex: last)))
        case .end: return .end(nil)
        case .close: return nil
        }
    }

    /// Tells the file which of its bytes were sent.
    ///
    /// If bytes are lost, the file reports that itself when it is released.
    private static func tell(_ part: AnswerPiece, _ result: Result<Void, any Error>) {
        guard case .piece(let range, let file, let isLast) = part, case .success = result else { return }
        file.tell(sent: range.upperBound - file.start)
        if isLast { file.tellEnd(isComplete: true) }
    }

    private func wrote(_ context: ChannelHandlerContext) {
        pendingWrites -= 1
        guard pendingWrites == 0 else { return set(write, context) }
        switch phase {
        case .idle, .request: set(request, context)
        case .answer: deadline?.cancel()
        case .closing: break
        }
        updatePlace()
        closeIfDone(context)
    }

    /// Closes this side after the last answer, and waits for the client to close.
    ///
    /// Closing both sides while the client is still sending would reset the connection, and the client could lose the
    /// answer.
    private func closeIfDone(_ context: ChannelHandlerContext) {
        guard isLast, pendingWrites == 0, phase != .closing else { return }
        phase = .closing
        set(request, context)
        context.close(mode: .output, promise: nil)
    }

    private func enter(_ next: Phase) {
        phase = next
        updatePlace()
    }

    private func updatePlace() {
        if let place { places.set(place, isIdle: phase == .idle && pendingWrites == 0) }
    }

    private func set(_ time: TimeAmount, _ context: ChannelHandlerContext) {
        deadline?.cancel()
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: time) { context.close(promise: nil) }
    }
}
