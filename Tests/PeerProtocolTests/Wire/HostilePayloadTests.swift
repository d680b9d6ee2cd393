import FoundationEssentials
import NIOCore
import PeerProtocol
import PeerTestSupport
import Testing

@Suite struct HostilePayloadTests {
    static let id = Sample.id.uuidString
    static let peer = Sample.sender.hex

    /// The types whose payload is JSON and is read with the frame.
    static let controlTypes: [FrameType] = FrameType.allCases.filter {
        ![
            .manifest, .catalogue, .digests, .request, .data, .pieceQuery, .pieceList, .rangeRequest, .members, .open,
            .droppable,
            .bytes, .credit, .end, .resource,
        ].contains($0)
    }

    private func codeOfRefusal(_ bytes: [UInt8]) -> ProtocolError.Code? {
        let error = #expect(throws: ProtocolError.self) { try FrameDecoder.outputs(afterPreface: bytes) }
        return error?.code
    }

    @Test(arguments: controlTypes)
    func refusesPayloadsThatAreNotAJSONObject(type: FrameType) {
        for payload in [
            "", " ", "{", "}", "[]", "1", "null", "true", "\"x\"", "{\"nonce\":", "{]", "{}{}", "nan", "\u{0}",
        ] {
            #expect(codeOfRefusal(FrameDecoder.bytes(type, payload)) == .invalidFrame, "\(payload)")
        }
    }

    @Test(arguments: controlTypes.filter { ![.accept, .pairingConfirmation].contains($0) })
    func refusesObjectsWithoutTheirKeys(type: FrameType) {
        for payload in ["{}", "{\"other\":1}", "{\"reason\":null}"] {
            #expect(codeOfRefusal(FrameDecoder.bytes(type, payload)) == .invalidFrame)
        }
    }

    @Test(arguments: [.cancel, .decline] as [FrameType])
    func refusesTextThatIsNotUTF8(type: FrameType) throws {
        func frame(_ text: [UInt8]) -> [UInt8] {
            let payload = Array("{\"reason\":\"".utf8) + text + Array("\",\"code\":\"busy\"}".utf8)
            return FrameDecoder.bytes(rawType: type.rawValue, payload: payload)
        }
        #expect(try FrameDecoder.outputs(afterPreface: frame(Array("é".utf8))).count == 1)
        let invalid: [[UInt8]] = [[0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82]]
        for bytes in invalid {
            #expect(codeOfRefusal(frame(bytes)) == .invalidFrame)
        }
    }

    @Test(arguments: controlTypes)
    func refusesDeepNestingWithoutRunningOutOfStack(type: FrameType) {
        let bombs = [
            String(repeating: "[", count: 65_000), String(repeating: "[", count: 10_000),
            String(repeating: "{\"a\":", count: 10_000),
            "{\"x\":" + String(repeating: "[", count: 30_000) + String(repeating: "]", count: 30_000) + "}",
        ]
        for bomb in bombs {
            #expect(codeOfRefusal(FrameDecoder.bytes(type, bomb)) == .limitExceeded)
        }
    }

    @Test(
        arguments: [
            (.ping, #"{"nonce":"1"}"#), (.ping, #"{"nonce":-1}"#), (.ping, #"{"nonce":4294967296}"#),
            (.ping, #"{"nonce":1.5}"#),
            (.ping, #"{"nonce":1e400}"#), (.ping, #"{"nonce":null}"#), (.ping, #"{"nonce":[1]}"#),
            (.pong, #"{"nonce":{}}"#),
            (.cancel, #"{"reason":1}"#), (.cancel, #"{"reason":"x","disconnects":1}"#),
            (.cancel, #"{"reason":"x","disconnects":null}"#),
            (.failure, #"{"code":1,"message":"x"}"#), (.failure, #"{"code":"failed","message":"x","remedy":1}"#),
            (.invite, #"{"timeout":"15"}"#), (.invite, #"{"timeout":1e30}"#),
            (.invite, #"{"timeout":15,"context":"!"}"#), (.invite, #"{"timeout":15,"token":"short"}"#),
            (.invite, #"{"timeout":15,"token":"AAECAwQFBgcICQoLDA0ODx"}"#), (.invite, #"{"timeout":15,"pinned":1}"#),
            (.pairingCommitment, #"{"commitment":"00"}"#), (.pairingNonce, #"{"nonce":"\#(peer)00"}"#),
            (.pairingNonce, #"{"nonce":[1]}"#), (.pairingReveal, #"{"nonce":"x"}"#),
            (.decline, #"{"code":1,"reason":"x"}"#), (.selection, #"{"kinds":["../x"],"unknown":[]}"#),
            (.digestQuery, #"{"kinds":["../x"]}"#), (.digestQuery, #"{"kinds":"mbtiles"}"#),
            (.digestQuery, #"{"kinds":[1]}"#),
            (.turn, #"{"place":1}"#), (.turn, #"{"place":"1","count":1}"#), (.turn, #"{"place":1.5,"count":2}"#),
            (.turn, #"{"place":1,"count":1,"rate":"fast"}"#),
            (.pick, #"{"ids":[1]}"#), (.pick, #"{"ids":"\#(id)"}"#), (.pick, #"{"ids":["x"]}"#),
            (.selection, #"{"kinds":"mbtiles","unknown":[]}"#), (.selection, #"{"kinds":["mbtiles"]}"#),
            (.confirmation, #"{"resource":"mbtiles","digest":"\#(peer)"}"#),
            (.confirmation, #"{"resource":0,"digest":""}"#),
            (.done, #"{"id":"done"}"#),
            (.acknowledgement, #"{"id":"\#(id)","time":"x","imported":{},"keptLocal":{}}"#),
            (
                .acknowledgement,
                #"{"id":"\#(id)","time":"2026-05-01T08:30:00Z","imported":{"a":1.5},"keptLocal":{}}"#
            ),
        ] as [(FrameType, String)]
    )
    func refusesValuesOfAnotherType(type: FrameType, payload: String) {
        #expect(codeOfRefusal(FrameDecoder.bytes(type, payload)) == .invalidFrame)
    }

    private static func hello(feature: String) -> String {
        #"{"application":"hikeshare","displayName":"","encryption":"none","features":["\#(feature)"],"#
            + #""maximumResourceSize":0,"peerID":"\#(peer)","platform":"","role":"listener","software":"","versions":[1]}"#
    }

    @Test(arguments: ["lanes", "org.example.chat", "a", "x-1.2"]) func takesNamesOfFeatures(name: String) throws {
        let bytes = FrameDecoder.bytes(.hello, Self.hello(feature: name))
        #expect(try FrameDecoder.outputs(afterPreface: bytes).count == 1)
    }

    @Test(arguments: ["", "Lanes", "org..chat", ".chat", "chat.", "a b", "é", "a_b"])
    func refusesOtherNamesOfFeatures(name: String) {
        #expect(codeOfRefusal(FrameDecoder.bytes(.hello, Self.hello(feature: name))) == .invalidFrame)
    }

    @Test func passesOverKeysThatItDoesNotKnow() throws {
        let payload = #"{"reason":"x","since":{"version":2,"list":[1,null,{}]}}"#
        let outputs = try FrameDecoder.outputs(afterPreface: FrameDecoder.bytes(.cancel, payload))
        #expect(outputs == [.frame(.cancel(Cancellation(reason: "x")))])
        #expect(try FrameDecoder.outputs(afterPreface: FrameDecoder.bytes(.accept, #"{"x":1}"#)) == [.frame(.accept)])
    }

    @Test(arguments: [
        "declined", "noAnswer", "busy", "notTrusted", "encryption", "other", "link", "locked", "crossed", "over",
        "replaced",
    ])
    func readsEveryCodeOfARefusal(code: String) throws {
        let bytes = FrameDecoder.bytes(.decline, #"{"code":"\#(code)","reason":""}"#)
        let known = try #require(Refusal.Code(rawValue: code))
        #expect(try FrameDecoder.outputs(afterPreface: bytes) == [.frame(.decline(Refusal(known, "")))])
    }

    @Test func takesAnUnknownCodeOfARefusalAsAnother() throws {
        let bytes = FrameDecoder.bytes(.decline, #"{"code":"tired","reason":"x"}"#)
        #expect(try FrameDecoder.outputs(afterPreface: bytes) == [.frame(.decline(Refusal(.other, "x")))])
    }

    @Test(arguments: [
        "-99999999999999999999-01-01T00:00:00Z", "99999999999999999999-01-01T00:00:00Z",
        "9223372036854775807-12-31T23:59:59Z",
        "0000-00-00T00:00:00Z", "9999-99-99T99:99:99Z", "2026-05-01T08:30:00+99:99",
        "2026-05-01T08:30:00-99999999999999:00",
        "2026-05-01T08:30:00.5Z", "2026-W99-9", "", "Z", "T", "2026-05-01T08:30:99999999999999999999Z",
        "2147483647-01-01T00:00:00Z", "-2147483648-01-01T00:00:00Z", "292277026596-12-04T15:30:08Z",
    ])
    func noDateCanCrash(text: String) {
        let bytes = FrameDecoder.bytes(
            .acknowledgement,
            #"{"id":"\#(Self.id)","time":"\#(text)","imported":{},"keptLocal":{}}"#
        )
        do {
            #expect(try FrameDecoder.outputs(afterPreface: bytes).count == 1)
        } catch {
            #expect(error.code == .invalidFrame)
        }
    }

    @Test(arguments: [0, 1, 4, 7, 9, 36, 39, 41, 71])
    func refusesDigestListsOfAWrongLength(length: Int) {
        let payload = [UInt8](repeating: 0, count: length)
        #expect(codeOfRefusal(FrameDecoder.bytes(rawType: 0x22, payload: payload)) == .invalidFrame)
    }

    @Test(arguments: [0, 1, 3, 5, 7])
    func refusesPartsOfListsThatAreTooShort(length: Int) {
        let payload = [UInt8](repeating: 0, count: length)
        #expect(codeOfRefusal(FrameDecoder.bytes(rawType: 0x29, payload: payload)) == .invalidFrame)
    }

    @Test(arguments: [0, 1, 3, 5, 11, 13, 19], [0x28, 0x2A] as [UInt8])
    func refusesRequestsOfAWrongLength(length: Int, type: UInt8) {
        let payload = [UInt8](repeating: 0, count: length)
        #expect(codeOfRefusal(FrameDecoder.bytes(rawType: type, payload: payload)) == .invalidFrame)
    }

    @Test(arguments: [[], [0], [0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0xFF, 0]] as [[UInt8]])
    func refusesRequestsThatEndTooEarlyOrTooLate(payload: [UInt8]) {
        #expect(codeOfRefusal(FrameDecoder.bytes(rawType: 0x23, payload: payload)) == .invalidFrame)
    }

    @Test func readsTheBitsOfARequest() throws {
        let bits: [([UInt8], [Range<Int>])] = [
            ([], []), ([0x80], [0..<1]), ([0x01], [7..<8]), ([0xFF, 0xFF], [0..<16]), ([0x01, 0x80], [7..<9]),
            ([0, 0, 0x5A], [17..<18, 19..<21, 22..<23]),
        ]
        for (bitmap, runs) in bits {
            let bytes = FrameDecoder.bytes(rawType: 0x23, payload: [0, 0, 0, 3] + bitmap)
            let request = ChunkRequest(resource: 3, runs: runs)
            #expect(try FrameDecoder.outputs(afterPreface: bytes) == [.frame(.request(request))])
        }
    }

    @Test func readsTheLargestNumbersOfAPieceQuery() throws {
        let bytes = FrameDecoder.bytes(rawType: 0x28, payload: [UInt8](repeating: 0xFF, count: 12))
        let largest = Int(UInt32.max)
        let query = PieceQuery(resource: largest, runs: [largest..<largest * 2])
        #expect(try FrameDecoder.outputs(afterPreface: bytes) == [.frame(.pieceQuery(query))])
        #expect(Sample.tiles.layout.runs(validating: query.runs) == nil)
    }

    @Test func readsTheLargestNumbersOfADataHeader() throws {
        let bytes = FrameDecoder.bytes(rawType: 0x24, payload: [UInt8](repeating: 0xFF, count: 13))
        let header = DataHeader(resource: Int(UInt32.max), offset: .max, length: 1)
        #expect(
            try FrameDecoder.outputs(afterPreface: bytes) == [.dataHeader(header), .data(ByteBuffer(bytes: [0xFF]))]
        )
    }
}
