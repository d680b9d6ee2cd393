import NIOCore
import PeerProtocol
import PeerTestSupport
import Testing

/// How much memory a peer can occupy that does everything to occupy much.
@Suite struct HostilePeerTests {
    private static let now = ContinuousClock.now

    private static var limits: LinkLimits {
        var limits = LinkLimits.standard
        limits.maximumMessageLength = 20_000
        limits.firstWindow = 16_384
        limits.windowBudget = 1024 * 1024
        return limits
    }

    private static func mux() -> MuxStateMachine {
        var mux = MuxStateMachine(
            hasEvenNumbers: true,
            limits: limits,
            peer: .init(window: 16_777_216, maximumMessageLength: 16_777_216)
        )
        mux.attached()
        return mux
    }

    private static func place(_ content: String) -> Int {
        limits.places.first { $0.content.contains(content) }?.maximumLength ?? 0
    }

    /// Fills every stream that it can open, in pieces of one length, to the last byte that it is allowed.
    @Test(arguments: [16, 255, 4097, 65_536])
    func fullWindowsAreWithinTheBound(length: Int) throws {
        var mux = Self.mux()
        var held = 0
        var streams: [UInt32] = []
        for number in 0..<300 as Range<UInt32> {
            let kind: StreamOpening.Kind = number < 20 ? .messages : .bytes
            let opening = StreamOpening(
                stream: 2 * number + 1,
                kind: kind,
                isOneWay: kind == .messages,
                name: "a"
            )
            if case .offer = mux.receivedOpen(opening) {
                mux.accept(opening.stream)
                streams.append(opening.stream)
            }
        }
        #expect(streams.count > 40)
        for stream in streams {
            var content = try content(stream < 40 ? .messages : .bytes)
            while content.readableBytes > 0,
                let piece = content.readSlice(length: min(length, content.readableBytes))
            {
                expect(mux.received(StreamBytes(stream: stream, bytes: piece)), equals: .readable)
            }
            held = max(held, mux.heldLength)
        }
        let bound = Self.place("messages not") + Self.place("bytes not")
        #expect(held <= bound)
        // The bound is not far from what can be reached.
        #expect(held > bound / 2)
    }

    /// As much as a stream may carry at first: messages of 16 KiB, or any bytes.
    private func content(_ kind: StreamOpening.Kind) throws -> ByteBuffer {
        guard kind == .messages else { return ByteBuffer(repeating: 0, count: Self.limits.firstWindow) }
        let message = Message(.bytes, payload: ByteBuffer(repeating: 0, count: 16_380))
        let whole = try MessageFraming.join(message, maximumPayloadLength: 20_000)
        var content = ByteBuffer()
        while content.readableBytes < Self.limits.messageWindow { content.writeImmutableBuffer(whole) }
        content.moveWriterIndex(to: Self.limits.messageWindow)
        return content
    }

    /// One more byte than allowed ends the link and is not kept; what came before can be read.
    @Test func theFirstByteTooManyIsNotKept() {
        var mux = Self.mux()
        _ = mux.receivedOpen(StreamOpening(stream: 1, kind: .bytes, isOneWay: false, name: "a"))
        _ = mux.received(StreamBytes(stream: 1, bytes: ByteBuffer(repeating: 0, count: 16_384)))
        guard case .violated = mux.received(StreamBytes(stream: 1, bytes: ByteBuffer(repeating: 0, count: 1))) else {
            Issue.record("taken")
            return
        }
        #expect(mux.heldLength == 16_384)
    }

    @Test(arguments: [0, 1, 100, 16_384])
    func droppableMessagesAreWithinTheBound(length: Int) {
        var mux = Self.mux()
        for number in 0..<3000 {
            let message = DroppableMessage(
                channel: Sample.linkName("main"),
                key: "\(number)",
                message: Message(.bytes, payload: ByteBuffer(repeating: 0, count: length))
            )
            _ = mux.received(message)
        }
        #expect(mux.heldLength <= Self.place("droppable"))
        #expect(mux.heldLength > Self.place("droppable") / 2)
    }

    /// It opens streams and never reads that they are refused.
    @Test func refusalsThatAreNotReadEndTheLink() {
        var mux = Self.mux()
        var count = 0
        for number in 0..<5000 as Range<UInt32> {
            let opening = StreamOpening(stream: 2 * number + 1, kind: .bytes, isOneWay: false, name: "a")
            if case .violated(let error) = mux.receivedOpen(opening) {
                #expect(error.code == .limitExceeded)
                break
            }
            mux.cancel(opening.stream, code: .notTaken, reason: "Nothing takes it.")
            count += 1
        }
        #expect(count == Self.limits.maximumControlCount)
    }

    /// It does not acknowledge anything.
    @Test(arguments: [8, 100, 16_384])
    func keptRecordsAreWithinTheBound(length: Int) {
        var link = LinkStateMachine(limits: Self.limits, start: Self.now)
        _ = link.prepare(at: Self.now)
        _ = link.attached(to: 1, received: 0)
        let record = LinkStateMachineTests.record(1, length: length)
        var held = 0
        while link.send(record) == .write { held += record.payload.storageCapacity }
        #expect(held <= Self.place("acknowledged"))
        #expect(held > Self.place("acknowledged") / 16)
    }

    @Test func theStandardBoundIsKnown() {
        let lengths = LinkLimits.standard.places.map(\.maximumLength)
        #expect(lengths.reduce(0, +) == LinkLimits.standard.maximumHeldLength)
        #expect(LinkLimits.standard.maximumHeldLength < 32 * 1024 * 1024)
        var oneChannel = LinkLimits.standard
        oneChannel.maximumChannelCount = 1
        #expect(oneChannel.maximumHeldLength < 17 * 1024 * 1024)
    }
}
