import NIOCore
import PeerTestSupport
import Testing

@testable import PeerProtocol

/// Random applications at both sides of a link whose connections break at any frame.
@Suite struct LossyLinkTests {
    /// What one side has written to a stream, and what the other has read of it.
    private struct Conversation {
        var writer: Int
        var kind: StreamOpening.Kind
        var written: [Message] = []
        var read: [Message] = []
        var bytesWritten: [UInt8] = []
        var bytesRead: [UInt8] = []
        var isRead = true
    }

    private static var limits: LinkLimits {
        var limits = LinkLimits.standard
        limits.maximumMessageLength = 40_000
        limits.firstWindow = 16_384
        limits.maximumWindow = 131_072
        limits.windowBudget = 500_000
        limits.maximumKeptLength = 150_000
        return limits
    }

    @Test(arguments: 0..<24 as Range<UInt64>)
    func everyMessageArrivesOnceAndInOrder(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var pair = LinkPair(limits: Self.limits)
        var streams: [UInt32: Conversation] = [:]
        for side in 0..<2 {
            for kind in [.messages, .messages, .bytes, .bytes, .messages] as [StreamOpening.Kind] {
                guard case .use(let stream) = pair.sides[side].mux.open(kind, named: "a", isOneWay: true) else {
                    Issue.record("not opened")
                    continue
                }
                streams[stream] = Conversation(writer: side, kind: kind)
            }
        }
        // Of each side one stream is not read before the end.
        for side in 0..<2 {
            if let stream = streams.keys.sorted().last(where: { streams[$0]?.writer == side }) {
                streams[stream]?.isRead = false
            }
        }
        for _ in 0..<1500 {
            try step(&pair, &streams, using: &random)
            check(pair, seed)
        }
        for stream in streams.keys.sorted() {
            streams[stream]?.isRead = true
            if let writer = streams[stream]?.writer { pair.sides[writer].mux.finish(stream) }
        }
        if !pair.sides[0].link.isAttached { pair.connect() }
        for _ in 0..<2000 where pair.sides.contains(where: { !$0.mux.streams.isEmpty }) {
            pair.now += .milliseconds(20)
            for side in 0..<2 {
                pair.flush(side)
                while !pair.queues[1 - side].isEmpty { try pair.deliver(to: 1 - side) }
            }
            for stream in streams.keys { try read(stream, .max, &pair, &streams) }
        }
        check(pair, seed)
        for (stream, conversation) in streams {
            #expect(conversation.read == conversation.written, "seed \(seed), stream \(stream)")
            #expect(conversation.bytesRead == conversation.bytesWritten, "seed \(seed), stream \(stream)")
            #expect(pair.sides[1 - conversation.writer].finished.contains(stream), "seed \(seed), stream \(stream)")
        }
        #expect(pair.sides.allSatisfy { $0.mux.streams.isEmpty && $0.mux.heldLength == 0 }, "seed \(seed)")
        #expect(streams.values.contains { !$0.written.isEmpty } && pair.breakCount > 5 && pair.replayCount > 5)
    }

    private func check(_ pair: LinkPair, _ seed: UInt64) {
        for side in pair.sides {
            if let error = side.violation { Issue.record("seed \(seed): \(error)") }
            #expect(side.mux.heldLength <= Self.limits.maximumHeldLength)
            for (stream, count) in side.arrived {
                let first = UInt64(max(Self.limits.firstWindow, Self.limits.messageWindow))
                #expect(count <= max(first, side.allowed[stream] ?? 0), "seed \(seed), stream \(stream)")
            }
        }
    }

    private func step(
        _ pair: inout LinkPair,
        _ streams: inout [UInt32: Conversation],
        using random: inout SeededGenerator
    ) throws {
        pair.now += .milliseconds(Int.random(in: 0..<8, using: &random))
        let side = Int.random(in: 0..<2, using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<25:
            let own = streams.keys.sorted().filter { streams[$0]?.writer == side }
            guard let stream = own.randomElement(using: &random) else { return }
            write(stream, &pair, &streams, using: &random)
        case 25..<50: pair.flush(side, atMost: Int.random(in: 1..<70_000, using: &random))
        case 50..<80:
            for _ in 0..<Int.random(in: 0..<6, using: &random) { try pair.deliver(to: side) }
        case 80..<97:
            guard let stream = streams.keys.sorted().randomElement(using: &random), streams[stream]?.isRead == true
            else { return }
            try read(stream, Int.random(in: 1..<30_000, using: &random), &pair, &streams)
        default:
            if pair.sides[0].link.isAttached { try pair.cut(using: &random) } else { pair.connect() }
        }
        if !pair.sides[0].link.isAttached, Int.random(in: 0..<10, using: &random) == 0 { pair.connect() }
    }

    private func write(
        _ stream: UInt32,
        _ pair: inout LinkPair,
        _ streams: inout [UInt32: Conversation],
        using random: inout SeededGenerator
    ) {
        guard let conversation = streams[stream] else { return }
        let length = Int.random(in: 0...(Bool.random(using: &random) ? 300 : 40_000), using: &random)
        let bytes = random.bytes(length)
        if conversation.kind == .bytes {
            let action = pair.sides[conversation.writer].mux.write(ByteBuffer(bytes: bytes), to: stream)
            if action == .queued { streams[stream]?.bytesWritten += bytes }
        } else {
            let message = Message(.bytes, payload: ByteBuffer(bytes: bytes))
            if pair.sides[conversation.writer].mux.write(message, to: stream) == .queued {
                streams[stream]?.written.append(message)
            }
        }
    }

    private func read(
        _ stream: UInt32,
        _ length: Int,
        _ pair: inout LinkPair,
        _ streams: inout [UInt32: Conversation]
    ) throws {
        guard let conversation = streams[stream] else { return }
        let reader = 1 - conversation.writer
        let now = pair.now
        if conversation.kind == .bytes {
            let bytes = pair.sides[reader].mux.readBytes(stream, atMost: length, at: now, roundTrip: .milliseconds(30))
            streams[stream]?.bytesRead += Array(bytes.readableBytesView)
        } else {
            while let message = try pair.sides[reader].mux.readMessage(stream) {
                streams[stream]?.read.append(message)
                if length < 10_000 { break }
            }
        }
    }
}
