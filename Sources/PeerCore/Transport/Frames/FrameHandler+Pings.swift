import NIOCore

extension FrameHandler {
    /// Whether pings and pongs are allowed.
    enum PingUse {
        /// Not before the peer's hello.
        case notYet
        /// They are allowed.
        case allowed
        /// They are not allowed, because the connection is a lane.
        case never
    }

    /// A ping whose pong a task waits for.
    struct AwaitedPong {
        var nonce: UInt32
        var answered: EventLoopPromise<Void>
    }

    /// Notes a pong, which answers all pings before its own, too.
    func noteAnswered(_ pong: Ping) {
        // The pings are in the order of their numbers.
        while let first = awaitedPongs.first, first.nonce <= pong.nonce {
            awaitedPongs.removeFirst()
            first.answered.succeed()
        }
    }

    /// Fails the promises of all pings that were not answered.
    func failAwaitedPongs(_ error: any Error) {
        let unanswered = awaitedPongs
        awaitedPongs = []
        for ping in unanswered { ping.answered.fail(error) }
    }

    /// Notes a sent frame that decides whether pongs may be sent.
    func noteSent(_ frame: Frame, _ context: ChannelHandlerContext) {
        switch frame {
        case .hello: perform(pings.helloSent(), context)
        case .join: pingUse = .never
        case .decline, .cancel, .failure, .acknowledgement: pings.lastWordSent()
        default: break
        }
    }

    func perform(_ action: PingStateMachine.OnPing, _ context: ChannelHandlerContext) {
        guard case .sendPong(let pong) = action else { return }
        var buffer = context.channel.allocator.buffer(capacity: 32)
        do {
            try encoder.write(.pong(pong), into: &buffer)
        } catch {
            return context.fireErrorCaught(error)
        }
        activity.frames.note(.sent, .pong, buffer.readableBytes)
        let left = context.eventLoop.makePromise(of: Void.self)
        let box = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        left.futureResult.whenSuccess {
            let (handler, context) = box.value
            handler.perform(handler.pings.pongWritten(), context)
        }
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(buffer)), promise: left)
    }
}
