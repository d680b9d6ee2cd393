import FoundationEssentials
import NIOCore
import PeerProtocol
import PeerTestSupport
import Testing

/// The payloads of the frames of links: their bytes, and what is refused.
@Suite struct LinkPayloadTests {
    static let chatLine = Message(.json(name("chat.line"), version: 1), payload: ByteBuffer(string: #"{"text":"hi"}"#))

    static func name(_ text: String) -> LinkName {
        guard let name = LinkName(text) else { preconditionFailure("not a name") }
        return name
    }

    private func bytes(_ hexdump: String) throws -> ByteBuffer { ByteBuffer(bytes: try Hexdump.parse(hexdump)) }

    /// The example of the page Links, but for its header.
    @Test func bytesHaveTheirGoldenForm() throws {
        let golden = try bytes(
            """
            00 00 00 02                  # stream 2
            00 00 00 1a 01 09            # 26 bytes follow: JSON, a name of 9 bytes
            63 68 61 74 2e 6c 69 6e 65   # chat.line
            00 01                        # version 1
            7b 22 74 65 78 74 22 3a 22 68 69 22 7d
            """
        )
        let joined = try MessageFraming.join(Self.chatLine, maximumPayloadLength: 13)
        let frame = StreamBytes(stream: 2, bytes: joined)
        #expect(frame.encoded() == golden)
        #expect(try StreamBytes(decoding: golden) == frame)
        #expect(Record(.bytes, payload: golden).length == 8 + 0x22)
        #expect(Record.Kind.bytes.rawValue == 0x34)
    }

    @Test func anOpeningHasItsGoldenForm() throws {
        let golden = try bytes(
            """
            00 00 00 02                  # stream 2
            01 01                        # messages, only from the opener
            00 04 6d 61 69 6e            # main
            00 02 00 ff                  # metadata
            """
        )
        let opening = StreamOpening(
            stream: 2,
            kind: .messages,
            isOneWay: true,
            name: "main",
            metadata: ByteBuffer(bytes: [0x00, 0xFF])
        )
        #expect(opening.encoded() == golden)
        #expect(try StreamOpening(decoding: golden) == opening)
    }

    @Test func anEndHasItsGoldenForm() throws {
        let golden = try bytes("00 00 00 07  03  00 05 6e 6f 20 6f 6b")
        let end = StreamEnd(stream: 7, code: .notTaken, reason: "no ok")
        #expect(end.encoded() == golden)
        #expect(try StreamEnd(decoding: golden) == end)
    }

    @Test func aCreditHasItsGoldenForm() throws {
        let golden = try bytes(
            """
            00 00 00 00 00 00 00 09                   # 9 records received
            00 00 00 02  00 00 00 00 00 02 00 00      # stream 2: 131,072
            00 00 00 05  00 00 00 01 00 00 00 00      # stream 5: 4,294,967,296
            """
        )
        let credit = Credit(
            received: 9,
            limits: [StreamCredit(stream: 2, limit: 131_072), StreamCredit(stream: 5, limit: 1 << 32)]
        )
        #expect(credit.encoded() == golden)
        #expect(try Credit(decoding: golden) == credit)
    }

    @Test func aDroppableMessageHasItsGoldenForm() throws {
        let golden = try bytes(
            """
            04 6d 61 69 6e               # channel main
            01 6b                        # key k
            00 00 00 00                  # bytes, no name, no version
            ca fe
            """
        )
        let message = DroppableMessage(
            channel: Self.name("main"),
            key: "k",
            message: Message(.bytes, payload: ByteBuffer(bytes: [0xCA, 0xFE]))
        )
        #expect(message.encoded() == golden)
        #expect(message.length == golden.readableBytes)
        #expect(try DroppableMessage(decoding: golden) == message)
    }

    static let terms = LinkTerms(
        group: Sample.id,
        epoch: 1,
        connectionCount: 2,
        received: 3,
        window: 65_536,
        maximumMessageLength: 1_048_576,
        messageTypes: [MessageType(name: name("chat.line"), version: 1)],
        addresses: ["192.168.1.7:64453"]
    )

    @Test func termsHaveTheirGoldenForm() throws {
        let golden = ByteBuffer(
            string: #"{"addresses":["192.168.1.7:64453"],"connectionCount":2,"epoch":1,"#
                + #""group":"0F8FAD5B-D9CB-469F-A165-70867728950E","maximumMessageLength":1048576,"#
                + #""messageTypes":[{"name":"chat.line","version":1}],"received":3,"window":65536}"#
        )
        #expect(try Self.terms.encoded() == golden)
        #expect(try LinkTerms(decoding: golden) == Self.terms)
    }

    static let offer = ResourceNotice.Offer(name: "Map", size: 5, count: 1, metadata: Data([1, 2]))
    static let notices: [(ResourceNotice.Verb, String)] = [
        (.offer(offer), #"{"count":1,"metadata":"AQI=","name":"Map","size":5,"transfer":"ID","verb":"offer"}"#),
        (.accept, #"{"transfer":"ID","verb":"accept"}"#),
        (.decline(Refusal(.declined, "No.")), #"{"code":"declined","reason":"No.","transfer":"ID","verb":"decline"}"#),
        (.cancel(reason: "Late."), #"{"reason":"Late.","transfer":"ID","verb":"cancel"}"#),
        (.attach(Sample.laneSecret), #"{"secret":"AAECAwQFBgcICQoLDA0ODw","transfer":"ID","verb":"attach"}"#),
    ]

    @Test(arguments: notices)
    func noticesHaveTheirGoldenForm(verb: ResourceNotice.Verb, json: String) throws {
        let golden = ByteBuffer(string: json.split(separator: "ID").joined(separator: Sample.id.uuidString))
        let notice = ResourceNotice(transfer: Sample.id, verb: verb)
        #expect(try notice.encoded() == golden)
        #expect(try ResourceNotice(decoding: golden) == notice)
    }

    @Test(
        arguments: [
            ("a", true), ("chat.line", true), ("a-1", true), (String(repeating: "a", count: 64), true),
            (String(repeating: "a", count: 65), false), ("", false), ("1a", false), (".a", false), ("A", false),
            ("a b", false), ("ä", false), ("a\u{0}", false), ("a/b", false),
        ]
    )
    func namesAreChecked(text: String, isName: Bool) {
        #expect((LinkName(text) != nil) == isName)
    }
}
