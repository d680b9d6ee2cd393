import NIOCore
import Testing

@testable import PeerProtocol

/// The ends of streams.
@Suite struct MuxEndTests {
    private typealias Base = MuxStateMachineTests

    @Test func anEndWithCodeZeroEndsOneDirection() {
        var mux = Base.mux()
        _ = mux.receivedOpen(Base.opening(1))
        _ = mux.received(Base.bytes(1, 5))
        expect(mux.receivedEnd(StreamEnd(stream: 1, code: .finished)), equals: .finished)
        expect(mux.readBytes(1, atMost: 9, at: Base.now, roundTrip: Base.roundTrip).readableBytes, equals: 5)
        #expect(!mux.hasCredits)
        expect(mux.write(ByteBuffer(string: "x"), to: 1), equals: .queued)
        mux.finish(1)
        expect(mux.write(ByteBuffer(string: "x"), to: 1), equals: .refuse)
        expect(Base.turn(&mux).map(\.kind), equals: [.bytes, .end])
        #expect(mux.streams.isEmpty)
        expect(Base.code(mux.received(Base.bytes(1, 1))), equals: .unexpectedFrame)
    }

    @Test func bytesAfterTheEndEndTheLink() {
        var mux = Base.mux()
        _ = mux.receivedOpen(Base.opening(1))
        _ = mux.receivedEnd(StreamEnd(stream: 1, code: .finished))
        expect(Base.code(mux.received(Base.bytes(1, 1))), equals: .unexpectedFrame)
    }

    @Test func aSecondEndEndsTheLink() {
        var mux = Base.mux()
        _ = mux.receivedOpen(Base.opening(1))
        _ = mux.receivedEnd(StreamEnd(stream: 1, code: .finished))
        guard case .violated = mux.receivedEnd(StreamEnd(stream: 1, code: .finished)) else {
            Issue.record("taken")
            return
        }
    }

    @Test(arguments: StreamEnd.Code.allCases.dropFirst())
    func everyOtherCodeEndsBothDirections(code: StreamEnd.Code) {
        var mux = Base.mux()
        _ = mux.receivedOpen(Base.opening(1))
        _ = mux.received(Base.bytes(1, 5))
        _ = mux.write(ByteBuffer(string: "x"), to: 1)
        expect(mux.receivedEnd(StreamEnd(stream: 1, code: code)), equals: .cancelled)
        expect(Base.turn(&mux), equals: [])
        #expect(mux.heldLength == 0)
        expect(mux.receivedEnd(StreamEnd(stream: 1, code: code)), equals: .none)
    }

    @Test(arguments: [0, 2, 3] as [UInt32])
    func theEndOfAStreamThatNeverWasEndsTheLink(stream: UInt32) {
        var mux = Base.mux()
        _ = mux.receivedOpen(Base.opening(1))
        guard case .violated = mux.receivedEnd(StreamEnd(stream: stream, code: .cancelled)) else {
            Issue.record("taken")
            return
        }
    }

    @Test(arguments: StreamEnd.Code.allCases)
    func aCancellationIsSentUnlessTheOtherSideHasCancelledToo(code: StreamEnd.Code) {
        var mux = Base.mux()
        _ = mux.receivedOpen(Base.opening(1))
        mux.cancel(1)
        expect(mux.receivedEnd(StreamEnd(stream: 1, code: code)), equals: .none)
        expect(Base.turn(&mux).map(\.kind), equals: code == .finished ? [.end] : [])
    }

    /// The lists of turns and of credits have no trace of a stream that is gone.
    @Test func aStreamThatIsGoneLeavesNothingToSend() {
        var mux = Base.mux()
        _ = mux.receivedOpen(Base.opening(1))
        _ = mux.received(Base.bytes(1, 100))
        _ = mux.readBytes(1, atMost: 100, at: Base.now, roundTrip: Base.roundTrip)
        _ = mux.write(ByteBuffer(string: "x"), to: 1)
        #expect(mux.hasCredits)
        _ = mux.receivedEnd(StreamEnd(stream: 1, code: .cancelled))
        #expect(!mux.hasCredits)
        expect(mux.takeCredits(), equals: [])
        expect(Base.turn(&mux), equals: [])
    }

    @Test func aStreamThatIsCancelledBeforeItsOpeningIsSentLeavesNoTrace() {
        var mux = Base.mux()
        _ = mux.open(.bytes, named: "a")
        _ = mux.write(ByteBuffer(string: "x"), to: 2)
        mux.cancel(2)
        expect(Base.turn(&mux), equals: [])
        #expect(mux.streams.isEmpty)
    }
}
