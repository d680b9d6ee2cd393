import FoundationEssentials
import PeerTestSupport
import Testing

@testable import PeerProtocol

@Suite struct JSONScannerTests {
    private static func fault(
        _ bytes: some Sequence<UInt8>,
        _ integers: JSONScanner.Integers = .everywhere,
        atMost valueCount: Int = ControlJSON.maximumValueCount
    ) -> JSONFault? {
        do {
            try JSONScanner.check(Array(bytes), JSONScanner.Rules(integers: integers), atMost: valueCount)
            return nil
        } catch {
            return error as? JSONFault
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

    private static func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    @Test func depthIsBounded() {
        #expect(Self.fault(Self.nested(512).utf8) == nil)
        #expect(Self.fault(Self.nested(513).utf8) == .tooDeep)
        #expect(Self.fault(String(repeating: #"{"a":"#, count: 100_000).utf8) == .tooDeep)
    }

    private static func key(_ length: Int) -> String { String(repeating: "k", count: length) }

    @Test(arguments: [
        #"{"":1}"#, #"{"\#(key(1000))":1,"a":{"b":[{"c":"\"d\\"}]}}"#,
        #"{"a":"\#(key(5000))","b":["\#(key(5000))"]}"#, #"{"\#(String(repeating: "é", count: 500))":1}"#,
    ])
    func takesKeysUpToTheLimitAndLongValues(json: String) {
        #expect(Self.fault(json.utf8) == nil)
    }

    @Test(arguments: [
        #"{"\#(key(1001))":1}"#, #"{"\#(key(1001))" \#n\#t\#r :1}"#, #"[{"a":{"\#(key(1001))":1}}]"#,
        // Escapes are counted as they are written.
        #"{"\#(String(repeating: #"\u0301"#, count: 167))":1}"#,
        // A quotation mark in a key does not end it, nor does a reverse solidus before its end begin one.
        #"{"\#(key(600))\"\#(key(600))":1}"#, #"{"\\":1,"\#(key(1001))":1}"#,
        // What follows is not looked at.
        #"{"\#(key(1001))"#,
    ])
    func refusesLongKeys(json: String) {
        #expect(Self.fault(json.utf8) == .longKey)
    }

    private static func list(_ element: String, _ count: Int) -> String {
        "[" + Array(repeating: element, count: count).joined(separator: ",") + "]"
    }

    @Test func takesValuesUpToTheLimit() {
        let limit = ControlJSON.maximumValueCount
        // The list itself is one.
        #expect(Self.fault(Self.list("1", limit - 1).utf8) == nil)
        #expect(Self.fault(Self.list("1", limit).utf8) == .manyValues)
        #expect(Self.fault(Self.list("[]", limit - 1).utf8) == nil)
        #expect(Self.fault(Self.list("{}", limit).utf8) == .manyValues)
        let brackets = String(repeating: ",[{", count: limit)
        #expect(Self.fault(#"{"a":"\#(brackets)"}"#.utf8) == nil)
        #expect(Self.fault(#"{"a":"\"\#(brackets)\\"}"#.utf8) == nil)
        #expect(Self.fault(#"["\\",\#(Self.list("1", limit))]"#.utf8) == .manyValues)
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

    @Test(
        arguments: [
            [0x7B, 0x00, 0x7D, 0x00], [0x00, 0x7B, 0x00, 0x7D], [0xFE, 0xFF, 0x00, 0x7B, 0x00, 0x7D],
            [0x7B, 0, 0, 0, 0x7D, 0, 0, 0], [0], Array("{\"a\":\"\u{0}\"}".utf8),
        ] as [[UInt8]]
    )
    func refusesEveryOtherEncoding(bytes: [UInt8]) {
        #expect(Self.fault(bytes) == .notUTF8)
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

    /// What control frames, messages and lists accept of the same texts.
    @Test(
        arguments: [
            (#"{"a":[1,-0,0,-12,{"b":null}],"c":true}"#, nil, nil, nil),
            ("[1.5]", .notInteger, nil, nil), ("[1e400]", .notInteger, nil, nil),
            (#"{"a":1,"a":2}"#, .duplicateKey, .duplicateKey, nil),
            ("[1,]", .notJSON, .notJSON, .notJSON), ("[01]", .notJSON, .notJSON, .notJSON),
            ("[NaN]", .notJSON, .notJSON, .notJSON), ("{", .notJSON, .notJSON, .notJSON),
            (#"["\uD83D\uDE00"]"#, nil, nil, nil), (#"["\uD83D"]"#, .notUTF8, .notUTF8, .notUTF8),
            (nested(32), nil, nil, nil), (nested(33), nil, nil, .tooDeep), (nested(513), .tooDeep, .tooDeep, .tooDeep),
            (list("0", 999), nil, nil, nil), (list("0", 1000), nil, nil, .manyValues),
            // Keys count, too.
            (list(#"{"a":0}"#, 333), nil, nil, nil), (list(#"{"a":0}"#, 334), nil, nil, .manyValues),
            (list("0", 16_384), .manyValues, nil, .manyValues),
            (list("0", 131_072), .manyValues, .manyValues, .manyValues),
            (#"{"\#(key(1001))":1}"#, .longKey, .longKey, .longKey),
            (#""\#(key(9998))""#, nil, nil, nil), (#""\#(key(9999))""#, nil, nil, .tooLong),
        ] as [(String, JSONFault?, JSONFault?, JSONFault?)]
    )
    func hasRulesForEachUse(json: String, inFrame: JSONFault?, inMessage: JSONFault?, inList: JSONFault?) throws {
        #expect(Self.fault(json.utf8) == inFrame)
        #expect(Self.fault(json.utf8, .nowhere, atMost: ControlJSON.maximumMessageValueCount) == inMessage)
        // However short the pieces are in which a list is read.
        for length in [1, 2, 7, 64 * 1024] {
            let text = Array("[ \(json) ]".utf8)
            var scanner = JSONScanner(.list, pieceLength: length) { buffer, position in
                let rest = text.dropFirst(Int(position)).prefix(buffer.count)
                buffer.copyBytes(from: rest)
                return rest.count
            }
            var copy: [UInt8] = []
            var limits = JSONScanner.Limits(length: 10_000, valueCount: 1000)
            do {
                try scanner.readElements("[") { scanner in try scanner.copyValue(to: &copy, &limits) }
                let rest = try scanner.peekBehindSpace()
                #expect(inList == nil && copy == Array(json.utf8) && rest == nil)
            } catch {
                #expect(error as? JSONFault == inList)
            }
        }
    }

    @Test func readsStringsInPiecesWithoutEscapes() throws {
        let text = #" "ab\u0063\/é\n\"" "#
        var pieces: [[UInt8]] = []
        var scanner = JSONScanner(Array(text.utf8), .list)
        try scanner.readString(inPiecesOf: 2) { pieces.append($0) }
        let rest = try scanner.peekBehindSpace()
        #expect(pieces.map { String(decoding: $0, as: UTF8.self) } == ["ab", "c/", "é", "\n\""] && rest == nil)
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
        (.turn, #"{"count":2,"place":1,"seconds":null}"#), (.turn, #"{"count":2,"place":1,"rate":null}"#),
        (
            .acknowledgement,
            #"{"id":"\#(Sample.id)","imported":{},"keptLocal":{},"time":"2026-05-01T08:30:00Z","changes":null}"#
        ),
        (
            .acknowledgement,
            #"{"id":"\#(Sample.id)","imported":{},"keptLocal":{},"time":"2026-05-01T08:30:00Z","changes":["#
                + #"{"kind":"waypoints","outcome":"kept","name":"Hut","localName":null}]}"#
        ),
    ])
    func nullIsNoMissingKey(type: FrameType, payload: String) throws {
        let error = #expect(throws: ProtocolError.self) {
            try FrameDecoder.outputs(afterPreface: FrameDecoder.bytes(type, payload))
        }
        #expect(error?.code == .invalidFrame)
        // Without the key, it is right.
        let missing = payload.replacing(/,"\w+":null/, with: "")
        #expect(missing != payload)
        #expect(try FrameDecoder.outputs(afterPreface: FrameDecoder.bytes(type, missing)).count == 1)
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
