import FoundationEssentials
import NIOCore
import PeerProtocol
import PeerTestSupport
import Testing

/// The payloads of the frames of links.
///
/// The golden bytes of each frame are in `GoldenFrame.sessions`.
@Suite struct LinkPayloadTests {
    /// What the codec of frames hands over as bytes is read as the page shows.
    @Test func recordsAreReadAsThePageShows() throws {
        #expect(try StreamOpening(decoding: Sample.opening.encoded()) == Sample.opening)
        #expect(try StreamBytes(decoding: Sample.streamBytes().encoded()) == Sample.streamBytes())
        #expect(try StreamEnd(decoding: Sample.streamEnd.encoded()) == Sample.streamEnd)
        #expect(try ResourceNotice(decoding: Sample.notice.encoded()) == Sample.notice)
        #expect(try Record(.bytes, payload: Sample.streamBytes().encoded()).length == 8 + 0x22)
        #expect(Sample.droppable.length == Sample.droppable.encoded().readableBytes)
    }

    @Test func everyKindOfRecordHasItsType() throws {
        for kind in Record.Kind.allCases {
            let outputs = try FrameDecoder.outputs(
                afterPreface: FrameDecoder.bytes(rawType: kind.rawValue, payload: [1, 2])
            )
            let frame = Frame.record(Record(kind, payload: ByteBuffer(bytes: [1, 2])))
            #expect(outputs == [.frame(frame)] && frame.type.rawValue == kind.rawValue)
        }
    }

    static let notices: [(ResourceNotice.Verb, String)] = [
        (
            .offer(Sample.resourceOffer),
            #"{"count":1,"metadata":"AQI=","name":"Map","size":5,"transfer":"ID","verb":"offer"}"#
        ),
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
