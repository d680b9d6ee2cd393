import NIOCore
import PeerProtocol
import PeerTestSupport
import Testing

@Suite struct MessageFramingTests {
    private func prefix(_ length: UInt32) -> ByteBuffer { ByteBuffer(integer: length) }

    @Test(arguments: 1...31)
    func messagesAreCountedWhereverTheyAreSplit(length: Int) throws {
        let one = try MessageFraming.join(Sample.chatLine, maximumPayloadLength: 100)
        var all = ByteBuffer()
        for _ in 0..<3 { all.writeImmutableBuffer(one) }
        var framing = MessageFraming(maximumPayloadLength: 100)
        var arrived = 0
        while let piece = all.readSlice(length: min(length, all.readableBytes)), piece.readableBytes > 0 {
            try framing.received(piece)
            arrived += piece.readableBytes
            #expect(framing.wholeCount == arrived / one.readableBytes)
            #expect(framing.isBetweenMessages == arrived.isMultiple(of: one.readableBytes))
        }
        #expect(framing.wholeCount == 3)
    }

    /// The longest header has 68 bytes.
    @Test(
        arguments: [
            (3, .invalidFrame), (4, nil), (1024 + 68, nil), (1024 + 69, .limitExceeded), (.max, .limitExceeded),
        ] as [(UInt32, ProtocolError.Code?)]
    )
    func aLengthIsCheckedBeforeAnythingFollows(length: UInt32, expected: ProtocolError.Code?) {
        var framing = MessageFraming(maximumPayloadLength: 1024)
        do throws(ProtocolError) {
            try framing.received(prefix(length))
            #expect(expected == nil)
        } catch {
            #expect(error.code == expected)
        }
    }

    @Test func aMessageThatIsTooLongIsNotJoined() {
        #expect(throws: ProtocolError.self) {
            try MessageFraming.join(Sample.chatLine, maximumPayloadLength: 12)
        }
    }
}
