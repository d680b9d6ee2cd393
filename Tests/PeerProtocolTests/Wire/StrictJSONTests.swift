import FoundationEssentials
import PeerTestSupport
import Testing

@testable import PeerProtocol

@Suite struct StrictJSONTests {
    private static func fault(
        _ bytes: some Sequence<UInt8>,
        _ integers: StrictJSON.Integers = .everywhere
    ) -> ControlJSON.Unreadable? {
        do {
            try StrictJSON.check(Data(bytes), integers: integers)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        "{}", " {\t\"a\" :\r\n[ ] } ", #"{"a":[1,-0,0,-12,{"b":null}],"c":true,"d":false}"#, "[]", "7", "null", #""""#,
        #"{"\"\\\/\b\f\n\r\t\u0041\uD83D\uDE00é":"\u0000"}"#, #"{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}"#,
        // Differ in case and in normal form.
        #"{"a":1,"A":2,"\u00E9":3,"e\u0301":4}"#,
    ])
    func takesIJSON(json: String) {
        #expect(Self.fault(json.utf8) == nil)
    }

    @Test(arguments: [
        "", " ", "{", "}", "{]", "[}", "[1", "{}{}", "[1 2]", "[1,]", "[,1]", "[,]", #"{"a":1,}"#, #"{,"a":1}"#,
        #"{"a"}"#,
        #"{"a":}"#, #"{"a":1 "b":2}"#, #"{a:1}"#, "{'a':1}", #"{"a":1}}"#, "[1]]", "nul", "nulll", "True", "NaN",
        "Infinity",
        "01", "-", "+1", "-a", "1a", "0x1", "\"", #""\"#, #""\x""#, #""\u12""#, #""\u12G4""#, "\"\n\"", "\"\u{1}\"",
        "/**/{}", "{}//", "\u{FEFF}{}", "{\u{A0}}", #"{"a":1,"b"}"#, #"{1:2}"#,
    ])
    func refusesWhatIsNoJSON(json: String) {
        #expect(Self.fault(json.utf8) == .notJSON)
    }

    @Test(arguments: [
        #"{"a":1,"a":1}"#, #"{"a":1,"\u0061":2}"#, #"{"x":[{"a":{},"b":1,"a":{}}]}"#, #"{"":0,"":0}"#,
        #"{"\uD83D\uDE00":1,"😀":2}"#,
    ])
    func refusesAKeyThatIsThereTwice(json: String) {
        #expect(Self.fault(json.utf8) == .duplicateKey)
    }

    @Test(
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0xC0, 0xAF, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xE2, 0x82, 0x22],
            Array(#""\uD800""#.utf8), Array(#""\uDC00""#.utf8), Array(#""\uD800\u0041""#.utf8),
            Array(#""\uD800x""#.utf8),
        ] as [[UInt8]]
    )
    func refusesWhatIsNotUTF8(bytes: [UInt8]) {
        #expect(Self.fault(bytes) == .notUTF8)
    }

    @Test(arguments: ["1.0", "1e2", "-0.5", "1E+2", "0e0", "12.5e-1"])
    func refusesFractionsWhereIntegersMustStand(number: String) {
        #expect(Self.fault(#"{"a":[\#(number)]}"#.utf8) == .notInteger)
        let elsewhere = #"{"a":\#(number),"b":[{"size":1}],"c":{"b":\#(number)}}"#
        #expect(Self.fault(elsewhere.utf8, .inValue(of: "b")) == nil)
        let inside = #"{"a":1,"b":[{"size":\#(number)}]}"#
        #expect(Self.fault(inside.utf8, .inValue(of: "b")) == .notInteger)
    }

    @Test(arguments: ["1.", "1.e1", "1e", "1e+", ".5", "-.5"])
    func refusesNumbersThatEndAnywhere(number: String) {
        #expect(Self.fault(number.utf8, .inValue(of: "b")) == .notJSON)
    }

    @Test func depthIsBounded() {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(Self.fault(nested(512).utf8) == nil)
        #expect(Self.fault(nested(513).utf8) == .tooDeep)
        #expect(Self.fault(String(repeating: #"{"a":"#, count: 100_000).utf8) == .tooDeep)
    }

    @Test func manyKeysCostLittle() {
        let keys = (0..<16_000).map { #""key\#($0)":0"# }.joined(separator: ",")
        let clock = ContinuousClock()
        let time = clock.measure { #expect(Self.fault("{\(keys)}".utf8) == nil) }
        #expect(time < .seconds(60))
    }

    @Test(arguments: [
        (FrameType.cancel, #"{"reason":"a","reason":"b"}"#, "the same key twice"),
        (.cancel, #"{"reason":"a",}"#, "not valid JSON"), (.cancel, "\u{FEFF}{\"reason\":\"a\"}", "not valid JSON"),
        (.ping, #"{"nonce":1.0}"#, "a fraction"), (.ping, #"{"nonce":1e0}"#, "a fraction"),
    ])
    func aFrameSaysWhatIsWrongWithIt(type: FrameType, payload: String, words: String) {
        let error = #expect(throws: ProtocolError.self) {
            try FrameDecoder.outputs(afterPreface: FrameDecoder.bytes(type, payload))
        }
        #expect(error?.code == .invalidFrame)
        #expect(error?.message.contains(words) == true)
    }

    @Test(arguments: [
        (FrameType.invite, #"{"timeout":1,"context":null}"#), (.invite, #"{"timeout":1,"token":null}"#),
        (.invite, #"{"timeout":1,"pinned":null}"#), (.failure, #"{"code":"failed","message":"x","remedy":null}"#),
    ])
    func nullIsNoMissingKey(type: FrameType, payload: String) {
        let error = #expect(throws: ProtocolError.self) {
            try FrameDecoder.outputs(afterPreface: FrameDecoder.bytes(type, payload))
        }
        #expect(error?.code == .invalidFrame)
    }

    @Test(arguments: [
        #"{"id":"0F8FAD5B-D9CB-469F-A165-70867728950E","resources":[],"resources":[]}"#,
        #"{"id":"0F8FAD5B-D9CB-469F-A165-70867728950E","resources":[],"name":"a","name":"b"}"#,
        #"{"id":"0F8FAD5B-D9CB-469F-A165-70867728950E","resources":[{"size":1.0}]}"#,
        #"{"id":"0F8FAD5B-D9CB-469F-A165-70867728950E","resources":[],}"#,
    ])
    func aManifestIsStrictToo(body: String) {
        let error = #expect(throws: ProtocolError.self) { try Manifest(parsing: Data(body.utf8)) }
        #expect(error?.code == .invalidManifest)
    }

    @Test func aManifestMayHaveFractionsOfItsApplication() throws {
        let body = #"{"id":"0F8FAD5B-D9CB-469F-A165-70867728950E","resources":[],"boundingBox":{"north":42.5}}"#
        #expect(try Manifest(parsing: Data(body.utf8)).entries.isEmpty)
    }
}
