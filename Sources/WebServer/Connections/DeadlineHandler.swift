import NIOCore
import NIOHTTP1

/// Closes a connection whose client is slow.
///
/// A client is slow if its request is not complete in time, or if it does not take a step of an answer in time. The
/// handler also closes the connection when the last answer has been sent.
///
/// Single bytes do not extend a deadline, so a client cannot hold a connection by sending or taking one byte at a time.
final class DeadlineHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = AnswerWriter.Step
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

    private let configuration: WebServer.Configuration
    private let client: ConnectedClient
    private let slots: Slots
    private var slot: Int?
    private var deadline: Scheduled<Void>?
    private var phase = Phase.idle
    private var pendingWrites = 0
    private var isLast = false
    /// The time that the client has left for content that is taken as it comes; nil at any other time.
    private var clock: StreamClock?
    /// Since when the server waits for bytes of the client; nil while it wants none.
    private var waitingSince: NIODeadline?

    // 0.4 Mbit/s. A slower client would hold one of the few slots for content too long.
    /// The minimum rate at which content must arrive, in bytes per second.
    private static let minimumRate = 50_000

    init(_ configuration: WebServer.Configuration, _ client: ConnectedClient, _ slots: Slots) {
        (self.configuration, self.client, self.slots) = (configuration, client, slots)
    }

    // MARK: The connection

    func channelActive(context: ChannelHandlerContext) {
        let channel = context.channel
        slot = slots.take(for: context.remoteAddress?.ipAddress ?? "") { channel.close(promise: nil) }
        set(configuration.requestTime, context)
        context.fireChannelActive()
        // Only now, so that the handlers after this one see a connection that begins and ends.
        if slot == nil { context.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        if let slot { slots.give(slot) }
        slot = nil
        client.leave()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event {
            client.leave()
            if phase == .closing { context.close(promise: nil) }
        }
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
                length <= configuration.maximumContentLength
            {
                set(configuration.requestTime + .seconds(length / Self.minimumRate), context)
            }
        case .body(let bytes):
            noteWaiting()
            clock?.arrived(bytes.readableBytes)
        case .end:
            enter(.answer)
            clock = nil
            // The deadline is for the client, not for the server's own work.
            if pendingWrites == 0 { deadline?.cancel() }
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        noteWaiting()
        waitingSince = nil
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        if waitingSince == nil { waitingSince = .now() }
        context.read()
    }

    /// Takes the time for which the server has waited from what the client has left.
    private func noteWaiting() {
        guard let since = waitingSince, clock != nil else { return }
        let now = NIODeadline.now()
        clock?.waited((now - since).nanoseconds)
        waitingSince = now
    }

    /// Limits the silence of the client instead of the time of its request.
    private func stream(_ stallTime: Duration, _ context: ChannelHandlerContext) {
        guard phase == .request else { return }
        clock = StreamClock(stallTime, rate: Self.minimumRate)
        if waitingSince != nil { waitingSince = .now() }
        watch(context)
    }

    /// Closes the connection when the client has no time left.
    private func watch(_ context: ChannelHandlerContext) {
        noteWaiting()
        guard let left = clock?.left else { return }
        guard left > 0 else { return context.close(promise: nil) }
        deadline?.cancel()
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: .nanoseconds(left)) { self.watch(context) }
    }

    // MARK: Answers

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let step = unwrapOutboundIn(data)
        if case .takes(let stallTime) = step {
            stream(stallTime, context)
            promise?.succeed()
            return
        }
        guard let response = Self.response(step) else {
            promise?.succeed()
            isLast = true
            return closeIfDone(context)
        }
        let promise = promise ?? context.eventLoop.makePromise(of: Void.self)
        pendingWrites += 1
        // The time runs for the oldest step that waits; `wrote` sets it for the next one.
        if pendingWrites == 1 { set(configuration.writeTime, context) }
        promise.futureResult.assumeIsolated().whenComplete { result in
            switch result {
            case .success: self.wrote(context)
            case .failure: self.deadline?.cancel()
            }
            // The closure holds the step, so the file stays open and the memory reserved until the bytes are sent.
            Self.tell(step, result)
        }
        // Enter before the write: the client may already have sent its next request, and the HTTP pipeline delivers it
        // during this call.
        if case .end = step { enter(.idle) }
        context.write(wrapOutboundOut(response), promise: promise)
    }

    private static func response(_ step: AnswerWriter.Step) -> HTTPServerResponsePart? {
        switch step {
        case .head(let head): return .head(head)
        case .bytes(let bytes, _): return .body(.byteBuffer(bytes))
        case .file(_, _, let bytes?, _): return .body(.byteBuffer(bytes))
        case .file(let file, let range, nil, _):
            // The size of an existing file fits into an Int.
            let (first, last) = (Int(clamping: range.lowerBound), Int(clamping: range.upperBound))
            return .body(.fileRegion(FileRegion(fileHandle: file.handle, readerIndex: first, endIndex: last)))
        case .end: return .end(nil)
        case .takes, .close: return nil
        }
    }

    /// Tells the file which of its bytes were sent.
    ///
    /// If bytes are lost, the file reports that itself when it is released.
    private static func tell(_ step: AnswerWriter.Step, _ result: Result<Void, any Error>) {
        guard case .file(let file, let range, _, let isLast) = step, case .success = result else { return }
        file.tell(sent: range.upperBound - file.start)
        if isLast { file.tellEnd(isComplete: true) }
    }

    private func wrote(_ context: ChannelHandlerContext) {
        pendingWrites -= 1
        guard pendingWrites == 0 else { return set(configuration.writeTime, context) }
        switch phase {
        case .request where clock != nil: break
        case .idle, .request: set(configuration.requestTime, context)
        case .answer: deadline?.cancel()
        case .closing: break
        }
        updateSlot()
        closeIfDone(context)
    }

    /// Closes this side after the last answer, and waits for the client to close.
    ///
    /// Closing both sides while the client is still sending would reset the connection, and the client could lose the
    /// answer.
    private func closeIfDone(_ context: ChannelHandlerContext) {
        guard isLast, pendingWrites == 0, phase != .closing else { return }
        phase = .closing
        set(configuration.requestTime, context)
        context.close(mode: .output, promise: nil)
    }

    private func enter(_ next: Phase) {
        phase = next
        updateSlot()
    }

    private func updateSlot() {
        if let slot { slots.set(slot, isIdle: phase == .idle && pendingWrites == 0) }
    }

    private func set(_ time: Duration, _ context: ChannelHandlerContext) {
        clock = nil
        deadline?.cancel()
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(time)) { context.close(promise: nil) }
    }
}
