import Avahi
import Foundation
import Testing

@testable import PeerCore

@Suite struct DiscoveryInfoTests {
    @Test func severalOffersAreCounted() throws {
        var info = DiscoveryInfo(displayName: "Anna", regionName: "Pirineus")
        info.offerCount = 3
        info.mark(ContentDigest(hashing: [1]))
        let read = DiscoveryInfo(try info.txtRecord())
        #expect(read == info && read.offerMark?.utf8.count == 16)
        for (count, mark) in [("0", "x"), ("1", ""), ("-2", "a"), ("201", "a"), ("many", "a")] {
            var txt = TXTRecord()
            try txt.set("offers", to: count)
            try txt.set("offer", to: mark + String(repeating: "0", count: 16))
            #expect(DiscoveryInfo(txt).offerCount == nil && (mark.isEmpty || DiscoveryInfo(txt).offerMark == nil))
        }
    }

    @Test(arguments: ["Anna", "Anna's laptop", "🏔️ Größe 日本", "", String(repeating: "a", count: 63)])
    func everythingSurvives(name: String) throws {
        let info = DiscoveryInfo(
            protocolVersion: 1,
            peerID: PeerID(digest: ContentDigest(hashing: [1])),
            displayName: name,
            software: "hikeshare 0.1.0",
            encryption: .optional,
            regionName: "Vall d’Incles",
            size: .max,
            custom: ["group": "Abc", "empty": "", "größe".filter(\.isASCII): "größe"]
        )
        var expected = info
        if name.isEmpty { expected.displayName = nil }
        #expect(DiscoveryInfo(try info.txtRecord()) == expected)
    }

    @Test func aNameThatIsTooLongIsCutAtACharacter() throws {
        let name = String(repeating: "👩‍👩‍👧‍👦", count: 20)
        let read = try #require(DiscoveryInfo(DiscoveryInfo(displayName: name).txtRecord()).displayName)
        #expect(!read.isEmpty)
        #expect(read.utf8.count <= 63)
        #expect(name.hasPrefix(read))
        #expect(read.allSatisfy { $0 == "👩‍👩‍👧‍👦" })
    }

    @Test func anyPairFitsIntoItsByteOfLength() throws {
        let info = DiscoveryInfo(
            displayName: String(repeating: "é", count: 500),
            software: String(repeating: "é", count: 500),
            regionName: String(repeating: "é", count: 500)
        )
        let txt = try info.txtRecord()
        for key in ["shortName", "prettyName", "appVersion", "region"] {
            #expect(key.utf8.count + 1 + (txt.bytes(forKey: key)?.count ?? 0) <= 255)
        }
        #expect(txt["region"]?.allSatisfy { $0 == "é" } == true)
    }

    @Test func theShortNameIsPrintableASCII() throws {
        let txt = try DiscoveryInfo(displayName: "Zoë\u{7}\u{1B}[31m 🏔️ 1").txtRecord()
        #expect(txt["shortName"] == "Zo[31m 1")
        #expect(try DiscoveryInfo(displayName: "\u{7}").txtRecord()["shortName"] == "")
        let long = try DiscoveryInfo(displayName: String(repeating: "x", count: 70)).txtRecord()
        #expect(long["shortName"]?.count == 60)
    }

    @Test(arguments: [
        ("Anna\nBerta", "Anna Berta"), ("Anna \t\r\n Berta", "Anna Berta"), ("\nAnna\n", "Anna"),
        ("Anna\u{A0}Berta", "Anna Berta"), ("Anna\u{2028}\u{3000}Berta", "Anna Berta"), ("Anna\u{85}B", "Anna B"),
        ("Anna é Berta", "Anna Berta"), (" \n ", ""),
        (String(repeating: "x", count: 59) + "\ny", String(repeating: "x", count: 59)),
    ])
    func whiteSpaceOfAnyKindIsASingleSpaceInTheShortName(name: String, short: String) throws {
        #expect(try DiscoveryInfo(displayName: name).txtRecord()["shortName"] == short)
    }

    /// What is as long as it may be fits, and only the name of the region gives way.
    @Test func theLongestInfoFitsIntoARecord() throws {
        let info = DiscoveryInfo(
            protocolVersion: .max,
            peerID: PeerID(digest: ContentDigest(hashing: [1])),
            displayName: String(repeating: "x", count: 63),
            software: String(repeating: "x", count: 500),
            encryption: .required,
            regionName: String(repeating: "é", count: 500),
            size: .max,
            custom: [
                "a": String(repeating: "x", count: 253), "b": String(repeating: "x", count: 253),
                "c": String(repeating: "x", count: 185),
            ]
        )
        let txt = try info.txtRecord()
        #expect(txt.encodedLength <= TXTRecord.maximumLength && txt.encodedLength >= TXTRecord.maximumLength - 1)
        let read = DiscoveryInfo(txt)
        #expect(read.custom == info.custom)
        #expect(read.size == .max && read.peerID == info.peerID && read.displayName == info.displayName)
        #expect(read.regionName?.isEmpty == false && read.regionName?.allSatisfy { $0 == "é" } == true)
    }

    @Test func keysThatBreakARuleAreNotAnnounced() throws {
        let error = #expect(throws: PeerError.self) { try DiscoveryInfo(custom: ["size": "1"]).txtRecord() }
        #expect(error?.code == .invalidArgument)
    }

    @Test func whatCannotBeReadIsLeftOut() throws {
        let txt = try TXTRecord([
            "v": "99999999999999999999", "id": "12", "prettyName": "not base64!", "encryption": "rot13", "size": "-1",
        ])
        #expect(DiscoveryInfo(txt) == DiscoveryInfo(protocolVersion: nil))
    }

    @Test(arguments: ["////", "gICA", "4pg="]) func aNameThatIsNoTextIsReplacedByTheShortOne(pretty: String) throws {
        let txt = try TXTRecord(["prettyName": pretty, "shortName": "Anna"])
        #expect(DiscoveryInfo(txt).displayName == "Anna")
    }

    @Test func bytesThatAreNoTextAreLeftOut() throws {
        var txt = TXTRecord()
        try txt.set("region", to: [0xFF, 0xFE, 0x00])
        #expect(DiscoveryInfo(txt).regionName == nil)
    }
}
