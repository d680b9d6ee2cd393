import NIOCore
import PeerCore
import Testing

@Suite struct PeerLinkTests {
    static let id = String(repeating: "0a367b92cf0b037d", count: 4)
    static let token = "AAECAwQFBgcICQoLDA0ODw"

    static func link(_ hosts: String) -> String { "hikeshare://\(hosts)/\(id)#\(token)" }

    @Test(
        arguments: [
            ("192.168.1.7:4711", [("192.168.1.7", 4711)]),
            ("laptop.local:1", [("laptop.local", 1)]),
            ("[::1]:65535", [("::1", 65_535)]),
            ("[fe80::1%25wlan0]:4711", [("fe80::1%wlan0", 4711)]),
            ("[fe80::1%25br-0%3A1]:4711", [("fe80::1%br-0:1", 4711)]),
            ("10.0.0.1:1,[2001:db8::1]:2,host:3", [("10.0.0.1", 1), ("2001:db8::1", 2), ("host", 3)]),
        ] as [(String, [(String, Int)])]
    )
    func isReadAndWrittenAlike(hosts: String, expected: [(String, Int)]) throws {
        let link = try PeerLink(parsing: Self.link(hosts), for: .hikeshare)
        #expect(link.addresses == expected.map { PeerAddress(host: $0.0, port: $0.1) })
        #expect(link.id.hex == Self.id)
        #expect(link.token.text == Self.token)
        #expect(link.text == Self.link(hosts))
        #expect(try PeerLink(for: .hikeshare, addresses: link.addresses, id: link.id, token: link.token) == link)
    }

    static let wrong: [String] =
        [
            "", ":4711", "host", "host:", "host:0", "host:65536", "host:-1", "host:+1", "host:1,", ",host:1", "host:01",
            "ho st:1", "host:1\n", "-host:1", "host-:1", "ho_st:1", "a..b:1", "hôst:1", "user@host:1", "fe80::1:1",
            "[fe80::1]", "[fe80::1:1", "[fe80::1]x:1", "[zz::1]:1", "[fe80::1%wlan0]:1", "[fe80::1%25]:1",
            "[fe80::1%25a%2Fb]:1", "[fe80::1%25a%20b]:1", "[fe80::1%25a%00]:1", "[fe80::1%25%77]:1", "[fe80::1%25%]:1",
            "[fe80::1%25aaaaaaaaaaaaaaaa]:1", "[1.2.3.4]:1", "\u{1B}[31m:1", "host:1/x", "host:1?x",
            Array(repeating: "a:1", count: 17).joined(separator: ","),
            String(repeating: "a", count: 64) + ":1", String(repeating: "a.", count: 600) + "a:1",
        ].map(link)
        + [
            "hikeshare://host:1/\(id)", "hikeshare://host:1/\(id)#", "hikeshare://host:1/\(id)#\(token)#",
            "hikeshare://host:1/\(id)#\(token)=", "hikeshare://host:1/\(id.uppercased())#\(token)",
            "hikeshare://host:1/\(id.dropLast())#\(token)", "hikeshare://host:1/\(id)0#\(token)",
            "hikeshare://host:1/\(id)/#\(token)", "hikeshare://host:1#\(token)", "HIKESHARE://host:1/\(id)#\(token)",
            "http://host:1/\(id)#\(token)", " hikeshare://host:1/\(id)#\(token)", "hikeshare://host:1/\(id)#\(token) ",
            "hikeshare:/host:1/\(id)#\(token)",
        ]

    @Test(arguments: wrong) func anythingElseIsRefusedWithoutShowingTheSecret(text: String) {
        let error = #expect(throws: PeerError.self) { try PeerLink(parsing: text, for: .hikeshare) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.description.contains(Self.token) == false)
    }

    @Test func doesNotShowItsSecret() throws {
        let link = try PeerLink(parsing: Self.link("host:1"), for: .hikeshare)
        var dumped = ""
        dump(link, to: &dumped)
        for text in ["\(link)", String(reflecting: link), dumped] { #expect(!text.contains(Self.token)) }
        #expect("\(link)" == "hikeshare://host:1/\(Self.id)#…")
    }

    @Test(
        arguments: [
            [], [("a b", 1)], [("host", 0)], [("host", 65_536)], [("fe80::1%", 1)], [("x/y", 1)],
            Array(repeating: ("a", 1), count: 17),
        ] as [[(String, Int)]]
    )
    func isNotMadeOfAddressesThatCannotStandInIt(addresses: [(String, Int)]) throws {
        let like = try PeerLink(parsing: Self.link("host:1"), for: .hikeshare)
        #expect(throws: PeerError.self) {
            try PeerLink(
                for: .hikeshare,
                addresses: addresses.map { PeerAddress(host: $0.0, port: $0.1) },
                id: like.id,
                token: like.token
            )
        }
    }

    @Test func resolvesWhatItCan() async throws {
        let link = try PeerLink(parsing: Self.link("127.0.0.1:4711,no-such-host.invalid:1,[::1]:2"), for: .hikeshare)
        let addresses = try await link.resolve()
        #expect(addresses.map(\.port) == [4711, 2])
    }

    @Test func saysWhenNothingResolves() async throws {
        let link = try PeerLink(parsing: Self.link("no-such-host.invalid:1"), for: .hikeshare)
        let error = await #expect(throws: PeerError.self) { try await link.resolve() }
        #expect(error?.code == .cannotConnect)
    }
}
