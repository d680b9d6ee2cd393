import Foundation
import PeerCore
import PeerTestSupport
import Testing

@Suite struct ShareLinkNetworkTests {
    /// The network of the wire format's test vector: the bytes 1 to 10.
    private static let text =
        "HIKESHARE://000G40R40M30E20918V7Q4PF1C1QVZC9JR7EGCPNDW2020G3"
        + "0G2GC1R8145002HA000G471B0FZZWKAYDWJAJC"

    private static func network() throws -> ShareLinkNetwork {
        try #require(ShareLinkNetwork(bytes: Array(UInt8(1)...10)))
    }

    @Test func standsInALinkAsThePageShows() throws {
        let addresses = [("10.42.0.1", 64_453), ("fe80::1c2b:3ff:fe4d:5e6f", 64_453)]
        let link = try ShareLink(
            for: .hikeshare,
            addresses: addresses.map { PeerAddress(host: $0.0, port: $0.1) },
            id: ShareLinkTests.id,
            token: try #require(ShareToken(text: ShareLinkTests.token)),
            network: Self.network()
        )
        #expect(link.text == Self.text)
        let read = try ShareLink(parsing: Self.text.lowercased(), for: .hikeshare)
        #expect(read == link)
        #expect(read.network?.name(for: .hikeshare) == "hikeshare-0410")
        #expect(read.network?.password == "6105-0r3g-g28a")
        #expect(try ShareLink(parsing: ShareLinkTests.usual, for: .hikeshare).network == nil)
        let page = "/\(#filePath.split(separator: "/").dropLast(4).joined(separator: "/"))/Sources/PeerProtocol/"
        let text = try String(contentsOfFile: page + "PeerProtocol.docc/WireFormat.md", encoding: .utf8)
        #expect(text.contains("`\(Self.text)`"))
    }

    /// A QR code of version 4 and level L has 114 characters of this kind (ISO/IEC 18004, table 7).
    @Test func fitsTheUsualCode() {
        #expect(Self.text.count <= 114)
    }

    @Test(arguments: ["6105-0r3g-g28a", "61050R3GG28A", "6105 or3g G28A", "61O50r3gg28a"])
    func isReadAsAPersonTypesIt(password: String) throws {
        let network = ShareLinkNetwork(named: "hikeshare-0410", password: password, for: .hikeshare)
        #expect(try network == Self.network())
    }

    @Test(
        arguments: [
            ("hikeshare-0410", "6105-0r3g-g28"), ("hikeshare-0410", "6105-0r3g-g28aa"), ("hikeshare-0410", ""),
            ("hikeshare-0410", "6105-0r3g-g28!"), ("hikeshare-041", "6105-0r3g-g28a"),
            ("hikeshare-04100", "6105-0r3g-g28a"), ("hikeshare-041U", "6105-0r3g-g28a"),
            ("hikeshare-0410 ", "6105-0r3g-g28a"), ("notes-0410", "6105-0r3g-g28a"), ("", ""),
            ("hikeshare-é41", "6105-0r3g-g28a"),
        ]
    )
    func anythingElseIsNoNetwork(name: String, password: String) {
        #expect(ShareLinkNetwork(named: name, password: password, for: .hikeshare) == nil)
    }

    /// Names of strangers' networks are not ours.
    @Test func knowsItsNames() {
        #expect(ShareLinkNetwork.isName("hikeshare-7K3M", for: .hikeshare))
        for name in ["hikeshare-7k3m", "hikeshare-7K3", "hikeshare-7K3MM", "hikeshare", "home", "", "hikeshare-7K3L"] {
            #expect(!ShareLinkNetwork.isName(name, for: .hikeshare), "\(name)")
        }
    }

    @Test func everyNetworkIsANewOneThatWiFiAllows() throws {
        var generator = SeededGenerator(seed: 19)
        var seen: Set<ShareLinkNetwork> = []
        for _ in 0..<1_000 {
            let network = ShareLinkNetwork.random(using: &generator)
            let (name, password) = (network.name(for: .hikeshare), network.password)
            // IEEE 802.11: a name has 1 to 32 bytes. WPA2: a password has 8 to 63 characters of ASCII.
            #expect(name.utf8.count == 14 && password.utf8.count == 14)
            #expect(ShareLinkNetwork(named: name, password: password, for: .hikeshare) == network)
            seen.insert(network)
        }
        #expect(seen.count == 1_000)
        #expect(ShareLinkNetwork.random() != ShareLinkNetwork.random())
    }

    @Test func doesNotShowItsPassword() throws {
        let network = try Self.network()
        var dumped = ""
        dump(network, to: &dumped)
        for text in ["\(network)", String(reflecting: network), dumped] {
            #expect(!text.contains("6105") && !text.contains("g28a") && !text.contains("G28A"))
        }
    }
}
