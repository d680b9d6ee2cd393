import FoundationEssentials
import NIOCore
import PeerProtocol
import Testing

/// The keys of `hello`, `invite` and `decline` that only sides with sessions send.
@Suite struct SessionKeyTests {
    private func read(_ type: FrameType, _ payload: String) throws(ProtocolError) -> Frame? {
        guard case .frame(let frame) = try FrameDecoder.outputs(afterPreface: FrameDecoder.bytes(type, payload)).first
        else { return nil }
        return frame
    }

    private func codeOfRefusal(_ type: FrameType, _ payload: String) -> ProtocolError.Code? {
        let error = #expect(throws: ProtocolError.self, "\(payload)") { try read(type, payload) }
        return error?.code
    }

    private static func hello(features: String, _ more: String = "") -> String {
        #"{"application":"hikeshare","displayName":"","encryption":"none","features":[\#(features)],"#
            + #""maximumResourceSize":0,"peerID":"\#(Sample.sender.hex)","platform":"","role":"listener","software":"","#
            + #""versions":[1]\#(more)}"#
    }

    // MARK: hello

    @Test func aHelloWithoutTheKeyHasNoIncarnation() throws {
        guard case .hello(let hello) = try read(.hello, Self.hello(features: #""lanes""#)) else {
            Issue.record("no hello")
            return
        }
        #expect(hello.incarnation == nil)
    }

    @Test func theKeyIsReadAlsoWithoutTheFeature() throws {
        let payload = Self.hello(features: "", #","incarnation":"AAECAwQFBgcICQoLDA0ODw""#)
        guard case .hello(let hello) = try read(.hello, payload) else {
            Issue.record("no hello")
            return
        }
        #expect(hello.incarnation == Sample.incarnation)
    }

    /// What a peer of before knows of a hello.
    private struct OlderHello: Decodable {
        var application: String
        var versions: [ProtocolVersion]
        var peerID: PeerID
        var displayName: String
        var platform: String
        var software: String
        var role: Conversation.Side
        var encryption: EncryptionPreference
        var maximumResourceSize: UInt64
        var features: [String]
    }

    @Test func anOlderPeerReadsAHelloWithTheKey() throws {
        let data = try ControlJSON.encoder().encode(Sample.sessionsHello)
        #expect(String(decoding: data, as: UTF8.self).contains(#""incarnation":"AAECAwQFBgcICQoLDA0ODw""#))
        let hello = try ControlJSON.decoder().decode(OlderHello.self, from: data)
        #expect(hello.peerID == Sample.sender && hello.features == ["sessions"] && hello.role == .listener)
    }

    @Test(
        arguments: [
            "", #","incarnation":null"#, #","incarnation":"""#, #","incarnation":1"#, #","incarnation":["AA"]"#,
            #","incarnation":"AAECAwQFBgcICQoLDA0OD""#, #","incarnation":"AAECAwQFBgcICQoLDA0ODwA""#,
            #","incarnation":"AAECAwQFBgcICQoLDA0ODw==""#, #","incarnation":"AAECAwQFBgcICQoLDA0ODx""#,
            #","incarnation":"+AECAwQFBgcICQoLDA0ODw""#, #","incarnation":"/AECAwQFBgcICQoLDA0ODw""#,
            #","incarnation":"é0ECAwQFBgcICQoLDA0OD""#,
        ]
    )
    func aSideWithSessionsHasOneFormOfItsIncarnation(more: String) {
        #expect(codeOfRefusal(.hello, Self.hello(features: #""sessions""#, more)) == .invalidFrame)
    }

    @Test(
        arguments: [(0, 0), (1, 2), (.max, .max), (0xFBEF_BEFB_EFBE_FBEF, 0xBEFB_EFBE_FBEF_BEFB)] as [(UInt64, UInt64)]
    )
    func everyIncarnationSurvives(high: UInt64, low: UInt64) throws {
        var hello = Sample.sessionsHello
        hello.incarnation = Incarnation(high: high, low: low)
        var buffer = ByteBuffer()
        try FrameEncoder(preface: .hikeshare).write(.hello(hello), into: &buffer)
        #expect(try FrameDecoder.outputs(afterPreface: buffer.readableBytesView) == [.frame(.hello(hello))])
    }

    // MARK: invite

    private static let session = [
        "members": "1", "connectionCount": "0", "wish": "1", "takesAnyone": "false",
    ]

    private static func invite(_ session: [String: String]) -> String {
        let keys = session.sorted { $0.key < $1.key }.map { #""\#($0.key)":\#($0.value)"# }.joined(separator: ",")
        return #"{"timeout":30,"session":{\#(keys)}}"#
    }

    @Test func anInvitationHasItsSession() throws {
        #expect(try read(.invite, Self.invite(Self.session)) == .invite(Sample.sessionInvitation))
        #expect(try read(.invite, #"{"timeout":30}"#) == .invite(InvitationRequest(timeout: 30)))
        let more = Self.session.merging(["later": "[null]"]) { $1 }
        #expect(try read(.invite, Self.invite(more)) == .invite(Sample.sessionInvitation))
    }

    @Test(arguments: session.keys.sorted()) func noKeyOfASessionMayBeMissing(key: String) {
        #expect(codeOfRefusal(.invite, Self.invite(Self.session.filter { $0.key != key })) == .invalidFrame)
        #expect(codeOfRefusal(.invite, Self.invite(Self.session.merging([key: "null"]) { $1 })) == .invalidFrame)
    }

    @Test(arguments: ["null", "[]", "1", #""x""#, "true"]) func aSessionIsAnObject(value: String) {
        #expect(codeOfRefusal(.invite, #"{"timeout":30,"session":\#(value)}"#) == .invalidFrame)
    }

    @Test(
        arguments: [
            ("members", "0", nil), ("members", "65535", nil), ("members", "65536", .invalidFrame),
            ("members", "-1", .invalidFrame), ("connectionCount", "4294967295", nil),
            ("connectionCount", "4294967296", .invalidFrame), ("connectionCount", "-1", .invalidFrame),
            ("wish", "0", .limitExceeded), ("wish", "9007199254740991", nil),
            ("wish", "9007199254740992", .limitExceeded),
            ("wish", "18446744073709551616", .invalidFrame), ("wish", "1.5", .invalidFrame),
            ("takesAnyone", "true", nil), ("takesAnyone", "1", .invalidFrame),
            ("takesAnyone", #""yes""#, .invalidFrame),
        ] as [(String, String, ProtocolError.Code?)]
    )
    func valuesOfASessionAreBounded(key: String, value: String, expected: ProtocolError.Code?) throws {
        let payload = Self.invite(Self.session.merging([key: value]) { $1 })
        if let expected {
            #expect(codeOfRefusal(.invite, payload) == expected)
        } else {
            #expect(try read(.invite, payload)?.type == .invite)
        }
    }

    // MARK: decline

    @Test func aRefusalWithoutCountsHasNone() throws {
        for code in ["crossed", "over", "replaced", "busy"] {
            guard case .decline(let refusal) = try read(.decline, #"{"code":"\#(code)","reason":""}"#) else {
                Issue.record("no refusal")
                continue
            }
            #expect(refusal.code.rawValue == code && refusal.connectionCount == nil && refusal.epoch == nil)
        }
    }

    @Test(
        arguments: ["connectionCount", "epoch"],
        ["null", "-1", "4294967296", #""1""#, "[]", "1.5", "1e2", "true"]
    )
    func countsOfARefusalAreChecked(key: String, value: String) {
        let payload = #"{"code":"crossed","reason":"","\#(key)":\#(value)}"#
        #expect(codeOfRefusal(.decline, payload) == .invalidFrame)
    }

    @Test func countsOfARefusalMayBeAsLargeAsAllowed() throws {
        let payload = #"{"code":"over","reason":"","connectionCount":4294967295,"epoch":4294967295}"#
        var expected = Refusal(.over, "")
        expected.connectionCount = .max
        expected.epoch = .max
        #expect(try read(.decline, payload) == .decline(expected))
    }

    /// A resource is declined by an application: counts of connections mean nothing there.
    @Test func aNoticeHasNoCounts() throws {
        let json = #"{"code":"crossed","epoch":null,"reason":"No.","transfer":"\#(Sample.id)","verb":"decline"}"#
        let notice = try ResourceNotice(decoding: ByteBuffer(string: json))
        #expect(notice == ResourceNotice(transfer: Sample.id, verb: .decline(Refusal(.crossed, "No."))))
    }
}
