import FoundationEssentials
import LocalSend
import PeerProtocol
import Testing

@Suite struct LocalSendOfferTests {
    private static func offer(_ files: String) throws -> LocalSendOffer {
        try LocalSendOffer(json: Samples.bytes(#"{"info":\#(Samples.localSendBrief),"files":\#(files)}"#))
    }

    /// The only file of a list, which has no second one.
    private static func file(_ fields: String) throws -> LocalSendFile? {
        do {
            return try offer(#"{"f":{\#(fields)}}"#).files.first
        } catch LocalSendFault.noUsableFile {
            return nil
        }
    }

    @Test func listsOfRealDevicesAreRead() throws {
        let offer = try LocalSendOffer(json: Samples.bytes(Samples.list))
        let file = try #require(offer.files.first)
        #expect(offer.files.count == 1 && offer.leftOut == 0 && offer.text == nil && offer.size == 12345)
        #expect(offer.sender.alias == "Anna’s phone")
        #expect(file.id == "8b1c4b4f6a0c4f3f8f0f8a7d6c5b4a39" && file.name == "Tour über den Paß.gpx")
        #expect(file.sha256 == ContentDigest(hashing: Array("abc".utf8)))
        #expect(file.modified == nil && file.preview == nil && !file.isText)
    }

    @Test func aMessageIsOneTextThatIsThereAlready() throws {
        #expect(try LocalSendOffer(json: Samples.bytes(Samples.message)).text == "Grüezi mitnand")
        func text(_ rest: String, _ other: String = "") throws -> String? {
            try Self.offer(#"{"f":{"fileName":"a.txt",\#(rest)}\#(other)}"#).text
        }
        #expect(try text(#""size":2,"fileType":"text/plain","preview":"Hi""#) == "Hi")
        #expect(try text(#""size":0,"fileType":"text/plain","preview":"""#) == "")
        // A preview that is not the whole text.
        #expect(try text(#""size":3,"fileType":"text/plain","preview":"Hi""#) == nil)
        #expect(try text(#""size":2,"fileType":"text/plain""#) == nil)
        #expect(try text(#""size":2,"fileType":"image/png","preview":"Hi""#) == nil)
        #expect(
            try text(#""size":2,"fileType":"text/plain","preview":"Hi""#, #","g":{"fileName":"b","size":1}"#) == nil
        )
        #expect(
            try text(#""size":2,"fileType":"text/plain","preview":"Hi""#, #","g":{"fileName":"..","size":1}"#) == nil
        )
        let long = String(repeating: "x", count: LocalSendLimits.textLength)
        #expect(try text(#""size":65536,"fileType":"text/plain","preview":"\#(long)""#) == long)
        #expect(try text(#""size":65537,"fileType":"text/plain","preview":"\#(long)x""#) == nil)
    }

    /// CVE-2025-27142: a name that leaves the folder.
    @Test(arguments: [
        ("a.gpx", "a.gpx"), ("Hikes/2026/a.gpx", "a.gpx"), ("../../.ssh/authorized_keys", "authorized_keys"),
        ("/etc/passwd", "passwd"), (#"C:\\Windows\\a.exe"#, "a.exe"), (#"..\\a"#, "a"), (" a.gpx ", "a.gpx"),
        ("a/\u{301}../b/\u{327}c", "\u{327}c"), ("..\\\\\u{301}a", "\u{301}a"),
        (#"a\u0000.gpx"#, "a .gpx"), (#"a\n\u001b[2Jb"#, "a  [2Jb"), (".profile", ".profile"), ("...", "..."),
        ("<script>alert(1)<\\/script>.gpx", "script>.gpx"),
        (#"\"><img src=x onerror=alert(1)>"#, #""><img src=x onerror=alert(1)>"#),
        ("CON", "CON"), ("ａ．gpx", "ａ．gpx"),
    ])
    func aNameIsNoPath(_ claim: String, _ name: String) throws {
        #expect(try Self.file(#""fileName":"\#(claim)","size":1"#)?.name == name)
    }

    @Test(arguments: ["", " ", ".", "..", "a/", "a/..", #"a\\"#, #"\u0000"#, "../.", #"\u2028"#])
    func aNameWithoutAFileIsNone(_ claim: String) throws {
        #expect(try Self.file(#""fileName":"\#(claim)","size":1"#) == nil)
    }

    @Test func theLengthOfANameIsBounded() throws {
        let name = String(repeating: "é", count: 500)
        #expect(try Self.file(#""fileName":"\#(name)","size":1"#)?.name == name)
        #expect(try Self.file(#""fileName":"\#(name)x","size":1"#) == nil)
        #expect(LocalSendFile(id: "f", name: name, size: 1) != nil)
        #expect(LocalSendFile(id: "f", name: name + "x", size: 1) == nil)
    }

    @Test(arguments: [
        (#""size":0"#, 0 as UInt64?), (#""size":9007199254740992"#, 1 << 53), (#""size":9007199254740993"#, nil),
        (#""size":-1"#, nil),
        (#""size":1.5"#, nil), (#""size":1e3"#, nil), (#""size":"1""#, nil), (#""size":null"#, nil), (#""siz":1"#, nil),
        (#""size":18446744073709551616"#, nil), (#""size":true"#, nil), (#""size":{}"#, nil),
    ])
    func aSizeIsANumber(_ field: String, _ size: UInt64?) throws {
        #expect(try Self.file(#""fileName":"a",\#(field)"#)?.size == size)
    }

    @Test func sizesTogetherDoNotOverflow() throws {
        let files = (0..<1000).map { #""\#($0)":{"fileName":"a","size":9007199254740992}"# }.joined(separator: ",")
        let offer = try Self.offer("{\(files)}")
        #expect(offer.files.count == 1000 && offer.size == 1000 << 53)
    }

    @Test(arguments: [
        (#""sha256":null"#, true), (#""sha256":"""#, true), (#""sha256":"abc""#, false), (#""sha256":1"#, false),
        (#""sha256":"BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD""#, true),
        (#""sha256":"BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015ADAA""#, false),
        (#""id":"f""#, true), (#""id":null"#, true), (#""id":"g""#, false), (#""id":7"#, false),
        (#""preview":7"#, true), (#""metadata":[{}]"#, true), (#""metadata":{"modified":"yesterday"}"#, true),
        (#""fileType":5"#, true), (#""fileType":"täxt""#, true),
    ])
    func otherFieldsAreKeptOrTheFileIsLeftOut(_ field: String, _ isFile: Bool) throws {
        #expect(try (Self.file(#""fileName":"a","size":1,\#(field)"#) != nil) == isFile)
    }

    @Test func thePreviewOfAPhotoIsNotKept() throws {
        let fields = #""fileName":"a","size":1,"preview":"iVBORw0KGgo=""#
        #expect(try Self.file(fields + #","fileType":"image/png""#)?.preview == nil)
        #expect(try Self.file(fields + #","fileType":"text/plain""#)?.preview == "iVBORw0KGgo=")
    }

    @Test(arguments: [
        "2021-01-01T12:34:56Z", "2021-01-01T12:34:56.000Z", "2021-01-01T13:34:56+01:00",
    ])
    func aTimeIsReadInEachForm(_ text: String) throws {
        let file = try Self.file(#""fileName":"a","size":1,"metadata":{"accessed":"x","modified":"\#(text)"}"#)
        #expect(file?.modified == Date(timeIntervalSince1970: 1_609_504_496))
    }

    @Test func oneBadFileDoesNotHideTheOthers() throws {
        let offer = try Self.offer(
            #"{"b":{"fileName":"b","size":1},"x":7,"ü":{"fileName":"u","size":1},"":{"fileName":"v","size":1},"a":{"fileName":"a","size":2},"y":{}}"#
        )
        // In the order of the list.
        #expect(offer.files.map(\.id) == ["b", "a"])
        #expect(offer.leftOut == 4)
        #expect(throws: LocalSendFault.noUsableFile) { try Self.offer(#"{"x":7}"#) }
        #expect(try Self.offer("{}").files.isEmpty)
    }

    @Test func whatIsNoListIsRefused() {
        let info = Samples.localSendBrief
        let cases: [(String, LocalSendFault)] = [
            ("{}", .missing("info")), (#"{"info":\#(info)}"#, .missing("files")), (#"{"files":{}}"#, .missing("info")),
            (#"{"info":{},"files":{}}"#, .missing("alias")), (#"{"info":\#(info),"files":[]}"#, .json(.notJSON)),
            (#"{"info":\#(info),"files":null}"#, .json(.notJSON)), (#"{"info":7,"files":{}}"#, .json(.notJSON)),
            (#"{"info":\#(info),"files":{},"files":{}}"#, .json(.duplicateKey)),
            (#"{"info":\#(info),"files":{"f":{},"f":{}}}"#, .json(.duplicateKey)),
            (#"{"info":\#(info),"files":{"f":{"size":1,"size":2}}}"#, .json(.duplicateKey)),
            (#"{"info":\#(info),"files":{}} x"#, .json(.notJSON)), ("", .json(.notJSON)),
        ]
        for (json, fault) in cases {
            #expect(throws: fault, "\(json)") { try LocalSendOffer(json: Samples.bytes(json)) }
            #expect(fault.status == .invalid)
        }
    }

    @Test func theNumberOfFilesIsBounded() throws {
        func list(_ count: Int) -> String {
            "{" + (0..<count).map { #""\#($0)":{"fileName":"a","size":1}"# }.joined(separator: ",") + "}"
        }
        #expect(try Self.offer(list(1000)).files.count == 1000)
        #expect(throws: LocalSendFault.tooManyFiles) { try Self.offer(list(1001)) }
        let bad = "{" + (0..<1001).map { #""\#($0)":0"# }.joined(separator: ",") + "}"
        #expect(throws: LocalSendFault.tooManyFiles) { try Self.offer(bad) }
        #expect(LocalSendFault.tooManyFiles.status == .tooLarge)
        #expect(throws: LocalSendFault.tooLong) {
            try LocalSendOffer(json: [UInt8](repeating: 0x20, count: (1 << 20) + 1))
        }
        #expect(LocalSendFault.tooLong.status == .tooLarge)
    }

    /// A list of this length is read while others wait: that must take no time and no memory.
    @Test func theLongestListsAreReadAtOnce() throws {
        let nested = #"{"info":\#(Samples.localSendBrief),"x":"# + String(repeating: #"{"a":"#, count: 200_000)
        #expect(throws: LocalSendFault.json(.tooDeep)) { try LocalSendOffer(json: Samples.bytes(nested)) }
        let flat = #"{"info":\#(Samples.localSendBrief),"x":["# + String(repeating: "0,", count: 500_000)
        #expect(throws: LocalSendFault.json(.manyValues)) { try LocalSendOffer(json: Samples.bytes(flat)) }
        // Combining marks, which take quadratic time to compare.
        let marks =
            #"{"info":\#(Samples.localSendBrief),"files":{"a":{"fileName":""#
            + String(repeating: "a\u{301}\u{327}", count: 200_000)
        #expect(throws: LocalSendFault.json(.notJSON)) { try LocalSendOffer(json: Samples.bytes(marks)) }
    }

    @Test func whatIsWrittenIsReadAgain() throws {
        var map = try #require(
            LocalSendFile(
                id: "1",
                name: #"Coma "Pedrosa" ü.html"#,
                size: 1 << 40,
                type: "text/html",
                sha256: ContentDigest(hashing: [1, 2, 3]),
                modified: Date(timeIntervalSince1970: 1_700_000_000)
            )
        )
        let offer = LocalSendOffer(from: try Samples.device(1), [map])
        #expect(try LocalSendOffer(json: offer.json) == offer)
        map.preview = "text"
        #expect(try LocalSendOffer(json: LocalSendOffer(from: offer.sender, [map]).json).files == [map])
    }

    @Test func theBytesAreThoseThatOthersExpect() throws {
        let file = try #require(
            LocalSendFile(
                id: "1",
                name: "a.html",
                size: 5,
                type: "text/html",
                sha256: ContentDigest(hashing: Array("abc".utf8))
            )
        )
        let device = LocalSendDevice(alias: "A", fingerprint: try Samples.fingerprint("f"), port: 1)
        #expect(
            String(decoding: LocalSendOffer(from: device, [file]).json, as: UTF8.self)
                == """
                {"files":{"1":{"fileName":"a.html","fileType":"text/html","id":"1",\
                "sha256":"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad","size":5}},\
                "info":{"alias":"A","download":false,"fingerprint":"f","port":1,"protocol":"https","version":"2.2"}}
                """
        )
    }
}
