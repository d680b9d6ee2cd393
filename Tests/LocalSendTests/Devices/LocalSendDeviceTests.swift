import LocalSend
import PeerProtocol
import Testing

@Suite struct LocalSendDeviceTests {
    private static func announcement(_ text: String) throws -> LocalSendAnnouncement {
        try LocalSendAnnouncement(Samples.bytes(text))
    }

    @Test func whatRealDevicesAnnounceIsRead() throws {
        let app = try Self.announcement(Samples.localSend)
        #expect(app.asksForAnswer)
        #expect(app.device.alias == "Nice Orange")
        #expect(app.device.version == "2.2")
        #expect(app.device.model == "Samsung")
        #expect(app.device.kind == .mobile)
        #expect(app.device.fingerprint.text == Samples.phone)
        #expect(app.device.port == 53317)
        #expect(app.device.scheme == .https)
        #expect(!app.device.canDownload)

        let brief = try Self.announcement(Samples.localSendBrief)
        #expect(!brief.asksForAnswer)
        #expect(brief.device.model == nil && brief.device.kind == nil && brief.device.canDownload)

        let older = try Self.announcement(Samples.localSend117)
        #expect(older.asksForAnswer && older.device.version == "2.1" && older.device.model == nil)

        let daemon = try Self.announcement(Samples.localsendd)
        #expect(daemon.device.alias == "Anna’s phone" && daemon.device.kind == .mobile)

        let cli = try Self.announcement(Samples.localsendCLI)
        #expect(cli.device.kind == .headless && cli.device.fingerprint.isCertificate)
        #expect(cli.device.fingerprint.text.hasPrefix("662357B47A"))
    }

    @Test func theFirstProtocolStatesNoPortAndNoScheme() throws {
        let old = try Self.announcement(#"{"alias":"Old","deviceType":"mobile","fingerprint":"x","announcement":true}"#)
        let both = try Self.announcement(#"{"announce":true,"announcement":null,"alias":"A","fingerprint":"x"}"#)
        #expect(both.asksForAnswer)
        #expect(
            old.asksForAnswer && old.device.port == 53317 && old.device.scheme == .https && old.device.version == ""
        )
    }

    @Test func whatIsWrittenIsReadAgain() throws {
        var device = try Samples.device(1, alias: "Änne's \"phone\" \u{1F5FA}")
        (device.model, device.kind, device.canDownload) = ("Linux", .desktop, true)
        #expect(try LocalSendDevice(json: device.json()) == device)
        for asks in [true, false] {
            let announcement = LocalSendAnnouncement(device, asksForAnswer: asks)
            #expect(try LocalSendAnnouncement(announcement.datagram) == announcement)
        }
    }

    @Test func theBytesAreThoseThatOthersExpect() throws {
        let fingerprint = try Samples.fingerprint(Samples.phone)
        let device = LocalSendDevice(alias: "A/B", kind: .desktop, fingerprint: fingerprint, port: 53318)
        #expect(
            String(decoding: device.json(announce: true), as: UTF8.self)
                == """
                {"alias":"A/B","announce":true,"deviceType":"desktop","download":false,"fingerprint":"\(Samples.phone)",\
                "port":53318,"protocol":"https","version":"2.2"}
                """
        )
    }

    @Test func anAnswerNeedsNeitherPortNorFingerprint() throws {
        let proof = try Samples.fingerprint(Samples.laptop)
        let json = Samples.bytes(#"{"alias":"A","version":"2.2","fingerprint":"claimed","port":1,"protocol":"http"}"#)
        let device = try LocalSendDevice(answer: json, at: 443, .https, certificate: proof)
        #expect(device.fingerprint == proof && device.port == 443 && device.scheme == .https)
        let brief = Samples.bytes(#"{"alias":"A","version":"2.2"}"#)
        #expect(try LocalSendDevice(answer: brief, at: 443, .https, certificate: proof).fingerprint == proof)
        #expect(throws: LocalSendFault.missing("fingerprint")) {
            try LocalSendDevice(answer: brief, at: 80, .http, certificate: nil)
        }
        // localsend-cli answers so while it looks for devices.
        #expect(throws: LocalSendFault.missing("alias")) {
            try LocalSendDevice(answer: Samples.bytes("{}"), at: 443, .https, certificate: proof)
        }
    }

    @Test(arguments: [
        ("Anna", "Anna"), ("  Anna\t\n", "Anna"), ("An\u{0}na", "An na"), ("An\u{1B}[31mna", "An [31mna"),
        ("A\u{2028}B", "A B"),
        ("A\r\nB", "A  B"), ("\u{9B}31m", "31m"),
    ])
    func aNameIsOneLineWithoutControlCharacters(_ claim: String, _ alias: String) throws {
        let device = try Samples.device(1, alias: claim)
        #expect(device.alias == alias)
        #expect(try LocalSendDevice(json: device.json()).alias == alias)
    }

    @Test func aLongNameIsCutBetweenCharacters() throws {
        let flag = "🇨🇭"
        #expect(
            try Samples.device(1, alias: String(repeating: flag, count: 50)).alias == String(repeating: flag, count: 12)
        )
        #expect(try Samples.device(1, alias: "a" + String(repeating: "\u{301}", count: 5000) + "b").alias == "-")
        let json = #"{"alias":"\#(String(repeating: "x", count: 900))","fingerprint":"f"}"#
        #expect(try LocalSendDevice(json: Samples.bytes(json)).alias.utf8.count == 100)
        // Not read at all, and not without its middle either.
        for length in [1001, 1034, 2000] {
            let json = #"{"alias":"\#(String(repeating: "x", count: length))","fingerprint":"f"}"#
            #expect(throws: LocalSendFault.missing("alias")) { try LocalSendDevice(json: Samples.bytes(json)) }
        }
    }

    @Test(arguments: [
        (#"{"fingerprint":"f"}"#, LocalSendFault.missing("alias")),
        (#"{"alias":"","fingerprint":"f"}"#, .missing("alias")),
        (#"{"alias":"\u0000 \n","fingerprint":"f"}"#, .missing("alias")),
        (#"{"alias":7,"fingerprint":"f"}"#, .missing("alias")),
        (#"{"alias":null,"fingerprint":"f"}"#, .missing("alias")),
        (#"{"alias":"A"}"#, .missing("fingerprint")),
        (#"{"alias":"A","fingerprint":""}"#, .missing("fingerprint")),
        (#"{"alias":"A","fingerprint":["f"]}"#, .missing("fingerprint")),
        (#"{"alias":"A","fingerprint":"f","port":0}"#, .invalid("port")),
        (#"{"alias":"A","fingerprint":"f","port":65536}"#, .invalid("port")),
        (#"{"alias":"A","fingerprint":"f","port":-1}"#, .invalid("port")),
        (#"{"alias":"A","fingerprint":"f","port":53317.0}"#, .invalid("port")),
        (#"{"alias":"A","fingerprint":"f","port":"53317"}"#, .invalid("port")),
        (#"{"alias":"A","fingerprint":"f","port":99999999999999999999}"#, .invalid("port")),
        (#"{"alias":"A","fingerprint":"f","protocol":"ftp"}"#, .invalid("protocol")),
        (#"{"alias":"A","fingerprint":"f","protocol":"HTTPS"}"#, .invalid("protocol")),
        (#"{"alias":"A","fingerprint":"f","protocol":1}"#, .invalid("protocol")),
        (#"{"alias":"A","fingerprint":"f","alias":"B"}"#, .json(.duplicateKey)),
        (#"{"alias":"A","fingerprint":"f","\u0061lias":"B"}"#, .json(.duplicateKey)),
        (#"{"alias":"A","fingerprint":"f"}{}"#, .json(.notJSON)),
        (#"["alias"]"#, .json(.notJSON)),
        ("", .json(.notJSON)),
        ("{\"alias\":\"\u{0}\"}", .json(.notUTF8)),
    ])
    func whatIsNoDeviceIsRefused(_ json: String, _ fault: LocalSendFault) {
        #expect(throws: fault) { try LocalSendDevice(json: Samples.bytes(json)) }
        #expect(throws: fault) { try Self.announcement(json) }
    }

    @Test func whatIsNotKnownIsSkipped() throws {
        let json =
            #"{"x":{"alias":[1,{"a":1,"a":2}]},"alias":"A","deviceType":"fridge","deviceModel":5,"version":{},"fingerprint":"f"}"#
        let device = try LocalSendDevice(json: Samples.bytes(json))
        #expect(device.kind == nil && device.model == nil && device.version == "")
        #expect(
            try LocalSendDevice(json: Samples.bytes(#"{"alias":"A","deviceType":"MOBILE","fingerprint":"f"}"#)).kind
                == .mobile
        )
    }

    @Test func lengthsAreBounded() throws {
        func padded(_ length: Int) -> [UInt8] {
            let start = Samples.bytes(#"{"alias":"A","fingerprint":"f","x":""#)
            return start + [UInt8](repeating: 0x78, count: length - start.count - 2) + Samples.bytes("\"}")
        }
        #expect(try LocalSendAnnouncement(padded(4096)).device.alias == "A")
        #expect(throws: LocalSendFault.tooLong) { try LocalSendAnnouncement(padded(4097)) }
        let deep = #"{"alias":"A","fingerprint":"f","x":"# + String(repeating: "[", count: 1000)
        #expect(throws: LocalSendFault.json(.tooDeep)) { try LocalSendAnnouncement(Samples.bytes(deep)) }
        let many = #"{"alias":"A","fingerprint":"f","x":["# + String(repeating: "0,", count: 1000) + "0]}"
        #expect(throws: LocalSendFault.json(.manyValues)) { try LocalSendAnnouncement(Samples.bytes(many)) }
        let key = #"{"alias":"A","fingerprint":"f",""# + String(repeating: "k", count: 1001) + #"":0}"#
        #expect(throws: LocalSendFault.json(.longKey)) { try LocalSendAnnouncement(Samples.bytes(key)) }
    }
}
