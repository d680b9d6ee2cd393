import NIOCore
import PeerTestSupport
import Testing

@testable import PeerProtocol

/// The bytes of entries, and what is refused.
@Suite struct RequestEntryTests {
    private static let name = Sample.linkName("ask")

    /// The examples of the page.
    static let golden: [(RequestEntry, [UInt8])] = [
        (
            .request(2, name, version: 7, payload: ByteBuffer(string: "{}")),
            [0, 0, 0, 17, 0, 0, 0, 0, 0, 0, 0, 0, 2, 3, 0x61, 0x73, 0x6B, 0, 7, 0x7B, 0x7D]
        ),
        (.withdrawal(259), [0, 0, 0, 9, 1, 0, 0, 0, 0, 0, 0, 1, 3]),
        (.answer(2, payload: ByteBuffer(string: "42")), [0, 0, 0, 11, 2, 0, 0, 0, 0, 0, 0, 0, 2, 0x34, 0x32]),
        (
            .refusal(1, RequestEnd(.tooMany, code: "full", reason: "No.")),
            [0, 0, 0, 20, 3, 0, 0, 0, 0, 0, 0, 0, 1, 4, 4, 0x66, 0x75, 0x6C, 0x6C, 0, 3, 0x4E, 0x6F, 0x2E]
        ),
    ]

    @Test(arguments: golden) func entriesHaveTheirGoldenBytes(entry: RequestEntry, bytes: [UInt8]) throws {
        #expect(entry.encoded() == ByteBuffer(bytes: bytes))
        #expect(try RequestEntry(reading: ByteBuffer(bytes: bytes.dropFirst(4)), maximumPayloadLength: 2) == entry)
    }

    /// However the bytes are cut, the same entries come.
    @Test(arguments: [1, 2, 3, 5, 13, 40, 1000]) func entriesComeInAnyPieces(length: Int) throws {
        var framing = RequestFraming(isShort: true, maximumPayloadLength: 1024)
        var bytes = ByteBuffer()
        for (entry, _) in Self.golden + Self.golden { bytes.writeImmutableBuffer(entry.encoded()) }
        var entries: [RequestEntry] = []
        var total = 0
        while let part = bytes.readSlice(length: min(length, bytes.readableBytes)), part.readableBytes > 0 {
            for (entry, length) in try framing.received(part) {
                entries.append(entry)
                total += length
            }
        }
        #expect(entries == (Self.golden + Self.golden).map(\.0))
        #expect(total == 2 * Self.golden.reduce(0) { $0 + $1.1.count })
        #expect(framing.heldLength == 0)
    }

    static let faults: [([UInt8], ProtocolError.Code)] = [
        ([0, 0, 0, 8], .invalidFrame),
        ([0, 0, 0, 9, 4, 0, 0, 0, 0, 0, 0, 0, 2], .invalidFrame),
        ([0, 0, 0, 10, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0], .invalidFrame),
        // A request with an empty name, with one that is not allowed, and one that is cut off.
        ([0, 0, 0, 12, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 1], .invalidFrame),
        ([0, 0, 0, 13, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0x41, 0, 1], .invalidFrame),
        ([0, 0, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 2, 9, 0x61], .invalidFrame),
        // Refusals: cut off, with a long code, with a long reason, and with bytes left over.
        ([0, 0, 0, 10, 3, 0, 0, 0, 0, 0, 0, 0, 2, 2], .invalidFrame),
        ([0, 0, 0, 13, 3, 0, 0, 0, 0, 0, 0, 0, 2, 2, 65, 0, 0], .limitExceeded),
        ([0, 0, 0, 13, 3, 0, 0, 0, 0, 0, 0, 0, 2, 2, 0, 3, 0xE9], .limitExceeded),
        ([0, 0, 0, 14, 3, 0, 0, 0, 0, 0, 0, 0, 2, 2, 0, 0, 0, 1], .invalidFrame),
        // Longer than a short one may be, before it comes.
        ([0, 0, 0x0F, 0xFD], .limitExceeded),
        ([255, 255, 255, 255], .limitExceeded),
    ]

    @Test(arguments: faults) func faultsHaveTheirCodes(bytes: [UInt8], code: ProtocolError.Code) {
        var framing = RequestFraming(isShort: true, maximumPayloadLength: 1024)
        let error = #expect(throws: ProtocolError.self) { _ = try framing.received(ByteBuffer(bytes: bytes)) }
        #expect(error?.code == code)
    }

    @Test(arguments: [true, false]) func theLongestEntryIsTakenAndNoLongerOne(isShort: Bool) throws {
        let maximum = isShort ? 4096 - 19 : 5000
        for length in [maximum, maximum + 1] {
            var framing = RequestFraming(isShort: isShort, maximumPayloadLength: 5000)
            let payload = ByteBuffer(repeating: 0x20, count: length)
            let entry = RequestEntry.request(2, Self.name, version: 1, payload: payload).encoded()
            if length == maximum {
                #expect(try framing.received(entry).first?.length == maximum + 19)
            } else {
                let error = #expect(throws: ProtocolError.self) { _ = try framing.received(entry) }
                #expect(error?.code == .limitExceeded)
            }
        }
    }

    @Test func anUnknownCauseIsRefused() throws {
        let bytes: [UInt8] = [3, 0, 0, 0, 0, 0, 0, 0, 2, 99, 0, 0, 0]
        let entry = try RequestEntry(reading: ByteBuffer(bytes: bytes), maximumPayloadLength: 0)
        #expect(entry == .refusal(2, RequestEnd(.refused)))
    }

    @Test func codesAndReasonsAreCut() {
        let end = RequestEnd(
            .refused,
            code: String(repeating: "ä", count: 40),
            reason: String(repeating: "ä", count: 600)
        )
        #expect(end.code.utf8.count == 64 && end.reason.utf8.count == 1000)
    }
}
