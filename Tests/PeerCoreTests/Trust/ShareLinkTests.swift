import Foundation
import NIOCore
import PeerCore
import PeerTestSupport
import Testing

@Suite struct ShareLinkTests {
    static let id = PeerID(digest: ContentDigest(hashing: Array("sender".utf8)))
    static let token = "000G40R40M30E209"
    /// One IPv4 address, one IPv6 link-local address, the default port.
    static let usual = "HIKESHARE://000G40R40M30E20918V7Q4PF1C1QVZC9JR7EGCPNDW0C1A010W11RAR3ZZZ4TQKFEQS3"

    static func link(_ hosts: [(String, Int)], for application: PeerServiceType = .hikeshare) throws -> ShareLink {
        try ShareLink(
            for: application,
            addresses: hosts.map { PeerAddress(host: $0.0, port: $0.1) },
            id: id,
            token: try #require(ShareToken(text: token))
        )
    }

    @Test func aMachineWithoutANetworkHasNoShareLink() {
        let error = #expect(throws: PeerError.self) { try Self.link([]) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.message == "This machine is in no network, so a share link would lead nowhere.")
    }

    @Test(
        arguments: [
            ([("192.168.1.7", 64_453)], "HIKESHARE://000G40R40M30E20918V7Q4PF1C1QVZC9JR7EGCPNDW0C1A010WKPPR"),
            ([("192.168.1.7", 4711)], "HIKESHARE://000G40R40M30E20918V7Q4PF1C1QVZC9JR7EGCPNDY0C1A010W96EJFWF"),
            ([("192.168.1.7", 64_453), ("fe80::1c2b:3ff:fe4d:5e6f", 64_453)], usual),
            (
                [("10.0.0.1", 1), ("2001:db8::1", 64_453), ("laptop.local", 65_535)],
                "HIKESHARE://000G40R40M30E20918V7Q4PF1C1QVZC9JR7EGCPNDY00M00004002090046VG0000000000000000001GC66RRBGE"
                    + "HQQ0BKCDXHP2V7ZZW6BJ1"
            ),
        ] as [([(String, Int)], String)]
    )
    func isWrittenAndReadAsThePageShows(hosts: [(String, Int)], text: String) throws {
        #expect(try Self.link(hosts).text == text)
        let link = try ShareLink(parsing: text, for: .hikeshare)
        #expect(link.addresses == hosts.map { PeerAddress(host: $0.0, port: $0.1) })
        #expect(link.sender.matches(Self.id))
        #expect(link.token.text == Self.token)
        #expect(try link == Self.link(hosts))
        let page = try String(contentsOfFile: Self.page, encoding: .utf8)
        #expect(page.contains("`\(text)`"))
    }

    private static var page: String {
        let project = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        return "/\(project)/Sources/PeerProtocol/PeerProtocol.docc/WireFormat.md"
    }

    /// 80 columns of a terminal; a QR code of version 4 and level L has 114 characters of this kind (ISO/IEC 18004, table 7).
    @Test func isShortInTheUsualCase() {
        #expect(Self.usual.count == 80)
        let characters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
        #expect(Self.usual.allSatisfy { characters.contains($0) })
    }

    @Test func isReadAsAPersonTypesIt() throws {
        let link = try ShareLink(parsing: Self.usual, for: .hikeshare)
        let typed = Self.usual.dropFirst(12)
        let groups = stride(from: 0, to: typed.count, by: 4).map { typed.dropFirst($0).prefix(4) }
        for text in [
            Self.usual.lowercased(), "HikeShare://" + typed, "hikeshare://" + groups.joined(separator: "-"),
            "hikeshare://" + groups.joined(separator: " "),
            "hikeshare://" + typed.replacing("0", with: "O").replacing("1", with: "l"),
            "hikeshare://" + typed.replacing("0", with: "o").replacing("1", with: "I"),
        ] {
            #expect(try ShareLink(parsing: text, for: .hikeshare) == link, "\(text)")
            #expect(try ShareLink(parsing: text, for: .hikeshare).text == Self.usual)
        }
    }

    /// Every single wrong character, and every pair of neighbours that are exchanged.
    @Test func aTypingMistakeIsTold() throws {
        let characters = Array(Self.usual)
        var mistaken: [String] = []
        for position in 12..<characters.count {
            for other in "0123456789ABCDEFGHJKMNPQRSTVWXYZ" where other != characters[position] {
                mistaken.append(String(characters[..<position] + [other] + characters[(position + 1)...]))
            }
            mistaken.append(String(characters[..<position] + characters[(position + 1)...]))
            guard position + 1 < characters.count, characters[position] != characters[position + 1] else { continue }
            var swapped = characters
            swapped.swapAt(position, position + 1)
            mistaken.append(String(swapped))
        }
        // One in a million passes by chance; of these, none does.
        for text in mistaken {
            let error = #expect(throws: PeerError.self) { try ShareLink(parsing: text, for: .hikeshare) }
            #expect(error?.message.contains("typing mistake") == true, "\(text)")
        }
    }

    private static let head = "000G40R40M30E20918V7Q4PF1C1QVZC9JR7EGCPNDW"

    static let wrong: [(String, String)] =
        [
            "", "nonsense", "hikeshare", "hikeshare:", "hikeshare:/\(usual.dropFirst(12))",
            "http://\(usual.dropFirst(12))", "\u{130}KESHARE://\(usual.dropFirst(12))", " " + usual,
            "HIKESHARE://10.0.0.1:1/" + String(repeating: "0a", count: 600),
        ].map { ($0, "not a share link of hikeshare") }
        + [
            "HIKESHARE://", "HIKESHARE://0000", String(usual.dropLast(9)), usual + "0", usual + "\n",
            usual.dropLast() + "\u{212A}", usual.prefix(12) + "\u{301}" + usual.dropFirst(12),
            "HIKESHARE://\(head)!", "hikeshare://10.0.0.1:1/ab#cd", usual.replacing("W11", with: "WU1"),
        ].map { ($0, "typing mistake") }

    @Test(arguments: wrong) func anythingElseIsRefused(text: String, words: String) {
        let error = #expect(throws: PeerError.self) { try ShareLink(parsing: text, for: .hikeshare) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.message.contains(words) == true, "\(String(describing: error))")
        #expect(error?.description.contains(Self.token) == false)
    }

    /// The corpus of fuzzing has share links that are well made and still not acceptable: a second form of an address,
    /// none at all, too many, a kind that is reserved.
    @Test(arguments: [
        "address-as-name", "empty-name", "long-link-local", "many", "name-too-long", "name-with-escape",
        "needless-port", "network-after-address", "network-alone", "network-cut-off", "network-twice",
        "network-with-port-flag", "no-address", "port-zero", "unknown-kind",
    ])
    func aFormThatIsNotKnownIsRefused(name: String) throws {
        let project = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let text = try String(contentsOfFile: "/\(project)/Tests/Fuzzing/Corpus/link/\(name)", encoding: .utf8)
        let error = #expect(throws: PeerError.self) { try ShareLink(parsing: text, for: .hikeshare) }
        #expect(error?.message.contains("a form that this version does not know") == true)
    }

    @Test func isOfOneApplication() throws {
        let other = try #require(PeerServiceType("notes", defaultPort: 64_453))
        let text = try Self.link([("10.0.0.1", 64_453)], for: other).text
        #expect(text.hasPrefix("NOTES://"))
        #expect(throws: PeerError.self) { try ShareLink(parsing: text, for: .hikeshare) }
        // Another scheme before the same characters is a typing mistake.
        #expect(throws: PeerError.self) {
            try ShareLink(parsing: "HIKESHARE" + text.dropFirst("NOTES".count), for: .hikeshare)
        }
    }

    @Test func withoutADefaultPortEveryAddressHasItsOwn() throws {
        let other = try #require(PeerServiceType("notes"))
        let link = try Self.link([("10.0.0.1", 64_453), ("fe80::1", 2)], for: other)
        #expect(try ShareLink(parsing: link.text, for: other) == link)
        #expect(link.addresses.map(\.port) == [64_453, 2])
    }

    @Test func doesNotShowItsSecret() throws {
        let link = try ShareLink(parsing: Self.usual, for: .hikeshare)
        var dumped = ""
        dump(link, to: &dumped)
        for text in ["\(link)", String(reflecting: link), dumped] {
            #expect(!text.contains(Self.token) && !text.contains("EQS3"))
        }
        #expect(
            "\(link)"
                == "share link of hikeshare to 192.168.1.7:64453, [fe80::1c2b:3ff:fe4d:5e6f]:64453 (\(Self.id.short))"
        )
    }

    @Test(
        arguments: [
            [], [("a b", 1)], [("host", 0)], [("host", 65_536)], [("fe80::1%", 1)], [("fe80::1%eth0", 1)], [("x/y", 1)],
            [("-a", 1)], [("a..b", 1)], [("hôst", 1)], [("10.0.0.1\0", 1)], [("[::1]", 1)], [("", 1)],
            Array(repeating: ("a", 1), count: 17),
            Array(repeating: (String(repeating: "a.", count: 120) + "a", 1), count: 4),
        ] as [[(String, Int)]]
    )
    func isNotMadeOfAddressesThatCannotStandInIt(addresses: [(String, Int)]) throws {
        let error = #expect(throws: PeerError.self) { try Self.link(addresses) }
        #expect(error?.code == .invalidArgument)
    }

    @Test func anAddressHasOneForm() throws {
        let link = try Self.link([("2001:DB8:0::1", 1), ("FE80::1", 2)])
        #expect(link.addresses.map(\.host) == ["2001:db8::1", "fe80::1"])
    }

    @Test func resolvesWhatItCan() async throws {
        let link = try Self.link([("127.0.0.1", 4711), ("no-such-host.invalid", 1), ("::1", 2)])
        let addresses = try await link.resolve()
        #expect(addresses.map(\.port) == [4711, 2])
    }

    @Test func saysWhenNothingResolves() async throws {
        let link = try Self.link([("no-such-host.invalid", 1)])
        let error = await #expect(throws: PeerError.self) { try await link.resolve() }
        #expect(error?.code == .cannotConnect)
    }
}

@Suite struct ExpectedPeerTests {
    private static func id(_ last: UInt8, at position: Int) -> PeerID {
        var bytes = [UInt8](repeating: 7, count: 32)
        bytes[position] = last
        return PeerID(digest: bytes.withUnsafeBytes { ContentDigest(bytes: $0) } ?? ContentDigest(hashing: bytes))
    }

    @Test func aLinkNamesThePeerByItsFirst128Bits() {
        let prefix = PeerIDPrefix(of: Self.id(7, at: 0))
        #expect(prefix.matches(Self.id(9, at: 16)))
        for position in 0..<16 { #expect(!prefix.matches(Self.id(9, at: position))) }
        #expect(prefix.short == Self.id(7, at: 0).short)
    }
}
