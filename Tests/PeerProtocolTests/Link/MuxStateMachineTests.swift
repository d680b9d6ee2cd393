import NIOCore
import PeerProtocol
import PeerTestSupport
import Testing

/// Each cell of the table of streams.
@Suite struct MuxStateMachineTests {
    typealias Allowance = MuxStateMachine.PeerAllowance

    static let now = ContinuousClock.now
    static let roundTrip = Duration.milliseconds(10)

    /// The side with the even numbers; it allows messages of 2,000 bytes and windows of 16 KiB.
    static var limits: LinkLimits {
        var limits = LinkLimits.standard
        limits.maximumMessageLength = 2000
        limits.firstWindow = 16_384
        limits.maximumWindow = 65_536
        limits.windowBudget = 200_000
        return limits
    }

    static func mux(_ limits: LinkLimits = limits) -> MuxStateMachine {
        var mux = MuxStateMachine(
            hasEvenNumbers: true,
            limits: limits,
            peer: Allowance(window: 16_384, maximumMessageLength: 2000)
        )
        mux.attached()
        return mux
    }

    static func opening(_ stream: UInt32, _ kind: StreamOpening.Kind = .bytes, isOneWay: Bool? = nil) -> StreamOpening {
        StreamOpening(stream: stream, kind: kind, isOneWay: isOneWay ?? (kind == .messages), name: "name")
    }

    static func bytes(_ stream: UInt32, _ count: Int) -> StreamBytes {
        StreamBytes(stream: stream, bytes: ByteBuffer(repeating: 1, count: count))
    }

    static func turn(_ mux: inout MuxStateMachine, _ length: Int = .max) -> [Record] {
        mux.takeBurst(atMost: length, recordRoom: .max, at: now).compactMap {
            if case .record(let record) = $0 { record } else { nil }
        }
    }

    static func code(_ action: MuxStateMachine.OnReceivedBytes) -> ProtocolError.Code? {
        if case .violated(let error) = action { error.code } else { nil }
    }

    // MARK: open

    @Test func ownStreamsHaveRisingNumbersOfOneParity() {
        for (isEven, numbers) in [(true, [2, 4, 6]), (false, [1, 3, 5])] as [(Bool, [UInt32])] {
            var mux = MuxStateMachine(
                hasEvenNumbers: isEven,
                limits: Self.limits,
                peer: Allowance(window: 16_384, maximumMessageLength: 2000)
            )
            for number in numbers { expect(mux.open(.bytes, named: "a"), equals: .use(number)) }
        }
    }

    @Test(arguments: [(0, false), (1, true), (2, false), (3, true), (5, true)] as [(UInt32, Bool)])
    func aPeersFirstStreamHasAnyNumberOfItsParity(stream: UInt32, isTaken: Bool) {
        var mux = Self.mux()
        let action = mux.receivedOpen(Self.opening(stream))
        if isTaken {
            #expect(action == .offer(Self.opening(stream)))
        } else {
            guard case .violated(let error) = action else {
                Issue.record("taken")
                return
            }
            #expect(error.code == .unexpectedFrame)
        }
    }

    @Test(arguments: [1, 3] as [UInt32])
    func aPeersNumbersRise(second: UInt32) {
        var mux = Self.mux()
        _ = mux.receivedOpen(Self.opening(3))
        guard case .violated = mux.receivedOpen(Self.opening(second)) else {
            Issue.record("taken")
            return
        }
        // Nothing happens after a violation.
        expect(mux.receivedOpen(Self.opening(5)), equals: .refuse)
        expect(mux.received(Self.bytes(5, 1)), equals: .none)
        expect(mux.receivedEnd(StreamEnd(stream: 5, code: .finished)), equals: .none)
        expect(mux.open(.bytes, named: "a"), equals: .refuse)
    }

    @Test func streamsBeyondTheirCountsAreRefused() {
        var limits = Self.limits
        limits.maximumChannelCount = 1
        limits.maximumWaitingCount = 3
        var mux = Self.mux(limits)
        expect(mux.receivedOpen(Self.opening(1, .messages)) != .refuse, equals: true)
        expect(mux.receivedOpen(Self.opening(3, .messages)), equals: .refuse)
        expect(mux.receivedOpen(Self.opening(7)) != .refuse, equals: true)
        expect(mux.receivedOpen(Self.opening(9)) != .refuse, equals: true)
        expect(mux.receivedOpen(Self.opening(11)), equals: .refuse)
        mux.accept(1)
        expect(mux.receivedOpen(Self.opening(13)) != .refuse, equals: true)
        let ends = [3, 11].map { StreamEnd(stream: $0, code: .tooMany).encoded() }
        expect(Self.turn(&mux), equals: ends.map { Record(.end, payload: $0) })
        // What is still on its way on a refused stream is ignored.
        expect(mux.received(Self.bytes(11, 10)), equals: .none)
    }

    /// Who sends messages is told that they are on their way before the channel is offered here.
    @Test func streamsThatWaitDoNotKeepChannelsOut() {
        var limits = Self.limits
        limits.maximumWaitingCount = 1
        var mux = Self.mux(limits)
        expect(mux.receivedOpen(Self.opening(1)) != .refuse, equals: true)
        expect(mux.receivedOpen(Self.opening(3)), equals: .refuse)
        expect(mux.receivedOpen(Self.opening(7, .messages)) != .refuse, equals: true)
    }

    @Test func windowsAreOpenedWithinTheBudget() {
        var limits = Self.limits
        limits.windowBudget = 2 * 16_384
        var mux = Self.mux(limits)
        expect(mux.receivedOpen(Self.opening(1)) != .refuse, equals: true)
        expect(mux.open(.bytes, named: "a"), equals: .use(2))
        expect(mux.open(.bytes, named: "a"), equals: .full)
        expect(mux.open(.bytes, named: "a", isOneWay: true), equals: .use(4))
        expect(mux.receivedOpen(Self.opening(3)), equals: .refuse)
        mux.cancel(2)
        expect(mux.receivedOpen(Self.opening(5)) != .refuse, equals: true)
    }

    @Test(arguments: [("", StreamOpening.Kind.bytes), ("A", .messages), ("", .requests)])
    func ownOpeningsAreChecked(name: String, kind: StreamOpening.Kind) {
        var mux = Self.mux()
        expect(mux.open(kind, named: name), equals: .refuse)
    }

    // MARK: bytes

    @Test func bytesUpToTheLimitAreTakenAndNoMore() {
        var mux = Self.mux()
        _ = mux.receivedOpen(Self.opening(1))
        expect(mux.received(Self.bytes(1, 16_383)), equals: .readable)
        expect(mux.received(Self.bytes(1, 1)), equals: .readable)
        expect(Self.code(mux.received(Self.bytes(1, 1))), equals: .limitExceeded)
    }

    @Test func readingMakesRoomAndNothingElseDoes() {
        var mux = Self.mux()
        _ = mux.receivedOpen(Self.opening(1))
        _ = mux.received(Self.bytes(1, 16_384))
        expect(mux.takeCredits(), equals: [])
        #expect(!mux.hasCredits)
        let read = mux.readBytes(1, atMost: 1000, at: Self.now, roundTrip: Self.roundTrip)
        #expect(read.readableBytes == 1000)
        #expect(mux.hasCredits)
        #expect(!mux.hasUrgentCredits)
        expect(mux.takeCredits(), equals: [Credit.Limit(stream: 1, limit: 17_384)])
        expect(mux.takeCredits(), equals: [])
        expect(mux.received(Self.bytes(1, 1000)), equals: .readable)
        expect(Self.code(mux.received(Self.bytes(1, 1))), equals: .limitExceeded)
    }

    @Test(arguments: [(8191, false), (8192, true)])
    func halfAWindowIsToldAtOnce(count: Int, isUrgent: Bool) {
        var mux = Self.mux()
        _ = mux.receivedOpen(Self.opening(1))
        _ = mux.received(Self.bytes(1, 16_384))
        _ = mux.readBytes(1, atMost: count, at: Self.now, roundTrip: Self.roundTrip)
        #expect(mux.hasUrgentCredits == isUrgent)
    }

    @Test(arguments: [0, 2, 3, 4] as [UInt32])
    func bytesOfAStreamThatNeverWasEndTheLink(stream: UInt32) {
        var mux = Self.mux()
        _ = mux.receivedOpen(Self.opening(1))
        expect(Self.code(mux.received(Self.bytes(stream, 1))), equals: .unexpectedFrame)
    }

    @Test func bytesInTheWrongDirectionEndTheLink() {
        var mux = Self.mux()
        _ = mux.open(.messages, named: "main")
        expect(Self.code(mux.received(Self.bytes(2, 1))), equals: .unexpectedFrame)
    }

    @Test func theEndsOfALimitedNumberOfStreamsAreRemembered() {
        var limits = Self.limits
        limits.maximumEndedCount = 2
        var mux = Self.mux(limits)
        for stream in [1, 3, 5] as [UInt32] {
            _ = mux.receivedOpen(Self.opening(stream))
            mux.cancel(stream, code: .notTaken, reason: "Nothing takes it.")
        }
        expect(mux.received(Self.bytes(3, 1)), equals: .none)
        expect(mux.received(Self.bytes(5, 1)), equals: .none)
        expect(Self.code(mux.received(Self.bytes(1, 1))), equals: .unexpectedFrame)
    }

    // MARK: credit

    @Test func aCreditIsALimitAndNotASum() {
        var mux = Self.mux()
        _ = mux.open(.bytes, named: "a")
        expect(mux.write(ByteBuffer(repeating: 1, count: 65_536), to: 2), equals: .queued)
        func sent() -> Int {
            Self.turn(&mux).filter { $0.kind == .bytes }.reduce(0) { $0 + $1.payload.readableBytes - 4 }
        }
        expect(sent(), equals: 16_384)
        for (limit, expected) in [(16_384, 0), (20_000, 3616), (20_000, 0), (19_000, 0), (21_000, 1000)] {
            expect(mux.received([Credit.Limit(stream: 2, limit: UInt64(limit))]), equals: .ready)
            expect(sent(), equals: expected)
        }
        expect(mux.received([Credit.Limit(stream: 2, limit: .max)]), equals: .ready)
        expect(sent(), equals: 65_536 - 21_000)
    }

    @Test(arguments: [0, 1, 4] as [UInt32])
    func aCreditForAStreamThatNeverWasEndsTheLink(stream: UInt32) {
        var mux = Self.mux()
        _ = mux.open(.bytes, named: "a")
        guard case .violated(let error) = mux.received([Credit.Limit(stream: stream, limit: 1)]) else {
            Issue.record("taken")
            return
        }
        #expect(error.code == .unexpectedFrame)
    }

    @Test func aCreditForAStreamThatHasEndedIsIgnored() {
        var mux = Self.mux()
        _ = mux.open(.bytes, named: "a")
        _ = Self.turn(&mux)
        mux.cancel(2)
        expect(mux.received([Credit.Limit(stream: 2, limit: 1 << 40)]), equals: .ready)
    }

    @Test func limitsAreSentAgainOnANewConnection() {
        var mux = Self.mux()
        _ = mux.receivedOpen(Self.opening(1))
        _ = mux.receivedOpen(Self.opening(3))
        _ = mux.received(Self.bytes(1, 100))
        _ = mux.readBytes(1, atMost: 100, at: Self.now, roundTrip: Self.roundTrip)
        let credits = [Credit.Limit(stream: 1, limit: 16_484)]
        expect(mux.takeCredits(), equals: credits)
        mux.detached()
        mux.attached()
        expect(mux.takeCredits(), equals: credits)
    }

    // MARK: growth of windows

    @Test(
        arguments: [
            (8193, 0, 32_768), (8192, 0, 16_384), (8193, 10, 32_768), (8193, 11, 16_384),
        ]
    )
    func aWindowDoublesIfMoreThanHalfIsReadInARoundTrip(count: Int, milliseconds: Int, window: Int) {
        var mux = Self.mux()
        _ = mux.receivedOpen(Self.opening(1))
        _ = mux.received(Self.bytes(1, 16_384))
        _ = mux.readBytes(1, atMost: 1, at: Self.now, roundTrip: Self.roundTrip)
        let later = Self.now + .milliseconds(milliseconds)
        _ = mux.readBytes(1, atMost: count - 1, at: later, roundTrip: Self.roundTrip)
        expect(mux.takeCredits(), equals: [Credit.Limit(stream: 1, limit: UInt64(count + window))])
    }

    @Test(
        arguments: [(200_000, 65_536), (65_536, 65_536), (65_535, 32_768), (32_768, 32_768)] as [(Int, UInt64)]
    )
    func windowsGrowWithinTheirMaximumAndTheBudget(budget: Int, largest: UInt64) {
        var limits = Self.limits
        limits.windowBudget = budget
        var mux = Self.mux(limits)
        _ = mux.receivedOpen(Self.opening(1))
        var limit: UInt64 = 16_384
        var received: UInt64 = 0
        for _ in 0..<10 {
            _ = mux.received(Self.bytes(1, Int(limit - received)))
            received = limit
            _ = mux.readBytes(1, atMost: .max, at: Self.now, roundTrip: Self.roundTrip)
            limit = mux.takeCredits().first?.limit ?? 0
        }
        #expect(limit - received == largest)
    }
}
