import NIOCore
import PeerTestSupport
import Testing

@testable import PeerProtocol

/// Each cell of the table of requests.
@Suite struct MuxRequestTests {
    private typealias Base = MuxStateMachineTests

    private static let name = Sample.linkName("ask")
    private static let short: UInt32 = 1
    private static let long: UInt32 = 3

    /// A side whose peer has opened its streams of requests.
    private static func mux(_ limits: LinkLimits = Base.limits) -> MuxStateMachine {
        var mux = Base.mux(limits)
        expect(mux.receivedOpen(opening(short, .requests)), equals: .none)
        expect(mux.receivedOpen(opening(long, .longRequests)), equals: .none)
        return mux
    }

    private static func opening(_ stream: UInt32, _ kind: StreamOpening.Kind) -> StreamOpening {
        StreamOpening(stream: stream, kind: kind, isOneWay: false, name: "")
    }

    private static func request(_ number: UInt64, _ length: Int = 2) -> RequestEntry {
        .request(number, name, version: 1, payload: ByteBuffer(repeating: 0x20, count: length))
    }

    private static func asked(_ number: UInt64, _ length: Int = 2) -> MuxStateMachine.RequestEvent {
        .asked(number, name, version: 1, payload: ByteBuffer(repeating: 0x20, count: length))
    }

    private static func send(
        _ entries: RequestEntry...,
        on stream: UInt32 = short,
        to mux: inout MuxStateMachine
    ) -> MuxStateMachine.OnReceivedBytes {
        var bytes = ByteBuffer()
        for entry in entries { bytes.writeImmutableBuffer(entry.encoded()) }
        return mux.received(StreamBytes(stream: stream, bytes: bytes))
    }

    /// The entries that a side sends on its streams and on those of the other side.
    private static func sent(_ mux: inout MuxStateMachine) throws -> [UInt32: [RequestEntry]] {
        var framings: [UInt32: RequestFraming] = [:]
        var entries: [UInt32: [RequestEntry]] = [:]
        for record in Base.turn(&mux) where record.kind == .bytes {
            let bytes = try StreamBytes(decoding: record.payload)
            let stream = bytes.stream
            var framing = framings[stream] ?? RequestFraming(isShort: false, maximumPayloadLength: 3000)
            entries[stream, default: []] += try framing.received(bytes.bytes).map(\.entry)
            framings[stream] = framing
        }
        return entries
    }

    // MARK: This side asks

    @Test func requestsShareTwoStreams() throws {
        var limits = Base.limits
        limits.maximumMessageLength = 10_000
        var mux = MuxStateMachine(
            hasEvenNumbers: true,
            limits: limits,
            peer: .init(window: 16_384, maximumMessageLength: 9000)
        )
        mux.attached()
        let long = String(repeating: "x", count: 9000)
        expect(mux.ask(Self.name, "1"), equals: .asked(2))
        expect(mux.ask(Self.name, "2"), equals: .asked(4))
        expect(mux.ask(Self.name, long), equals: .asked(1))
        expect(mux.ask(Self.name, "3"), equals: .asked(6))
        let records = Base.turn(&mux)
        let openings = [Self.opening(2, .requests), Self.opening(4, .longRequests)]
        expect(records.prefix(2).map(\.payload), equals: openings.map { $0.encoded() })
        // All short requests that wait go in one record, and the long one does not delay them.
        expect(records.dropFirst(2).map(\.kind), equals: [.bytes, .bytes])
        expect(try StreamBytes(decoding: records[2].payload).stream, equals: 2)
        expect(try StreamBytes(decoding: records[3].payload).stream, equals: 4)
        expect(mux.ask(Self.name, long + "x"), equals: .tooLong)
    }

    @Test func answersComeInAnyOrder() {
        var mux = Base.mux()
        _ = mux.ask(Self.name, "1")
        _ = mux.ask(Self.name, "2")
        let answer = ByteBuffer(string: "b")
        let end = RequestEnd(.refused, code: "c", reason: "d")
        expect(
            Self.send(.answer(4, payload: answer), .refusal(2, end), on: 2, to: &mux),
            equals: .requests([.answered(4, payload: answer), .refused(2, end)])
        )
        // Both are over.
        expect(Self.send(.answer(4, payload: answer), .refusal(2, end), on: 2, to: &mux), equals: .none)
        expect(mux.heldLength, equals: 0)
    }

    @Test func anAnswerMayComeOnEitherStream() {
        var mux = Base.mux()
        _ = mux.ask(Self.name, "1")
        let answer = ByteBuffer(repeating: 1, count: 2000)
        expect(
            Self.send(.answer(2, payload: answer), on: 4, to: &mux),
            equals: .requests([.answered(2, payload: answer)])
        )
        expect(mux.takeCredits().map(\.stream), equals: [4])
    }

    @Test func aWithdrawalGoesOverTheShortStream() throws {
        var limits = Base.limits
        limits.maximumMessageLength = 9000
        var mux = MuxStateMachine(
            hasEvenNumbers: true,
            limits: limits,
            peer: .init(window: 16_384, maximumMessageLength: 9000)
        )
        mux.attached()
        expect(mux.ask(Self.name, String(repeating: "x", count: 9000)), equals: .asked(1))
        _ = Base.turn(&mux)
        mux.withdraw(1)
        mux.withdraw(1)
        mux.withdraw(2)
        expect(try Self.sent(&mux), equals: [2: [.withdrawal(1)]])
        // The answer was on its way.
        expect(Self.send(.answer(1, payload: ByteBuffer()), on: 4, to: &mux), equals: .none)
    }

    @Test(arguments: [
        RequestEntry.answer(2, payload: ByteBuffer()), .refusal(4, RequestEnd(.refused)),
        .answer(0, payload: ByteBuffer()),
    ])
    func anAnswerToNoRequestEndsTheLink(entry: RequestEntry) {
        var mux = Base.mux()
        _ = mux.ask(Self.name, String(repeating: "x", count: 2000))
        let isAsked = entry.number == 2
        let outcome = Self.send(entry, on: 2, to: &mux)
        if isAsked { return #expect(Base.code(outcome) == nil) }
        #expect(Base.code(outcome) == .unexpectedFrame)
        expect(mux.ask(Self.name, "1"), equals: .refuse)
    }

    @Test func moreRequestsWait() {
        var limits = Base.limits
        limits.maximumAskedCount = 2
        var mux = Base.mux(limits)
        #expect(mux.hasRoomToAsk(Self.name, 1))
        _ = mux.ask(Self.name, "1")
        _ = mux.ask(Self.name, "2")
        expect(mux.ask(Self.name, "3"), equals: .full)
        #expect(!mux.hasRoomToAsk(Self.name, 1))
        _ = Self.send(.answer(4, payload: ByteBuffer()), on: 2, to: &mux)
        #expect(mux.hasRoomToAsk(Self.name, 1))
        expect(mux.ask(Self.name, "3"), equals: .asked(6))
    }

    @Test func requestsBeyondTheOutboxWait() {
        var limits = Base.limits
        limits.maximumOutboxLength = 100
        var mux = Base.mux(limits)
        expect(mux.ask(Self.name, String(repeating: "x", count: 60)), equals: .asked(2))
        expect(mux.ask(Self.name, String(repeating: "x", count: 60)), equals: .full)
        #expect(!mux.hasRoomToAsk(Self.name, 60) && mux.hasRoomToAsk(Self.name, 1))
        _ = Base.turn(&mux)
        expect(mux.ask(Self.name, String(repeating: "x", count: 60)), equals: .asked(4))
    }

    // MARK: The other side asks

    @Test func aRequestIsAnsweredOnce() throws {
        var mux = Self.mux()
        expect(
            Self.send(Self.request(2), Self.request(4), to: &mux),
            equals: .requests([Self.asked(2), Self.asked(4)])
        )
        expect(mux.answer(4, "b"), equals: .queued)
        expect(mux.answer(4, "b"), equals: .withdrawn)
        mux.refuse(2, RequestEnd(.refused, reason: "No."))
        expect(mux.answer(2, "b"), equals: .withdrawn)
        let entries: [RequestEntry] = [
            .answer(4, payload: ByteBuffer(string: "b")), .refusal(2, RequestEnd(.refused, reason: "No.")),
        ]
        expect(try Self.sent(&mux), equals: [Self.short: entries])
        expect(mux.heldLength, equals: 0)
    }

    @Test func aLongAnswerGoesOverTheLongStream() throws {
        var limits = Base.limits
        limits.maximumMessageLength = 9000
        var mux = MuxStateMachine(
            hasEvenNumbers: true,
            limits: limits,
            peer: .init(window: 16_384, maximumMessageLength: 9000)
        )
        mux.attached()
        _ = mux.receivedOpen(Self.opening(Self.short, .requests))
        _ = Self.send(Self.request(2), Self.request(4), Self.request(6), to: &mux)
        // Without a long stream, it cannot be sent.
        expect(mux.answer(6, String(repeating: "x", count: 9000)), equals: .tooLong)
        _ = mux.receivedOpen(Self.opening(Self.long, .longRequests))
        expect(mux.answer(2, String(repeating: "x", count: 9000)), equals: .queued)
        expect(mux.answer(4, String(repeating: "x", count: 9001)), equals: .tooLong)
        let sent = Base.turn(&mux)
        expect(try sent.map { try StreamBytes(decoding: $0.payload).stream }, equals: [Self.short, Self.long])
    }

    @Test func aWithdrawnRequestIsOver() {
        var mux = Self.mux()
        _ = Self.send(Self.request(2), to: &mux)
        expect(Self.send(.withdrawal(2), to: &mux), equals: .requests([.withdrawn(2)]))
        expect(mux.answer(2, "b"), equals: .withdrawn)
        expect(Self.send(.withdrawal(2), to: &mux), equals: .none)
        expect(mux.heldLength, equals: 0)
        expect(Base.turn(&mux), equals: [])
    }

    /// The withdrawal goes over the other stream.
    @Test func aWithdrawalMayOvertakeItsLongRequest() {
        var mux = Self.mux()
        expect(Self.send(.withdrawal(3), to: &mux), equals: .none)
        expect(
            Self.send(Self.request(1), Self.request(3), Self.request(5), on: Self.long, to: &mux),
            equals: .requests([Self.asked(1), Self.asked(5)])
        )
        for number in [1, 5] as [UInt64] { mux.took(number) }
        expect(mux.heldLength, equals: 0)
    }

    @Test func numbersRiseOnTheirStream() {
        let faults: [([RequestEntry], UInt32)] = [
            ([Self.request(0)], Self.short), ([Self.request(1)], Self.short), ([Self.request(2)], Self.long),
            ([Self.request(4), Self.request(2)], Self.short), ([Self.request(4), Self.request(4)], Self.short),
            ([.withdrawal(2)], Self.short), ([.withdrawal(1)], Self.long),
            ([.answer(2, payload: ByteBuffer())], Self.short), ([.refusal(2, RequestEnd(.refused))], Self.long),
        ]
        for (entries, stream) in faults {
            var mux = Self.mux()
            var bytes = ByteBuffer()
            for entry in entries { bytes.writeImmutableBuffer(entry.encoded()) }
            #expect(
                Base.code(mux.received(StreamBytes(stream: stream, bytes: bytes))) == .unexpectedFrame,
                "\(entries)"
            )
        }
    }

    @Test func requestsInTheDirectionOfAnswersEndTheLink() {
        for entry in [Self.request(2), .withdrawal(2)] {
            var mux = Base.mux()
            _ = mux.ask(Self.name, "1")
            #expect(Base.code(Self.send(entry, on: 2, to: &mux)) == .unexpectedFrame)
        }
    }

    @Test func streamsOfRequestsAreOpenedOnceInOrderAndNeverEnd() {
        for openings in [[Self.opening(1, .longRequests)], [Self.opening(1, .requests), Self.opening(3, .requests)]] {
            var mux = Base.mux()
            let actions = openings.map { mux.receivedOpen($0) }
            guard case .violated(let error)? = actions.last else {
                Issue.record("taken")
                continue
            }
            #expect(error.code == .unexpectedFrame)
        }
        for code in StreamEnd.Code.allCases {
            var mux = Self.mux()
            guard case .violated = mux.receivedEnd(StreamEnd(stream: Self.short, code: code)) else {
                Issue.record("taken")
                continue
            }
        }
    }

    @Test func requestsBeyondTheirCountAreRefused() throws {
        var limits = Base.limits
        limits.maximumRequestCount = 2
        var mux = Self.mux(limits)
        expect(
            Self.send(Self.request(2), Self.request(4), Self.request(6), to: &mux),
            equals: .requests([Self.asked(2), Self.asked(4)])
        )
        expect(mux.answer(2, "b"), equals: .queued)
        // An answer that was not sent counts: a peer that reads none cannot make more of them wait.
        expect(Self.send(Self.request(8), to: &mux), equals: .none)
        expect(try Self.sent(&mux)[Self.short]?.map(\.number), equals: [6, 2, 8])
        expect(Self.send(Self.request(10), to: &mux), equals: .requests([Self.asked(10)]))
    }

    /// Refusals wait, whether the link refuses because there are too many, or the application refuses each at once.
    @Test(arguments: [false, true]) func refusalsThatAreNotReadEndTheLink(isRefusedAtOnce: Bool) {
        var limits = Base.limits
        limits.maximumRequestCount = 2
        limits.maximumControlCount = 10
        var mux = Self.mux(limits)
        var count = 0
        for number in 1...20 as ClosedRange<UInt64> {
            if let code = Base.code(Self.send(Self.request(2 * number), to: &mux)) {
                #expect(code == .limitExceeded)
                break
            }
            if isRefusedAtOnce { mux.refuse(2 * number, RequestEnd(.notTaken)) }
            count += 1
        }
        #expect(count == limits.maximumControlCount)
    }

    /// There is room for as many as may be unanswered, so the stream goes on however many are not read.
    @Test func unreadShortRequestsBlockNothing() {
        var mux = Self.mux()
        let length = LinkLimits.maximumShortLength - RequestEntry.requestLength(Self.name, 0)
        var limits = Base.limits
        limits.maximumMessageLength = length
        mux = Self.mux(limits)
        for number in 1...200 as ClosedRange<UInt64> {
            let outcome = Self.send(Self.request(2 * number, length), to: &mux)
            if number <= 64 {
                expect(outcome, equals: .requests([Self.asked(2 * number, length)]))
            } else {
                expect(outcome, equals: .none)
            }
        }
        #expect(mux.heldLength == 64 * LinkLimits.maximumShortLength)
        // All 64 can be withdrawn.
        for number in 1...64 as ClosedRange<UInt64> {
            expect(Self.send(.withdrawal(2 * number), to: &mux), equals: .requests([.withdrawn(2 * number)]))
        }
        #expect(mux.heldLength == 0)
    }

    @Test func aLongRequestThatIsNotTakenDelaysLongOnesOnly() {
        var mux = Self.mux()
        let window = Base.limits.messageWindow
        _ = Self.send(Self.request(1, 2000), on: Self.long, to: &mux)
        expect(mux.takeCredits(), equals: [])
        expect(Self.send(Self.request(2), to: &mux), equals: .requests([Self.asked(2)]))
        mux.took(1)
        let length = RequestEntry.requestLength(Self.name, 2000)
        expect(mux.takeCredits(), equals: [Credit.Limit(stream: Self.long, limit: UInt64(window + length))])
        // Taken or answered twice, it is released once.
        mux.took(1)
        _ = mux.answer(1, "b")
        expect(mux.takeCredits(), equals: [])
    }

    @Test func moreBytesThanTheWindowEndTheLink() {
        var mux = Self.mux()
        _ = Self.send(Self.request(1, 2000), on: Self.long, to: &mux)
        #expect(Base.code(Self.send(Self.request(3, 2000), on: Self.long, to: &mux)) == .limitExceeded)
    }

    @Test func nothingIsAskedOrAnsweredAfterTheEnd() {
        var mux = Self.mux()
        _ = Self.send(Self.request(2), to: &mux)
        mux.end()
        expect(mux.ask(Self.name, "1"), equals: .refuse)
        expect(mux.answer(2, "b"), equals: .withdrawn)
        mux.refuse(2, RequestEnd(.refused))
        mux.withdraw(2)
        expect(Self.send(Self.request(4), to: &mux), equals: .none)
    }
}
