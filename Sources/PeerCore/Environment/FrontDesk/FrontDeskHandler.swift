import NIOCore
import PeerProtocol

/// The event that says that the preface and the hello of this side have been sent, so that its session sends neither.
struct HelloSent: Sendable {}

/// The event that ends the wait for what the peer wants.
struct DeskClosed: Sendable {}

/// Keeps the first parts of an accepted connection until it is known whether its peer wants a transfer or a session.
///
/// It comes after the ``FrameHandler``. It sends the hello for both, because the peer says what it wants only after it.
final class FrontDeskHandler: ChannelDuplexHandler {
    typealias InboundIn = InboundPart
    typealias InboundOut = InboundPart
    typealias OutboundIn = OutboundPart
    typealias OutboundOut = OutboundPart

    private let configuration: SessionConfiguration
    private let wish: EventLoopPromise<FrontDeskStateMachine.Wish>
    private var machine: FrontDeskStateMachine
    /// A few: opening, hello, and the frame that decides.
    private var kept: [InboundPart] = []
    private var timer: Scheduled<Void>?
    /// How long the desk still looks for what has arrived when the peer's time is over.
    private static let lastLook: TimeAmount = .milliseconds(20)

    /// Creates a handler.
    ///
    /// - Parameters:
    ///   - hello: What this side says of itself, with what it says of sessions.
    ///   - configuration: The timers.
    ///   - wish: Succeeds when it is known what the peer wants.
    init(hello: Hello, configuration: SessionConfiguration, wish: EventLoopPromise<FrontDeskStateMachine.Wish>) {
        self.machine = FrontDeskStateMachine(hello: hello)
        self.configuration = configuration
        self.wish = wish
    }

    func handlerAdded(context: ChannelHandlerContext) {
        restartTimer(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        wish.succeed(.transfer)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !machine.isDecided else { return context.fireChannelRead(data) }
        let part = unwrapInboundIn(data)
        kept.append(part)
        perform(machine.received(part), context)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if machine.isDecided { context.fireChannelReadComplete() }
    }

    func channelInactive(context: ChannelHandlerContext) {
        giveUp(context)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        giveUp(context)
        context.fireErrorCaught(error)
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is DeskClosed else { return context.triggerUserOutboundEvent(event, promise: promise) }
        giveUp(context)
        promise?.succeed()
    }

    private func giveUp(_ context: ChannelHandlerContext) {
        if !machine.isDecided { perform(machine.gaveUp(), context) }
    }

    private func perform(_ action: FrontDeskStateMachine.OnReceived, _ context: ChannelHandlerContext) {
        switch action {
        case .greet(let hello):
            context.write(wrapOutboundOut(.preface), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.frame(.hello(hello))), promise: nil)
            context.triggerUserOutboundEvent(HelloSent(), promise: nil)
        case .wait:
            break
        case .decide(let wish):
            decide(wish, context)
        case .decideWithout(let wish):
            kept.removeLast()
            decide(wish, context)
        }
        restartTimer(context)
    }

    private func decide(_ wish: FrontDeskStateMachine.Wish, _ context: ChannelHandlerContext) {
        let parts = kept
        kept = []
        for part in parts { context.fireChannelRead(wrapInboundOut(part)) }
        context.fireChannelReadComplete()
        self.wish.succeed(wish)
    }

    private func restartTimer(_ context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
        guard let timeout = machine.timeout(configuration) else { return }
        schedule(in: TimeAmount(timeout), context) { handler, context in
            // After a pause of the whole process, timers come before what has arrived meanwhile: that still counts.
            context.read()
            handler.schedule(in: Self.lastLook, context) { handler, context in
                if !handler.machine.isDecided { handler.perform(handler.machine.timeIsOver(), context) }
            }
        }
    }

    private func schedule(
        in time: TimeAmount,
        _ context: ChannelHandlerContext,
        _ body: @escaping @Sendable (FrontDeskHandler, ChannelHandlerContext) -> Void
    ) {
        let box = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(in: time) { body(box.value.0, box.value.1) }
    }
}
