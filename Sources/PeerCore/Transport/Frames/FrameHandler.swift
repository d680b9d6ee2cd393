import NIOCore
import NIOTLS

extension FrameHandler {
    /// The event that allows the peer to send frames that are longer than control frames.
    struct LongFramesAwaited: Sendable {}
}

/// Decodes bytes into inputs, and encodes outputs as bytes.
///
/// The last handler of every pipeline.
///
/// The handler answers pings and consumes pongs; to the driver they are only signs of life. It never collects a whole
/// data frame: the bytes are passed on as they arrive.
final class FrameHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = Inbound
    typealias OutboundIn = Outbound
    typealias OutboundOut = IOData

    /// The number of inputs that are passed on before the driver has processed them.
    ///
    /// One read can contain 100,000 tiny frames, and each input needs fifty times the memory of its bytes.
    static let maximumInboundCount = 1024

    /// The number of frames of a link that are handed over together.
    private static let maximumGathered = 256

    let activity: ActivityStamp
    private let shortcut: LinkShortcut
    let proof: EventLoopPromise<Void>?
    let encoder: FrameEncoder
    var decoder: FrameDecoder
    /// The bytes that have arrived while those before them were read.
    private var arrived = CircularBuffer<ByteBuffer>()
    private var isReading = false
    private(set) var unread = UnreadBytes()
    var unfinished = UnreadBytes.UnfinishedFrame()
    /// The number of inputs since the driver asked for more.
    private var inboundCount = 0
    /// Whether decoding has stopped until the driver asks for more.
    var isHeldBack = false
    var batch = DataBatch()
    /// The frames of a link that were read and not handed over yet.
    private var gathered: [Frame] = []
    var isFinished = false
    var opening: ConnectionOpening
    var pings = ConnectionPings()

    init(
        opening: ConnectionOpening,
        limits: ProtocolLimits,
        activity: ActivityStamp,
        shortcut: LinkShortcut = LinkShortcut(),
        proof: EventLoopPromise<Void>?
    ) {
        self.opening = opening
        self.shortcut = shortcut
        self.activity = activity
        self.proof = proof
        self.encoder = FrameEncoder(preface: opening.preface, limits: limits)
        self.decoder = FrameDecoder(preface: opening.preface, limits: limits)
        decoder.takesLongFrames = false
    }

    func channelActive(context: ChannelHandlerContext) {
        switch opening.condition {
        case .byEvent: break
        case .whenActive: open(.plainText, context)
        case .byPreface(let hello): greet(hello, context)
        }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        ended()
        context.fireChannelInactive()
    }

    // A channel that has never been active does not become inactive.
    func handlerRemoved(context: ChannelHandlerContext) { ended() }

    private func ended() {
        proof?.fail(ChannelError.eof)
        for answered in pings.takeAwaited() { answered.fail(ChannelError.eof) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        proof?.fail(error)
        context.fireErrorCaught(error)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case TLSUserEvent.handshakeCompleted(let negotiated): secured(negotiated, context)
        case ListenerSecurityDetector.Event.plainText: open(.plainText, context)
        case ListenerSecurityDetector.Event.mismatch(let wish):
            isFinished = true
            proof?.fail(PeerError.encryptionMismatch(wish))
            passAtOnce(.encryptionMismatch(peerWants: wish), context)
        case ListenerSecurityDetector.Event.unknownProtocol: fail(opening.preface.mismatch, context)
        case ListenerSecurityDetector.Event.webPage:
            proof?.fail(PeerError(UnexpectedAnswer(.webPage, instead: PeerError(opening.preface.mismatch))))
            fail(opening.preface.mismatch, context)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        arrived.append(unwrapInboundIn(data))
        // What is done about an input may fail at a connection that the peer has reset. NIO then reads all that is left,
        // in the middle of this; it comes after the bytes of this read.
        guard !isReading else { return }
        isReading = true
        defer {
            isReading = false
            activity.stamp(at: .now, unfinishedSince: unfinished.since)
        }
        while let bytes = arrived.popFirst() { readAll(bytes, context) }
    }

    func read(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        let count = bytes.readableBytes
        unread.append(bytes)
        if !isHeldBack { decode(count, context) }
    }

    // The next input may come together with the end of a batch.
    var hasPassedEnough: Bool { inboundCount >= Self.maximumInboundCount - 1 }

    /// Decodes the unread bytes and passes the inputs on, up to the maximum number of inputs.
    private func decode(_ count: Int, _ context: ChannelHandlerContext) {
        var isNew = false
        do {
            while !isHeldBack, !isFinished, let output = try decoder.next(from: &unread.buffer) {
                isNew = true
                pass(output, context)
                if inboundCount + gathered.count >= Self.maximumInboundCount - 1 { handOverGathered(context) }
                isHeldBack = hasPassedEnough && unread.count > 0
            }
            handOverGathered(context)
            guard !isHeldBack else { return }
            unread.compact()
            let isUnfinished = unread.count > 0 || decoder.awaitsRestOfFrame
            unfinished.received(count, isUnfinished: isUnfinished, isNew: isNew, at: .now)
        } catch {
            flushBatch(context)
            fail(error, context)
        }
    }

    /// The driver has processed the inputs and asks for more; if the connection has ended meanwhile, the remaining bytes are lost.
    func read(context: ChannelHandlerContext) {
        inboundCount = 0
        guard isHeldBack, !isFinished else { return context.read() }
        isHeldBack = false
        decode(0, context)
        flushBatch(context)
        context.fireChannelReadComplete()
        guard isHeldBack, !isFinished else { return context.read() }
        let channel = context.channel
        // In a later pass of the event loop: calls from here would be nested in one another, one for each thousand inputs.
        context.eventLoop.execute { channel.read() }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        flushBatch(context)
        context.fireChannelReadComplete()
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        switch event {
        case is LongFramesAwaited: decoder.takesLongFrames = true
        default: return context.triggerUserOutboundEvent(event, promise: promise)
        }
        promise?.succeed()
    }

    func pass(_ output: FrameDecoder.Output, _ context: ChannelHandlerContext) {
        activity.frames.note(received: output, decoder.frameLength)
        switch output {
        case .preface:
            if opening.receivedPreface() { open(.plainText, context) }
        case .frame(let frame):
            switch pings.received(frame) {
            case .perform(let action): perform(action, context)
            case .answered(let promises):
                // A promise may call this handler, so the pings are at rest before it succeeds.
                for promise in promises { promise.succeed() }
            case .fail(let error):
                flushBatch(context)
                fail(error, context)
            case .pass where frame.isOfLink:
                if !batch.isEmpty { flushBatch(context) }
                gathered.append(frame)
                if gathered.count >= Self.maximumGathered { handOverGathered(context) }
            case .pass:
                flushBatch(context)
                passOn(.frame(frame), context)
            }
        case .dataHeader(let header):
            flushBatch(context)
            batch.begin(at: header.offset)
            passOn(.dataHeader(header), context)
        case .data(let bytes):
            handOverGathered(context)
            batch.append(bytes)
            if batch.isFull { flushBatch(context) }
        }
    }

    private func passOn(_ input: Inbound, _ context: ChannelHandlerContext) {
        inboundCount += 1
        shortcut.passed()
        context.fireChannelRead(wrapInboundOut(input))
    }

    /// Hands the gathered frames over to their link in one step; without a link, the driver gets them.
    func handOverGathered(_ context: ChannelHandlerContext) {
        guard !gathered.isEmpty else { return }
        let frames = gathered
        gathered = []
        if shortcut.take(frames) { return }
        for frame in frames { passOn(.frame(frame), context) }
    }

    func flushBatch(_ context: ChannelHandlerContext) {
        handOverGathered(context)
        guard !batch.isEmpty else { return }
        passOn(.data(batch.take()), context)
    }

    private func secured(_ negotiated: String?, _ context: ChannelHandlerContext) {
        guard let security = opening.secured(negotiated) else { return fail(opening.preface.mismatch, context) }
        open(security, context)
    }

    private func open(_ security: ConnectionSecurity, _ context: ChannelHandlerContext) {
        passAtOnce(.opened(security), context)
        proof?.succeed()
    }

    func fail(_ error: ProtocolError, _ context: ChannelHandlerContext) {
        isFinished = true
        proof?.fail(error)
        passAtOnce(.invalid(error), context)
    }

    /// Passes on an input outside of a read; the driver sees inputs only when a read is complete.
    private func passAtOnce(_ input: Inbound, _ context: ChannelHandlerContext) {
        shortcut.passed()
        context.fireChannelRead(wrapInboundOut(input))
        context.fireChannelReadComplete()
    }
}
