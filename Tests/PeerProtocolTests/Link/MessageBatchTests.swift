import NIOCore
import PeerTestSupport
import Testing

@testable import PeerProtocol

/// Messages that are taken from a stream together.
@Suite struct MessageBatchTests {
    private static let length = 64 * 1024

    private func bytes(_ text: String) -> Message { Message(.bytes, payload: ByteBuffer(string: text)) }

    private func json(_ text: String, version: UInt16 = 1) -> Message {
        Message(.json(Sample.linkName("line"), version: version), payload: ByteBuffer(string: text))
    }

    /// A stream on which messages have arrived, in pieces of a length.
    private func arrived(_ messages: [Message], inPiecesOf length: Int = .max) throws -> (ByteQueue, MessageFraming) {
        var all = ByteBuffer()
        for message in messages {
            all.writeImmutableBuffer(try MessageFraming.join(message, maximumPayloadLength: 9999))
        }
        var (queue, framing) = (ByteQueue(), MessageFraming(maximumPayloadLength: 9999))
        while let piece = all.readSlice(length: min(length, all.readableBytes)), piece.readableBytes > 0 {
            try framing.received(piece)
            queue.append(piece)
        }
        return (queue, framing)
    }

    private func all(_ batch: MessageBatch?) -> [Message] {
        var (batch, messages) = (batch, [Message]())
        while let message = batch?.popFirst() { messages.append(message) }
        return messages
    }

    @Test(arguments: [1, 3, 64, 5000, Int.max])
    func messagesOfOneFormAreTakenTogetherHoweverTheyArrive(length: Int) throws {
        let sent = (0..<300).map { bytes(String(repeating: "\($0 % 10)", count: $0)) }
        var (queue, framing) = try arrived(sent, inPiecesOf: length)
        let batch = try framing.cutBatch(from: &queue, atMost: Self.length)
        #expect(batch?.count == 300)
        #expect(all(batch) == sent)
        #expect(queue.isEmpty && framing.wholeCount == 0)
        #expect(try framing.cutBatch(from: &queue, atMost: Self.length) == nil)
    }

    @Test func aBatchEndsWhereTheFormChanges() throws {
        let (raw, lines) = ([bytes("a"), bytes("")], [json("1"), json(""), json("3")])
        let newer = [json("4", version: 2)]
        var (queue, framing) = try arrived(raw + lines + newer)
        for expected in [raw, lines, newer] {
            #expect(all(try framing.cutBatch(from: &queue, atMost: Self.length)) == expected)
        }
        #expect(queue.isEmpty)
    }

    @Test func aBatchKeepsToItsLength() throws {
        let sent = (0..<10).map { _ in bytes(String(repeating: "x", count: 1000)) }
        var (queue, framing) = try arrived(sent)
        // Each one has 1,008 bytes on the stream.
        #expect(try framing.cutBatch(from: &queue, atMost: 4096)?.count == 4)
        #expect(try framing.cutBatch(from: &queue, atMost: 2015)?.count == 1)
        #expect(try framing.cutBatch(from: &queue, atMost: 0)?.count == 1, "one is always taken")
        let rest = try framing.cutBatch(from: &queue, atMost: 4096)
        #expect(rest?.count == 4)
        #expect((rest?.heldLength ?? 0) <= 4096)
        #expect(queue.isEmpty)
    }

    @Test func anIncompleteMessageWaits() throws {
        var (queue, framing) = try arrived([bytes("a"), bytes("b")])
        var rest = try MessageFraming.join(bytes("later"), maximumPayloadLength: 9999)
        let slice = rest.readSlice(length: rest.readableBytes - 1)
        let piece = try #require(slice)
        try framing.received(piece)
        queue.append(piece)
        #expect(try framing.cutBatch(from: &queue, atMost: Self.length)?.count == 2)
        #expect(try framing.cutBatch(from: &queue, atMost: Self.length) == nil)
        try framing.received(rest)
        queue.append(rest)
        #expect(all(try framing.cutBatch(from: &queue, atMost: Self.length)) == [bytes("later")])
    }

    /// The messages before a broken one are read, and then it is an error.
    @Test func aMessageThatIsTooLongOrUnknownIsFoundAlone() throws {
        for broken in [ByteBuffer(repeating: 0, count: 4 + 10_000), ByteBuffer(repeating: 9, count: 20)] {
            var (queue, framing) = try arrived([bytes("a"), bytes("b")])
            var framed = ByteBuffer(integer: UInt32(broken.readableBytes))
            framed.writeImmutableBuffer(broken)
            try framing.received(framed)
            queue.append(framed)
            #expect(try framing.cutBatch(from: &queue, atMost: Self.length)?.count == 2)
            #expect(throws: ProtocolError.self) { try framing.cutBatch(from: &queue, atMost: Self.length) }
        }
    }

    @Test func aSingleMessageIsABatch() {
        #expect(all(MessageBatch(json("1"))) == [json("1")])
    }
}
