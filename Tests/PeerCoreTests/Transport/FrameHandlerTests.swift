import NIOCore
import NIOEmbedded
import NIOSSL
import NIOTLS
import PeerTestSupport
import Testing

@testable import PeerCore

/// What the end of the pipeline holds, whatever a peer sends.
@Suite struct FrameHandlerTests {
    private let activity = ActivityStamp()

    private func channel(limits: ProtocolLimits = .standard) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(
            handler: FrameHandler(
                opening: ConnectionOpening(.byEvent, preface: .hikeshare),
                limits: limits,
                activity: activity,
                proof: nil
            )
        )
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        try channel.writeInbound(ByteBuffer(bytes: Preface.hikeshare.bytes))
        return channel
    }

    private func tinyFrames(_ count: Int) -> ByteBuffer {
        var buffer = ByteBuffer()
        for index in 0..<count {
            FrameEncoder(preface: .hikeshare).writeDataHeader(
                DataHeader(resource: 0, offset: UInt64(index), length: 1),
                into: &buffer
            )
            buffer.writeInteger(UInt8(truncatingIfNeeded: index))
        }
        return buffer
    }

    private func header(_ type: FrameType, length: Int) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.writeMultipleIntegers(type.rawValue, UInt8(0), UInt16(0), UInt32(length))
        return buffer
    }

    private func inboundCount(_ channel: EmbeddedChannel) throws -> Int {
        var count = 0
        while try channel.readInbound(as: Inbound.self) != nil { count += 1 }
        return count
    }

    @Test func aReadOfTinyFramesIsPassedOnPieceByPiece() throws {
        let channel = try channel()
        try channel.writeInbound(tinyFrames(5000))
        let first = try inboundCount(channel)
        #expect(first <= FrameHandler.maximumInboundCount)
        // More comes behind what is held back.
        try channel.writeInbound(tinyFrames(10))
        #expect(try inboundCount(channel) == 0)
        var (count, rounds) = (first, 0)
        while count < 2 * 5010, rounds < 100 {
            channel.pipeline.read()
            let more = try inboundCount(channel)
            #expect(more <= FrameHandler.maximumInboundCount)
            (count, rounds) = (count + more, rounds + 1)
        }
        #expect(count == 2 * 5010)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    @Test func whatIsHeldBackGoesOnByItselfForWhoeverTakesIt() throws {
        let channel = try channel()
        try channel.writeInbound(tinyFrames(5000))
        channel.pipeline.read()
        channel.embeddedEventLoop.run()
        #expect(try inboundCount(channel) == 10_000)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    @Test func nobodyMayBeginALongFrameBeforeItIsAwaited() throws {
        for isAwaited in [false, true] {
            let channel = try channel()
            if isAwaited { try channel.triggerUserOutboundEvent(FrameHandler.LongFramesAwaited()).wait() }
            try channel.writeInbound(header(.manifest, length: 65_537))
            let piece = try channel.readInbound(as: Inbound.self)
            guard case .invalid(let error) = piece else {
                #expect(piece == nil && isAwaited)
                continue
            }
            #expect(error.code == .limitExceeded && !isAwaited)
        }
    }

    @Test func theBeginningOfAFrameKeepsNoLongBuffer() throws {
        let channel = try channel()
        #expect(activity.unfinishedSince == nil)
        try channel.writeInbound(header(.hello, length: 65_536))
        let since = try #require(activity.unfinishedSince)
        var long = channel.allocator.buffer(capacity: 1 << 20)
        long.writeRepeatingByte(0x20, count: 100)
        try channel.writeInbound(long)
        let handler = try channel.pipeline.syncOperations.handler(type: FrameHandler.self)
        #expect(handler.unread.capacity <= 1024)
        #expect(activity.unfinishedSince == since)
        #expect(activity.last != nil)
    }

    private func encryptedChannel(behind handlers: [any ChannelHandler] = []) throws -> EmbeddedChannel {
        let certificate = PeerCertificate()
        #expect(certificate.verify([try PeerIdentity.generate(for: .hikeshare).certificate]) == .certificateVerified)
        let opening = ConnectionOpening(
            .byEvent,
            preface: .hikeshare,
            applicationProtocol: "test",
            peerCertificate: certificate
        )
        let last = FrameHandler(opening: opening, limits: .standard, activity: activity, proof: nil)
        let channel = EmbeddedChannel()
        for handler in handlers { try channel.pipeline.syncOperations.addHandler(handler) }
        try channel.pipeline.syncOperations.addHandler(last)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        channel.pipeline.fireUserInboundEventTriggered(TLSUserEvent.handshakeCompleted(negotiatedProtocol: "test"))
        return channel
    }

    /// The bytes of each data frame, the other frames, and where they stood.
    private func content(_ channel: EmbeddedChannel) throws -> [String] {
        var content: [String] = []
        var bytes: [UInt8] = []
        while let piece = try channel.readInbound(as: Inbound.self) {
            // Each has an identity of its own.
            if case .opened = piece { continue }
            if case .data(let buffers) = piece {
                for buffer in buffers { bytes += buffer.readableBytesView }
                continue
            }
            if !bytes.isEmpty { content.append("\(bytes.count) \(ContentDigest(hashing: bytes).hex)") }
            bytes = []
            content.append("\(piece)")
        }
        return content + ["\(bytes.count) \(ContentDigest(hashing: bytes).hex)"]
    }

    /// Bytes of data frames are taken from the buffer of TLS, all others from a copy of it.
    @Test(arguments: 0..<20)
    func decryptedBytesSayTheSameWhereverTheyAreCut(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let encoder = FrameEncoder(preface: .hikeshare)
        var stream = ByteBuffer(bytes: Preface.hikeshare.bytes)
        for number in 0..<40 {
            if Bool.random(using: &random) {
                let length = [1, 11, 600, 20_000, 1_000_000].randomElement(using: &random) ?? 1
                let offset = UInt64.random(in: 0..<1_000_000, using: &random)
                encoder.writeDataHeader(DataHeader(resource: number, offset: offset, length: length), into: &stream)
                stream.writeBytes((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) })
            } else {
                try encoder.write(.cancel(Cancellation(reason: "\(number)")), into: &stream)
            }
        }
        let whole = try encryptedChannel()
        try whole.writeInbound(stream)
        let expected = try content(whole)
        #expect(expected.count > 40 && !expected.contains { $0.hasPrefix("invalid") })
        let cut = try encryptedChannel()
        var rest = stream
        while rest.readableBytes > 0 {
            let longest = [3, 30, 5000, 1 << 20].randomElement(using: &random) ?? 1
            let length = min(rest.readableBytes, Int.random(in: 1...longest, using: &random))
            guard var slice = rest.readSlice(length: length) else { break }
            // TLS hands over a buffer of its own, which it then uses again.
            slice = ByteBuffer(buffer: slice)
            cut.pipeline.fireChannelRead(slice)
            if Bool.random(using: &random) { cut.pipeline.fireChannelReadComplete() }
        }
        cut.pipeline.fireChannelReadComplete()
        #expect(try content(cut) == expected)
    }

    /// Long frames of a link have their own memory and fill it, wherever their bytes are cut, so that a link can keep the payload.
    ///
    /// One that comes in the same read as the end of another one that was cut may be copied once more.
    @Test(arguments: 0..<10)
    func longFramesOfALinkFillTheirMemory(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let encoder = FrameEncoder(preface: .hikeshare)
        var stream = ByteBuffer(bytes: Preface.hikeshare.bytes)
        let expected = (0..<40).map { number in
            ByteBuffer(repeating: UInt8(number), count: [16_376, 16_376, 9000, 5].randomElement(using: &random) ?? 1)
        }
        for payload in expected { try encoder.write(.record(Record(.bytes, payload: payload)), into: &stream) }
        let channel = try encryptedChannel()
        channel.pipeline.triggerUserOutboundEvent(FrameHandler.LongFramesAwaited(), promise: nil)
        while stream.readableBytes > 0 {
            let length = Int.random(in: 1...[30, 5000, 70_000][Int.random(in: 0..<3, using: &random)], using: &random)
            guard let slice = stream.readSlice(length: min(stream.readableBytes, length)) else { break }
            channel.pipeline.fireChannelRead(ByteBuffer(buffer: slice))
        }
        channel.pipeline.fireChannelReadComplete()
        var payloads: [ByteBuffer] = []
        while let input = try channel.readInbound(as: Inbound.self) {
            if case .frame(.record(let record)) = input { payloads.append(record.payload) }
        }
        #expect(payloads == expected)
        // A short frame is copied together with what follows it in the same read.
        let pairs = zip(payloads, payloads.dropFirst())
        let long = pairs.filter { $0.readableBytes == 16_376 && $1.readableBytes == 16_376 }
        #expect(long.count { $1.storageCapacity == 16_384 } * 2 >= long.count)
    }

    /// A pong cannot be written to a connection that the peer has reset, and NIO then reads all that is left.
    @Test func whatArrivesInTheMiddleOfAReadComesAfterIt() throws {
        let socket = FailingSocket()
        let channel = try encryptedChannel(behind: [socket])
        let hello = Frame.hello(RawPeer.hello(encryption: .required))
        channel.writeAndFlush(Outbound.frame(hello), promise: nil)

        let content = (0..<1_400_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        let encoder = FrameEncoder(preface: .hikeshare)
        var bytes = ByteBuffer(bytes: Preface.hikeshare.bytes)
        try encoder.write(hello, into: &bytes)
        try encoder.write(.ping(Ping(nonce: 1)), into: &bytes)
        for piece in [content.prefix(700_000), content.suffix(700_000)] {
            let offset = UInt64(piece.startIndex)
            encoder.writeDataHeader(DataHeader(resource: 0, offset: offset, length: piece.count), into: &bytes)
            bytes.writeBytes(piece)
        }
        socket.rest = bytes.getSlice(at: 1_000_000, length: bytes.writerIndex - 1_000_000)
        bytes.moveWriterIndex(to: 1_000_000)
        try channel.writeInbound(bytes)

        #expect(socket.rest == nil, "nothing was written")
        var received: [UInt8] = []
        while let piece = try channel.readInbound(as: Inbound.self) {
            switch piece {
            case .data(let buffers): for buffer in buffers { received += buffer.readableBytesView }
            case .invalid(let error): Issue.record("\(error)")
            default: break
            }
        }
        // Finding the difference of so many bytes takes minutes.
        let isWhole = received == content
        #expect(isWhole)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    @Test func aWholeFrameOwesNothing() throws {
        let channel = try channel()
        var buffer = ByteBuffer()
        try FrameEncoder(preface: .hikeshare).write(.ping(Ping(nonce: 1)), into: &buffer)
        let read = buffer.readSlice(length: 5)
        let start = try #require(read)
        try channel.writeInbound(start)
        #expect(activity.unfinishedSince != nil)
        try channel.writeInbound(buffer)
        #expect(activity.unfinishedSince == nil)
        try channel.writeInbound(tinyFrames(5000))
        // What waits for the driver is not owed by the peer.
        #expect(activity.unfinishedSince == nil)
    }

    /// A peer may leave out pongs.
    @Test func aPongAnswersEveryPingBeforeIt() throws {
        let channel = try channel()
        var buffer = ByteBuffer()
        let encoder = FrameEncoder(preface: .hikeshare)
        try encoder.write(.hello(RawPeer.hello()), into: &buffer)
        try channel.writeInbound(buffer)
        let pings = (0..<4).map { _ in channel.eventLoop.makePromise(of: Void.self) }
        let answers = Locked([Bool?](repeating: nil, count: pings.count))
        for (index, ping) in pings.enumerated() {
            ping.futureResult.whenComplete { result in
                answers.withLock { $0[index] = (try? result.get()) != nil }
            }
            try channel.writeOutbound(Outbound.ping(answered: ping))
        }
        for (nonce, expected) in [(UInt32(1), [true, nil, nil, nil]), (3, [true, true, true, nil])] {
            buffer.clear()
            try encoder.write(.pong(Ping(nonce: nonce)), into: &buffer)
            try channel.writeInbound(buffer)
            #expect(answers.value == expected)
        }
        _ = try channel.finish(acceptAlreadyClosed: true)
        #expect(answers.value == [true, true, true, false])
    }
}

/// A socket whose next write fails, so that all that has arrived is read.
private final class FailingSocket: ChannelOutboundHandler {
    typealias OutboundIn = IOData
    typealias InboundOut = ByteBuffer

    /// What has arrived; nil once it is read.
    var rest: ByteBuffer?

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        promise?.fail(ChannelError.ioOnClosedChannel)
        guard let rest else { return }
        self.rest = nil
        context.fireChannelRead(NIOAny(rest))
        context.fireChannelReadComplete()
    }
}
