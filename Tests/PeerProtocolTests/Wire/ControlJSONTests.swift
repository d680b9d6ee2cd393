import FoundationEssentials
import PeerTestSupport
import Testing

@testable import PeerProtocol

@Suite struct ControlJSONTests {
    private static func isAcceptable(_ json: String) -> Bool {
        (try? ControlJSON.checkKeys(of: Data(json.utf8))) != nil
    }

    private static func key(_ length: Int) -> String { String(repeating: "k", count: length) }

    @Test func takesKeysOfEveryLengthUpToTheLimit() {
        #expect(Self.isAcceptable("{}"))
        #expect(Self.isAcceptable(#"{"":1}"#))
        #expect(Self.isAcceptable(#"{"\#(Self.key(1000))":1,"a":{"b":[{"c":"\"d\\"}]}}"#))
    }

    @Test(
        arguments: [
            #"{"\#(key(1001))":1}"#, #"{"\#(key(1001))" \#n\#t\#r :1}"#, #"[{"a":{"\#(key(1001))":1}}]"#,
            // Escapes are counted as they are written.
            #"{"\#(String(repeating: #"\u0301"#, count: 167))":1}"#,
            // A quotation mark in a key does not end it, nor does a reverse solidus before its end begin one.
            #"{"\#(key(600))\"\#(key(600))":1}"#, #"{"\\":1,"\#(key(1001))":1}"#,
            // No JSON, but no reason to look at it any longer.
            #""":"":\#(key(3))"\#(key(1001))":"#,
            "\u{0}", "{\"a\":\"\u{0}\"}",
        ]
    )
    func refusesLongKeysAndZeroBytes(json: String) {
        #expect(!Self.isAcceptable(json))
    }

    @Test(arguments: ["\"", "\\", "\\\"", #"{"a"#, #"{"a":"\#(key(5000))"#])
    func takesWhatEndsAnywhere(json: String) {
        #expect(Self.isAcceptable(json))
    }

    @Test func valuesMayBeLong() {
        #expect(Self.isAcceptable(#"{"a":"\#(Self.key(5000))","b":["\#(Self.key(5000))"]}"#))
    }

    private static func isFew(_ json: String) -> Bool {
        (try? ControlJSON.checkValueCount(of: Data(json.utf8))) != nil
    }

    private static func list(_ element: String, _ count: Int) -> String {
        "[" + Array(repeating: element, count: count).joined(separator: ",") + "]"
    }

    @Test func takesValuesUpToTheLimit() {
        let limit = ControlJSON.maximumValueCount
        #expect(Self.isFew(""))
        // The list itself is one.
        #expect(Self.isFew(Self.list("1", limit - 1)))
        #expect(!Self.isFew(Self.list("1", limit)))
        let brackets = String(repeating: ",[{", count: limit)
        #expect(Self.isFew(#"{"a":"\#(brackets)"}"#))
        #expect(Self.isFew(#"{"a":"\"\#(brackets)\\"}"#))
        #expect(!Self.isFew(#"["\\",\#(Self.list("1", limit))]"#))
    }

    @Test(arguments: ["[]", "{}", "0", "null", #"{"a":[0]}"#])
    func aManifestOfManyValuesIsNotEvenDecoded(element: String) {
        let rest = Self.list(element, 50_000)
        let body = #"{"id":"11111111-1111-4111-8111-111111111111","resources":[],"x":\#(rest)}"#
        let error = #expect(throws: ProtocolError.self) { try Manifest(parsing: Data(body.utf8)) }
        #expect(error?.code == .limitExceeded)
        let ping = FrameDecoder.bytes(.ping, #"{"nonce":1,"x":\#(Self.list("0", 20_000))}"#)
        let second = #expect(throws: ProtocolError.self) { try FrameDecoder.outputs(afterPreface: ping) }
        #expect(second?.code == .limitExceeded)
    }

    @Test func everyOtherEncodingIsRefused() throws {
        for bytes: [UInt8] in [
            [0x7B, 0x00, 0x7D, 0x00], [0x00, 0x7B, 0x00, 0x7D], [0xFE, 0xFF, 0x00, 0x7B, 0x00, 0x7D],
            [0x7B, 0, 0, 0, 0x7D, 0, 0, 0],
        ] {
            #expect(throws: ControlJSON.Unreadable.self) { try ControlJSON.checkKeys(of: Data(bytes)) }
        }
    }

    /// For a key like this Swift's dictionaries take minutes.
    @Test func keysMadeOfCombiningMarksCostNothing() throws {
        let marks = String(repeating: "\u{301}\u{323}", count: 250_000)
        let clock = ContinuousClock()
        let start = clock.now
        let error = #expect(throws: ProtocolError.self) {
            try Manifest(parsing: Data(#"{"a\#(marks)":1}"#.utf8))
        }
        #expect(error?.code == .limitExceeded)
        let ping = FrameDecoder.bytes(.ping, #"{"nonce":1,"a\#(marks.unicodeScalars.prefix(30_000))":1}"#)
        for _ in 0..<20 {
            #expect(throws: ProtocolError.self) { try FrameDecoder.outputs(afterPreface: ping) }
        }
        #expect(start.duration(to: clock.now) < .seconds(5))
    }
}
