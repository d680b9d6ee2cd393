import NIOCore

extension FrameHandler {
    /// The number of bytes that are flushed at a time with TLS.
    ///
    /// With the overhead of TLS records, they fill a buffer of 128 KiB, which stays in the cache of the processor.
    static let flushLength = 126 * 1024

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let output = unwrapOutboundIn(data)
        if case .frame(let frame) = output, case .record(let record) = frame, let bytes = record.frame {
            activity.frames.note(.sent, frame.type, bytes.readableBytes)
            return write(bytes, promise, context)
        }
        var buffer = context.channel.allocator.buffer(capacity: 64)
        do {
            switch output {
            case .preface where opening.hasGreeted: promise?.succeed()
            case .frame(.hello(let hello)) where opening.hasGreeted:
                opening.greetingSkipped()
                promise?.succeed()
                perform(pings.sent(.hello(hello)), context)
            case .preface:
                encoder.writePreface(into: &buffer)
                context.write(wrapOutboundOut(.byteBuffer(buffer)), promise: promise)
            case .frame(let frame):
                try encoder.write(frame, into: &buffer)
                activity.frames.note(.sent, frame.type, buffer.readableBytes)
                write(buffer, promise, context)
                perform(pings.sent(frame), context)
            case .ping(let answered):
                try encoder.write(.ping(pings.next(answered: answered)), into: &buffer)
                activity.frames.note(.sent, .ping, buffer.readableBytes)
                write(buffer, promise, context)
            case .data(let header, let bytes):
                encoder.writeDataHeader(header, into: &buffer)
                activity.frames.note(.sent, .data, buffer.readableBytes + header.length)
                context.write(wrapOutboundOut(.byteBuffer(buffer)), promise: nil)
                write(bytes, promise, context)
            case .file(let header, let region):
                encoder.writeDataHeader(header, into: &buffer)
                activity.frames.note(.sent, .data, buffer.readableBytes + header.length)
                context.write(wrapOutboundOut(.byteBuffer(buffer)), promise: nil)
                context.write(wrapOutboundOut(.fileRegion(region)), promise: promise)
            }
        } catch {
            promise?.fail(error)
            context.fireErrorCaught(error)
        }
    }

    /// Writes bytes of any length in portions, because TLS allocates a buffer for all bytes that are flushed together.
    private func write(_ bytes: ByteBuffer, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext) {
        var rest = bytes
        while opening.isEncrypted, rest.readableBytes > Self.flushLength,
            let portion = rest.readSlice(length: Self.flushLength)
        {
            context.writeAndFlush(wrapOutboundOut(.byteBuffer(portion)), promise: nil)
        }
        context.write(wrapOutboundOut(.byteBuffer(rest)), promise: promise)
    }

    /// Sends the preface and the hello before the conversation has started.
    func greet(_ hello: Hello, _ context: ChannelHandlerContext) {
        var buffer = context.channel.allocator.buffer(capacity: 512)
        encoder.writePreface(into: &buffer)
        do {
            let start = buffer.readableBytes
            try encoder.write(.hello(hello), into: &buffer)
            activity.frames.note(.sent, .hello, buffer.readableBytes - start)
        } catch {
            proof?.fail(error)
            return context.close(promise: nil)
        }
        opening.greeted()
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(buffer)), promise: nil)
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
        // One pong is under way at most, so the machine is told when it has left.
        let left = context.eventLoop.makePromise(of: Void.self)
        let box = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        left.futureResult.whenSuccess {
            let (handler, context) = box.value
            handler.perform(handler.pings.pongWritten(), context)
        }
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(buffer)), promise: left)
    }
}
