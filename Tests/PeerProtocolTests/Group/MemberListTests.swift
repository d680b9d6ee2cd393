import FoundationEssentials
import NIOCore
import PeerProtocol
import Testing

/// The payload of the frame `members`: each length at its bound and one over it, and every other fault.
@Suite struct MemberListTests {
    private static let id = Sample.sender.hex
    private static let run = "AAECAwQFBgcICQoLDA0ODw"

    private static func record(_ changes: [String: String?] = [:]) -> String {
        var keys: [String: String?] = [
            "id": #""\#(id)""#, "incarnation": #""\#(run)""#, "counter": "3", "status": #""present""#,
        ]
        keys.merge(changes) { $1 }
        let pairs = keys.compactMap { key, value in value.map { #""\#(key)":\#($0)"# } }
        return "{\(pairs.sorted().joined(separator: ","))}"
    }

    private func code(_ payload: String) -> ProtocolError.Code? {
        do throws(ProtocolError) {
            _ = try MemberList(decoding: ByteBuffer(string: payload))
            return nil
        } catch {
            return error.code
        }
    }

    private static func text(_ length: Int) -> String { #""\#(String(repeating: "a", count: length))""# }
    private static func list(_ item: String, _ count: Int) -> String {
        "[\(Array(repeating: item, count: count).joined(separator: ","))]"
    }

    @Test func aRecordIsReadAndWritten() throws {
        let payload = try Sample.members()
        #expect(try MemberList(decoding: payload).members == [Sample.member])
        #expect(code(#"{"members":[\#(Self.record()),\#(Self.record())]}"#) == nil)
        #expect(code(#"{"members":[],"later":1}"#) == nil)
    }

    @Test(
        arguments: [
            ("displayName", text(63), nil), ("displayName", text(64), .limitExceeded),
            ("displayName", "1", .invalidFrame),
            ("displayName", "null", .invalidFrame), ("platform", text(64), nil), ("platform", text(65), .limitExceeded),
            ("software", text(64), nil), ("software", text(65), .limitExceeded),
            ("counter", "4294967295", nil), ("counter", "4294967296", .limitExceeded), ("counter", "-1", .invalidFrame),
            ("counter", "1.5", .invalidFrame), ("counter", nil, .invalidFrame), ("id", nil, .invalidFrame),
            ("id", #""0a""#, .invalidFrame), ("incarnation", nil, .invalidFrame),
            ("incarnation", #""AA""#, .invalidFrame),
            ("status", #""left""#, nil), ("status", #""asleep""#, .invalidFrame), ("status", nil, .invalidFrame),
            ("addresses", list(text(262), 16), nil), ("addresses", list(text(263), 1), .limitExceeded),
            ("addresses", list(text(1), 17), .limitExceeded), ("addresses", "null", .invalidFrame),
            ("links", list(#""0123456789abcdef""#, 64), nil),
            ("links", list(#""0123456789abcdef""#, 65), .limitExceeded),
            ("links", #"["0123456789ABCDEF"]"#, .invalidFrame), ("links", #"["0123"]"#, .invalidFrame),
            ("links", #"["0123456789abcdeg"]"#, .invalidFrame),
        ] as [(String, String?, ProtocolError.Code?)]
    )
    func everyPartIsBounded(key: String, value: String?, expected: ProtocolError.Code?) {
        #expect(code(#"{"members":[\#(Self.record([key: value]))]}"#) == expected)
    }

    @Test(arguments: ["", "{", "[]", "1", "null", "{}", #"{"members":{}}"#, #"{"members":null}"#, #"{"members":[1]}"#])
    func whatIsNoListIsRefused(payload: String) {
        #expect(code(payload) == .invalidFrame)
    }

    @Test func aListHasAtMost64Records() {
        #expect(code(#"{"members":\#(Self.list(Self.record(), 64))}"#) == nil)
        #expect(code(#"{"members":\#(Self.list(Self.record(), 65))}"#) == .limitExceeded)
        let long = Self.record(["displayName": Self.text(63), "addresses": Self.list(Self.text(262), 16)])
        #expect(code(#"{"members":\#(Self.list(long, 20))}"#) == .limitExceeded)
    }

    @Test func recordsThatAreTooManyForOneFrameGoInSeveral() throws {
        let addresses = Array(repeating: String(repeating: "1", count: 262), count: 16)
        let records = (0..<64).map { number in
            MemberRecord(
                id: PeerID(digest: ContentDigest(hashing: [UInt8(number)])),
                incarnation: Sample.incarnation,
                displayName: "\(number)",
                addresses: addresses,
                links: (0..<64).map { MemberRecord.Mark(of: PeerID(digest: ContentDigest(hashing: [UInt8($0)]))) }
            )
        }
        let payloads = try MemberList.payloads(of: records)
        #expect(payloads.count > 1 && payloads.allSatisfy { $0.readableBytes <= MemberList.maximumLength })
        #expect(try payloads.flatMap { try MemberList(decoding: $0).members } == records)
        #expect(try MemberList.payloads(of: []).isEmpty)
    }

    @Test func namesAreCutToTheirBounds() {
        let record = MemberRecord(
            id: Sample.sender,
            incarnation: Sample.incarnation,
            displayName: String(repeating: "ä", count: 40),
            platform: String(repeating: "p", count: 100)
        )
        #expect(record.displayName.utf8.count == 62 && record.platform.utf8.count == 64)
    }
}
