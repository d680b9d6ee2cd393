import FoundationEssentials
import NIOCore
import PeerProtocol
import PeerTestSupport
import Testing

/// Each length of the payloads at its bound and one over it, and every other fault.
@Suite struct LinkPayloadLimitTests {
    private func text(_ length: Int) -> String { String(repeating: "a", count: length) }

    private func code(_ body: () throws -> Void) -> ProtocolError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? ProtocolError)?.code ?? .notHikeshare
        }
    }

    private func opening(name: Int, metadata: Int) -> StreamOpening {
        StreamOpening(
            stream: 2,
            kind: .bytes,
            isOneWay: false,
            name: text(name),
            metadata: ByteBuffer(repeating: 1, count: metadata)
        )
    }

    @Test func anOpeningIsBounded() {
        #expect(code { _ = try StreamOpening(decoding: opening(name: 255, metadata: 4096).encoded()) } == nil)
        #expect(opening(name: 255, metadata: 4096).encoded().readableBytes == StreamOpening.maximumLength)
        #expect(code { _ = try StreamOpening(decoding: opening(name: 256, metadata: 0).encoded()) } == .limitExceeded)
        #expect(code { _ = try StreamOpening(decoding: opening(name: 1, metadata: 4097).encoded()) } == .limitExceeded)
        #expect(code { _ = try StreamOpening(decoding: opening(name: 0, metadata: 0).encoded()) } == .invalidFrame)
        #expect(!opening(name: 256, metadata: 0).isValid)
        #expect(!opening(name: 1, metadata: 4097).isValid)
    }

    @Test(
        arguments: [
            "", "00 00 00 02 03 00 00 01", "00 00 00 02 00 00 00 01 61 00 00", "00 00 00 02 04 00 00 01 61 00 00",
            "00 00 00 02 03 02 00 01 61 00 00", "00 00 00 02 03 00 00 01 ff 00 00", "00 00 00 02 03 00 00 01 61 00 01",
            "00 00 00 02 03 00 00 01 61 00 00 00", "00 00 00 02 01 00 00 01 61 00 00",
            "00 00 00 02 02 01 00 01 61 00 00", "00 00 00 02 01 01 00 01 41 00 00",
        ]
    )
    func anOpeningHasOneForm(hexdump: String) throws {
        let payload = ByteBuffer(bytes: try Hexdump.parse(hexdump))
        #expect(code { _ = try StreamOpening(decoding: payload) } == .invalidFrame)
    }

    @Test func bytesAreBounded() {
        func payload(_ length: Int) -> ByteBuffer {
            StreamBytes(stream: 1, bytes: ByteBuffer(repeating: 7, count: length)).encoded()
        }
        #expect(code { _ = try StreamBytes(decoding: payload(65_536)) } == nil)
        #expect(code { _ = try StreamBytes(decoding: payload(65_537)) } == .limitExceeded)
        #expect(code { _ = try StreamBytes(decoding: payload(1)) } == nil)
        #expect(code { _ = try StreamBytes(decoding: payload(0)) } == .invalidFrame)
        #expect(code { _ = try StreamBytes(decoding: ByteBuffer(bytes: [0, 0, 1])) } == .invalidFrame)
    }

    @Test func anEndIsBounded() throws {
        func payload(_ length: Int) -> ByteBuffer {
            var buffer = ByteBuffer()
            buffer.writeMultipleIntegers(UInt32(1), UInt8(1), UInt16(length))
            buffer.writeString(text(length))
            return buffer
        }
        #expect(code { _ = try StreamEnd(decoding: payload(1000)) } == nil)
        #expect(payload(1000).readableBytes == StreamEnd.maximumLength)
        #expect(code { _ = try StreamEnd(decoding: payload(1001)) } == .limitExceeded)
        #expect(code { _ = try StreamEnd(decoding: ByteBuffer(bytes: [0, 0, 0, 1, 1, 0, 1])) } == .invalidFrame)
        #expect(code { _ = try StreamEnd(decoding: ByteBuffer(bytes: [0, 0, 0, 1, 1, 0, 0, 0])) } == .invalidFrame)
        #expect(code { _ = try StreamEnd(decoding: ByteBuffer(bytes: [0, 0, 0, 1, 1, 0, 1, 0xFF])) } == .invalidFrame)
        #expect(try StreamEnd(decoding: ByteBuffer(bytes: [0, 0, 0, 1, 99, 0, 0])).code == .cancelled)
        #expect(StreamEnd(stream: 1, code: .cancelled, reason: text(1001)).reason.utf8.count == 1000)
    }

    @Test func aCreditIsBounded() {
        func payload(_ count: Int) -> ByteBuffer {
            var buffer = ByteBuffer(integer: UInt64(1))
            for _ in 0..<count { buffer.writeMultipleIntegers(UInt32(1), UInt64.max) }
            return buffer
        }
        #expect(code { _ = try Credit(decoding: payload(256)) } == nil)
        #expect(payload(256).readableBytes == Credit.maximumLength)
        #expect(code { _ = try Credit(decoding: payload(257)) } == .limitExceeded)
        #expect(code { _ = try Credit(decoding: ByteBuffer(repeating: 0, count: 19)) } == .invalidFrame)
        #expect(code { _ = try Credit(decoding: ByteBuffer(repeating: 0, count: 7)) } == .invalidFrame)
        let many = (0..<300).map { Credit.Limit(stream: $0, limit: 1) }
        #expect(Credit(received: 0, limits: many).encoded().readableBytes == Credit.maximumLength)
    }

    private func droppable(channel: Int, key: Int, name: Int, payload: Int) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.writeInteger(UInt8(channel))
        buffer.writeString(text(channel))
        buffer.writeInteger(UInt8(key))
        buffer.writeString(text(key))
        buffer.writeMultipleIntegers(UInt8(1), UInt8(name))
        buffer.writeString(text(name))
        buffer.writeInteger(UInt16(1))
        buffer.writeRepeatingByte(1, count: payload)
        return buffer
    }

    @Test(
        arguments: [
            (64, 64, 64, 16_384, nil), (65, 64, 64, 1, .invalidFrame), (64, 65, 64, 1, .limitExceeded),
            (64, 64, 65, 1, .invalidFrame), (1, 0, 1, 16_385, .limitExceeded),
            (64, 64, 64, 16_385, .limitExceeded), (0, 0, 1, 0, .invalidFrame), (1, 0, 0, 0, .invalidFrame),
        ] as [(Int, Int, Int, Int, ProtocolError.Code?)]
    )
    func aDroppableMessageIsBounded(channel: Int, key: Int, name: Int, payload: Int, expected: ProtocolError.Code?) {
        let buffer = droppable(channel: channel, key: key, name: name, payload: payload)
        #expect(code { _ = try DroppableMessage(decoding: buffer) } == expected)
        #expect((buffer.readableBytes <= DroppableMessage.maximumLength) || expected == .limitExceeded)
    }

    @Test func bytesHaveNeitherNameNorVersion() {
        for fields in [[0, 1, 97, 0, 0], [0, 0, 0, 1], [2, 0, 0, 0], [0, 0, 0]] as [[UInt8]] {
            let buffer = ByteBuffer(bytes: [1, 97, 0] + fields)
            #expect(code { _ = try DroppableMessage(decoding: buffer) } == .invalidFrame)
        }
    }

    @Test(
        arguments: [
            ("epoch", 1, nil), ("epoch", 0, .limitExceeded), ("epoch", 4_294_967_295, nil),
            ("epoch", 4_294_967_296, .limitExceeded), ("epoch", -1, .invalidFrame), ("connectionCount", 0, nil),
            ("connectionCount", 4_294_967_296, .limitExceeded), ("received", 9_007_199_254_740_991, nil),
            ("received", 9_007_199_254_740_992, .limitExceeded), ("window", 16_384, nil),
            ("window", 16_383, .limitExceeded), ("window", 16_777_216, nil), ("window", 16_777_217, .limitExceeded),
            ("maximumMessageLength", 1024, nil), ("maximumMessageLength", 1023, .limitExceeded),
            ("maximumMessageLength", 16_777_216, nil), ("maximumMessageLength", 16_777_217, .limitExceeded),
        ] as [(String, Int, ProtocolError.Code?)]
    )
    func numbersInTermsAreBounded(key: String, value: Int, expected: ProtocolError.Code?) {
        var values = [
            "epoch": 1, "connectionCount": 1, "received": 0, "window": 65_536, "maximumMessageLength": 1024,
        ]
        values[key] = value
        let numbers = values.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
        let json = #"{"addresses":[],"messageTypes":[],"group":"\#(Sample.id)",\#(numbers)}"#
        #expect(code { _ = try LinkTerms(decoding: ByteBuffer(string: json)) } == expected)
    }

    @Test(
        arguments: [
            (64, 16, 262, nil), (65, 16, 262, .limitExceeded), (64, 17, 262, .limitExceeded),
            (64, 16, 263, .limitExceeded),
        ] as [(Int, Int, Int, ProtocolError.Code?)]
    )
    func listsInTermsAreBounded(types: Int, addresses: Int, length: Int, expected: ProtocolError.Code?) throws {
        var terms = Sample.terms
        let name = try #require(LinkName(text(64)))
        terms.messageTypes = Array(repeating: LinkTerms.MessageType(name: name, version: 1), count: types)
        terms.addresses = Array(repeating: text(length), count: addresses)
        #expect(code { _ = try terms.encoded() } == expected)
        let list = terms.addresses.map { "\"\($0)\"" }.joined(separator: ",")
        let typeList = Array(repeating: #"{"name":"\#(name.text)","version":1}"#, count: types).joined(separator: ",")
        let json =
            #"{"addresses":[\#(list)],"messageTypes":[\#(typeList)],"group":"\#(Sample.id)","epoch":1,"#
            + #""connectionCount":1,"received":0,"window":65536,"maximumMessageLength":1024}"#
        #expect(code { _ = try LinkTerms(decoding: ByteBuffer(string: json)) } == expected)
    }

    @Test func payloadsInJSONAreBoundedAsAWhole() {
        let padding = text(65_536)
        #expect(code { _ = try LinkTerms(decoding: ByteBuffer(string: "{\"x\":\"\(padding)\"}")) } == .limitExceeded)
        #expect(
            code { _ = try ResourceNotice(decoding: ByteBuffer(string: "{\"x\":\"\(padding)\"}")) } == .limitExceeded
        )
        #expect(code { _ = try LinkTerms(decoding: ByteBuffer(string: "{}")) } == .invalidFrame)
        #expect(code { _ = try ResourceNotice(decoding: ByteBuffer(string: "[]")) } == .invalidFrame)
        let unknown = #"{"verb":"lend","transfer":"\#(Sample.id)"}"#
        #expect(code { _ = try ResourceNotice(decoding: ByteBuffer(string: unknown)) } == .invalidFrame)
    }

    @Test func noticesAreBounded() {
        func offer(_ name: Int, _ size: UInt64, _ count: Int, _ metadata: Int) -> ProtocolError.Code? {
            let bytes = Data(repeating: 0, count: metadata)
            let json =
                #"{"verb":"offer","transfer":"\#(Sample.id)","name":"\#(text(name))","size":\#(size),"#
                + #""count":\#(count),"metadata":"\#(bytes.base64EncodedString())"}"#
            return code { _ = try ResourceNotice(decoding: ByteBuffer(string: json)) }
        }
        #expect(offer(255, ChunkLayout.maximumSize, 32, 4096) == nil)
        #expect(offer(256, 1, 1, 0) == .limitExceeded)
        #expect(offer(0, 1, 1, 0) == .limitExceeded)
        #expect(offer(1, ChunkLayout.maximumSize + 1, 1, 0) == .limitExceeded)
        #expect(offer(1, 1, 0, 0) == .limitExceeded)
        #expect(offer(1, 1, 33, 0) == .limitExceeded)
        #expect(offer(1, 1, 1, 4097) == .limitExceeded)
        func cancel(_ length: Int) -> ProtocolError.Code? {
            code {
                _ = try ResourceNotice(
                    decoding: ByteBuffer(
                        string: #"{"verb":"cancel","transfer":"\#(Sample.id)","reason":"\#(text(length))"}"#
                    )
                )
            }
        }
        #expect(cancel(1000) == nil)
        #expect(cancel(1001) == .limitExceeded)
        let decline = ResourceNotice(transfer: Sample.id, verb: .decline(Refusal(.declined, text(1001))))
        #expect(code { _ = try decline.encoded() } == .limitExceeded)
    }
}
