import Dispatch
import Foundation
import NIOCore
import PeerProtocol
import PeerTestSupport
import Testing

@testable import PeerCore

/// What goes over an open connection.
@Suite(.timeLimit(.minutes(10))) struct NetworkConnectionTests {
    @Test func framesComeInOrderBothWays() async throws {
        try await NetworkPair().connected { accepted, connecting in
            for (sender, receiver) in [(accepted, connecting), (connecting, accepted)] {
                for number in 0..<100 {
                    sender.connection.send([.numbered(3 * number), .numbered(3 * number + 1)], written: nil)
                    sender.connection.send(.numbered(3 * number + 2))
                }
                for number in 0..<300 { #expect(await receiver.nextFrame() == .numbered(number)) }
            }
        }
    }

    /// Notes how many bytes are flushed together.
    private final class FlushNotes: ChannelOutboundHandler, Sendable {
        typealias OutboundIn = IOData
        typealias OutboundOut = IOData

        let lengths = Locked([0])

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            lengths.withLock { $0[$0.count - 1] += unwrapOutboundIn(data).readableBytes }
            context.write(data, promise: promise)
        }

        func flush(context: ChannelHandlerContext) {
            lengths.withLock { $0.append(0) }
            context.flush()
        }
    }

    /// TLS keeps a buffer for the most bytes that were ever flushed together.
    @Test func whatIsFlushedTogetherFitsIntoOneBuffer() async throws {
        try await NetworkPair().connected { accepted, connecting in
            let notes = FlushNotes()
            let channel = try connecting.channel
            try await channel.eventLoop.submit {
                let pipeline = channel.pipeline.syncOperations
                try pipeline.addHandler(notes, position: .before(pipeline.handler(type: FrameHandler.self)))
            }.get()
            let records = (0..<20).map { byte in
                Frame.record(Record(.bytes, payload: ByteBuffer(repeating: byte, count: 16_376)))
            }
            let droppable = DroppableMessage(
                channel: try #require(LinkName("main")),
                key: "",
                message: Message(.bytes, payload: ByteBuffer(repeating: 1, count: 16_000))
            )
            let frames = records + [.droppable(droppable)] + records
            connecting.connection.send(frames) {}
            for frame in frames { #expect(await accepted.nextFrame() == frame) }
            let lengths = notes.lengths.value
            #expect(lengths.reduce(0, +) > 41 * 16_000)
            #expect(lengths.allSatisfy { $0 <= FrameHandler.flushLength }, "\(lengths)")
            #expect(lengths.contains { $0 > 100_000 }, "\(lengths)")
        }
    }

    @Test func whatIsSentLaterOnTheEventLoopOvertakesNothing() async throws {
        try await NetworkPair().connected { accepted, connecting in
            let connection = connecting.connection
            try await connecting.channel.eventLoop.submit {
                let isSent = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    connection.send(.numbered(1))
                    isSent.signal()
                }
                isSent.wait()
                connection.send(.numbered(2))
            }.get()
            #expect(await accepted.nextFrame() == .numbered(1))
            #expect(await accepted.nextFrame() == .numbered(2))
        }
    }

    @Test func longFramesComeOnceTheyAreAwaited() async throws {
        let long = Frame.manifest(Data(count: 200_000))
        try await NetworkPair().connected { accepted, connecting in
            accepted.connection.awaitLongFrames()
            accepted.connection.send(.numbered(0))
            #expect(await connecting.nextFrame() == .numbered(0))
            connecting.connection.send(long)
            #expect(await accepted.nextFrame() == long)
            accepted.connection.send(long)
            guard case .invalid(let error) = await connecting.next() else { throw ScriptError("not invalid") }
            #expect(error.code == .limitExceeded)
        }
    }

    @Test func whoSendsLearnsOnceThatItIsWritten() async throws {
        try await NetworkPair().connected { accepted, connecting in
            let (written, writtenIn) = AsyncStream.makeStream(of: Int.self)
            connecting.connection.send([]) { writtenIn.yield(0) }
            connecting.connection.send([.numbered(1), .numbered(2)]) { writtenIn.yield(1) }
            connecting.connection.send([.numbered(3)]) { writtenIn.finish() }
            var all: [Int] = []
            for await number in written { all.append(number) }
            #expect(all == [0, 1])
            #expect(await accepted.nextFrame() == .numbered(1))
        }
    }

    @Test func whoSendsLearnsOnceThatTheConnectionIsClosed() async throws {
        let pair = try NetworkPair()
        let count = 600
        try await pair.accepting { connection, _ in
            // Nothing is read behind the first event.
            await connection.run { _ in while (try? await Task.sleep(for: .seconds(3600))) != nil {} }
        } _: { address in
            let connecting = try await pair.connect(to: address)
            async let run: Void = connecting.run()
            try await connecting.opened()
            let calls = Locked([Int](repeating: 0, count: count + 2))
            let (written, writtenIn) = AsyncStream.makeStream(of: Int.self)
            let send: @Sendable (Frame, Int) -> Void = { frame, number in
                connecting.connection.send([frame]) {
                    calls.withLock { $0[number] += 1 }
                    writtenIn.yield(number)
                }
            }
            send(.numbered(1), 0)
            for await number in written {
                #expect(number == 0)
                break
            }
            // The system has no room for all of them.
            for number in 1...count { send(.long, number) }
            #expect(calls.value.contains(0))
            connecting.connection.abort()
            await run
            send(.long, count + 1)
            // In any order.
            for await _ in written.prefix(count + 1) {}
            #expect(calls.value == [Int](repeating: 1, count: count + 2))
        }
    }

    @Test func aPingIsAnswered() async throws {
        try await NetworkPair().connected { accepted, connecting in
            async let greeted: Void = accepted.greet()
            try await connecting.greet()
            try await greeted
            let start = ContinuousClock.now
            accepted.connection.sendKeepAlive()
            let duration = try #require(await accepted.connection.roundTrip())
            #expect(duration > .zero && duration <= ContinuousClock.now - start)
            let durations = await withTaskGroup(of: Duration?.self) { group in
                for _ in 0..<20 { group.addTask { await connecting.connection.roundTrip() } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(durations.count == 20 && !durations.contains(nil))
            // Both are signs of life only.
            connecting.connection.send(.numbered(1))
            #expect(await accepted.nextFrame() == .numbered(1))
        }
    }

    /// A peer to which no hello was sent passes pings on and answers none.
    @Test func aPingThatIsNotAnsweredEndsWithTheConnectionOrTheTask() async throws {
        try await NetworkPair().connected { accepted, connecting in
            let first = Task { await connecting.connection.roundTrip() }
            let second = Task { await connecting.connection.roundTrip() }
            for _ in 0..<2 {
                guard case .ping = await accepted.nextFrame() else { throw ScriptError("no ping") }
            }
            first.cancel()
            #expect(await first.value == nil)
            accepted.connection.abort()
            #expect(await second.value == nil)
            #expect(await connecting.next() == nil)
            #expect(await connecting.connection.roundTrip() == nil)
        }
    }

    @Test func whoDoesNotFinishAFrameIsCutOff() async throws {
        var pair = try NetworkPair()
        pair.listening.stallTimeout = .milliseconds(200)
        try await pair.accepting { [pair] address, ends in
            try await RawPeer.connected(to: address, security: .encrypted(pair.connector.identity)) { peer in
                await peer.send(Preface.hikeshare.bytes)
                let accepted = try await ends.next()
                try await accepted.opened()
                await peer.sendFrame(type: FrameType.hello.rawValue, length: 1000, payload: [0x20])
                await peer.waitForEnd()
                #expect(peer.isCutOff)
                #expect(await accepted.next() == nil)
            }
        }
    }

    /// It sends signs of life, so that it does not count as silent.
    @Test func whoDoesNotReadIsCutOff() async throws {
        var pair = try NetworkPair()
        pair.listening.silenceTimeout = .seconds(1)
        let (ends, endsIn) = AsyncStream.makeStream(of: ConnectionEnd.self)
        try await pair.accepting { connection, _ in
            let end = ConnectionEnd(connection)
            endsIn.yield(end)
            await end.run()
        } _: { [pair] address in
            let connecting = try await pair.connect(to: address)
            let isOver = Locked(false)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    await connecting.connection.run { _ in
                        // Nothing is read behind the first event.
                        while !isOver.value {
                            connecting.connection.send(.numbered(1))
                            try? await Task.sleep(for: .milliseconds(100))
                        }
                    }
                }
                for await end in ends {
                    try await end.opened()
                    let started = Locked(false)
                    // More than both kernels take.
                    for _ in 0..<600 { end.connection.send([.long]) { started.set(true) } }
                    while let event = await end.next() { if case .invalid = event { Issue.record("invalid") } }
                    #expect(started.value)
                    break
                }
                isOver.set(true)
                group.cancelAll()
            }
        }
    }

    @Test(arguments: [true, false]) func whatIsNoFrameOfALinkIsReportedAndEndsTheConnection(isData: Bool) async throws {
        var pair = try NetworkPair()
        pair.listening.lingerTimeout = .milliseconds(100)
        try await pair.accepting { [pair] address, ends in
            try await RawPeer.connected(to: address, security: .encrypted(pair.connector.identity)) { peer in
                await peer.send(Preface.hikeshare.bytes)
                if isData {
                    await peer.sendData(0, offset: 0, [1, 2, 3])
                } else {
                    await peer.sendFrame(type: 0xFF, flags: 0xFF, payload: [1])
                }
                let accepted = try await ends.next()
                try await accepted.opened()
                guard case .invalid(let error) = await accepted.next() else { throw ScriptError("not invalid") }
                #expect(error.code == (isData ? .unexpectedFrame : .invalidFrame))
                // The driver may say why.
                accepted.connection.send(.failure(Failure(code: error.code.description, message: error.message)))
                accepted.connection.finish()
                try await peer.send(.numbered(1))
                #expect(await peer.lastFailure()?.code == error.code.description)
                #expect(await accepted.next() == nil)
                await peer.waitForEnd()
                #expect(!peer.isCutOff)
            }
        }
    }
}
