import NIOCore
import PeerProtocol
import Testing

/// Messages on streams.
@Suite struct MuxMessageTests {
    private typealias Base = MuxStateMachineTests

    static func message(_ length: Int) -> Message { Message(.bytes, payload: ByteBuffer(repeating: 7, count: length)) }

    private func joined(_ length: Int, maximum: Int = 2000) throws -> ByteBuffer {
        try MessageFraming.join(Self.message(length), maximumPayloadLength: maximum)
    }

    @Test func aMessageOfTheGreatestLengthFitsIntoTheWindow() throws {
        var mux = Base.mux()
        _ = mux.receivedOpen(Base.opening(1, .messages))
        expect(mux.received(StreamBytes(stream: 1, bytes: try joined(2000))), equals: .readable)
        expect(try mux.readMessage(1), equals: Self.message(2000))
        expect(try mux.readMessage(1), equals: nil)
        expect(mux.takeCredits(), equals: [Credit.Limit(stream: 1, limit: 3024 + 2008)])
    }

    @Test func theFormOfAMessageIsKnownBeforeItIsRead() throws {
        var mux = Base.mux()
        _ = mux.receivedOpen(Base.opening(1, .messages))
        let bytes = try MessageFraming.join(Sample.chatLine, maximumPayloadLength: 2000)
        for byte in bytes.readableBytesView {
            expect(try mux.nextForm(1), equals: nil)
            expect(mux.received(StreamBytes(stream: 1, bytes: ByteBuffer(bytes: [byte]))), equals: .readable)
        }
        expect(try mux.nextForm(1), equals: Sample.chatLine.form)
        expect(mux.takeCredits(), equals: [])
        expect(try mux.readMessage(1), equals: Sample.chatLine)
        expect(try mux.nextForm(1), equals: nil)
    }

    @Test func aLongerMessageEndsTheLinkBeforeItIsKept() throws {
        var mux = Base.mux()
        _ = mux.receivedOpen(Base.opening(1, .messages))
        let bytes = try joined(2100, maximum: 3000)
        guard case .violated(let error) = mux.received(StreamBytes(stream: 1, bytes: bytes)) else {
            Issue.record("taken")
            return
        }
        #expect(error.code == .limitExceeded)
        #expect(mux.heldLength == 0)
    }

    @Test(arguments: [false, true]) func aMessageInNoKnownFormEndsTheLink(isRead: Bool) {
        var mux = Base.mux()
        _ = mux.receivedOpen(Base.opening(1, .messages))
        let bytes = ByteBuffer(bytes: [0, 0, 0, 4, 9, 0, 0, 0])
        expect(mux.received(StreamBytes(stream: 1, bytes: bytes)), equals: .readable)
        #expect(throws: ProtocolError.self) {
            if isRead { _ = try mux.readMessage(1) } else { _ = try mux.nextForm(1) }
        }
        expect(mux.open(.bytes, named: "a"), equals: .refuse)
    }

    @Test func aStreamDoesNotEndInAMessage() throws {
        var mux = Base.mux()
        _ = mux.receivedOpen(Base.opening(1, .messages))
        var bytes = try joined(10)
        bytes.moveWriterIndex(to: bytes.writerIndex - 1)
        _ = mux.received(StreamBytes(stream: 1, bytes: bytes))
        guard case .violated = mux.receivedEnd(StreamEnd(stream: 1, code: .finished)) else {
            Issue.record("taken")
            return
        }
    }

    @Test func moreBytesWaitIfThePeerHasRoomForThem() {
        var mux = Base.mux()
        _ = mux.open(.bytes, named: "b")
        expect(mux.received([Credit.Limit(stream: 2, limit: 1_000_000)]), equals: .ready)
        for _ in 0..<4 { expect(mux.write(ByteBuffer(repeating: 1, count: 65_536), to: 2), equals: .queued) }
        expect(mux.write(ByteBuffer(repeating: 1, count: 1), to: 2), equals: .full)
    }

    @Test func writersWaitWhenTooMuchWaits() {
        var mux = Base.mux()
        _ = mux.open(.messages, named: "main")
        _ = mux.open(.bytes, named: "b")
        expect(mux.write(Self.message(2001), to: 2), equals: .tooLong)
        expect(mux.write(Self.message(1), to: 4), equals: .refuse)
        expect(mux.write(ByteBuffer(string: "x"), to: 2), equals: .refuse)
        expect(mux.write(ByteBuffer(repeating: 1, count: 100_000), to: 4), equals: .queued)
        expect(mux.write(ByteBuffer(repeating: 1, count: 1), to: 4), equals: .full)
        var count = 0
        while mux.write(Self.message(2000), to: 2) == .queued { count += 1 }
        #expect(count == 1024 * 1024 / 2008)
        mux.finish(2)
        expect(mux.write(Self.message(1), to: 2), equals: .refuse)
    }
}
