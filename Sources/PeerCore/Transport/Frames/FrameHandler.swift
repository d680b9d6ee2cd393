import NIOCore
import NIOTLS

/// The event that allows the peer to send frames that are longer than control frames.
struct LongFramesAwaited: Sendable {}

/// Decodes bytes into pieces and encodes pieces into bytes.
///
/// The last handler of every pipeline.
///
/// The handler answers pings and consumes pongs; to the driver they are only signs of life. It never collects a whole
/// data frame: the bytes are passed on as they arrive.
final class FrameHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = InboundPiece
    typealias OutboundIn = OutboundPiece
    typealias OutboundOut = IOData

    /// The number of pieces that are passed on before the driver has processed them.
    ///
    /// One read can contain 100,000 tiny frames, and each piece needs fifty times the memory of its bytes.
    static let maximumPieces = 1024

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
    var unfinished = UnfinishedFrame()
    /// The number of pieces since the driver asked for more.
    private var pieceCount = 0
    /// Whether decoding has stopped until the driver asks for more.
    var isHeldBack = false
    var batch = DataBatch()
    /// The frames of a link that were read and not handed over yet.
    private var gathered: [Frame] = []
    var isFinished = false
    var opening: ConnectionOpening
    var pings = ConnectionPings()

    /// Creates a handler.
    ///
    /// - Parameters:
    ///   - opening: How the connection becomes open.
    ///   - limits: The limits on what the peer sends.
    ///   - activity: Updated when bytes arrive.
    ///   - shortcut: Takes the frames of a link past the driver.
    ///   - proof: Succeeds when the connection is open, and fails if it ends before; nil if no task waits for that.
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
    func handlerRemoved(context: ChannelHandlerContext) {
        ended()
    }

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
        case TLSUserEvent.handshakeCompleted(let negotiated):
            secured(negotiated, context)
        case SecurityEvent.plainText:
            open(.plainText, context)
        case SecurityEvent.mismatch(let wish):
            isFinished = true
            proof?.fail(PeerError.encryptionMismatch(wish))
            passAtOnce(.encryptionMismatch(peerWants: wish), context)
        case SecurityEvent.unknownProtocol:
            fail(opening.preface.mismatch, context)
        case SecurityEvent.webPage:
            proof?.fail(PeerError(UnexpectedAnswer(.webPage, instead: PeerError(opening.preface.mismatch))))
            fail(opening.preface.mismatch, context)
        default:
            context.fireUserInboundEventTriggered(event)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        arrived.append(unwrapInboundIn(data))
        // What is done about a piece may fail at a connection that the peer has reset. NIO then reads all that is left,
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

    // The next piece may come together with the end of a batch.
    var hasPassedEnough: Bool { pieceCount >= Self.maximumPieces - 1 }

    /// Decodes the unread bytes and passes the pieces on, up to the maximum number of pieces.
    private func decode(_ count: Int, _ context: ChannelHandlerContext) {
        var isNew = false
        do {
            while !isHeldBack, !isFinished, let output = try decoder.next(from: &unread.buffer) {
                isNew = true
                pass(output, context)
                if pieceCount + gathered.count >= Self.maximumPieces - 1 { handOverGathered(context) }
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

    /// The driver has processed the pieces and asks for more.
    ///
    /// If the connection has ended meanwhile, the remaining bytes are lost.
    func read(context: ChannelHandlerContext) {
        pieceCount = 0
        guard isHeldBack, !isFinished else { return context.read() }
        isHeldBack = false
        decode(0, context)
        flushBatch(context)
        context.fireChannelReadComplete()
        guard isHeldBack, !isFinished else { return context.read() }
        let channel = context.channel
        // In a later turn: calls from here would be nested in one another, one for each thousand pieces.
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
            case .perform(let action):
                perform(action, context)
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

    private func passOn(_ piece: InboundPiece, _ context: ChannelHandlerContext) {
        pieceCount += 1
        shortcut.passed()
        context.fireChannelRead(wrapInboundOut(piece))
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

    /// Passes on a piece outside of a read.
    ///
    /// The driver sees pieces only when a read is complete.
    private func passAtOnce(_ piece: InboundPiece, _ context: ChannelHandlerContext) {
        shortcut.passed()
        context.fireChannelRead(wrapInboundOut(piece))
        context.fireChannelReadComplete()
    }
}
