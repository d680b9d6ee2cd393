import NIOCore
import PeerCore
import Testing

@Suite struct PeerAddressTests {
    @Test(arguments: [
        ("192.168.1.7:4711", "192.168.1.7", 4711),
        ("laptop.local:1", "laptop.local", 1),
        ("[::1]:65535", "::1", 65_535),
        ("[fe80::1%wlan0]:4711", "fe80::1%wlan0", 4711),
        ("localhost:080", "localhost", 80),
    ])
    func readsAddresses(text: String, host: String, port: Int) {
        let address = PeerAddress(parsing: text)
        #expect(address?.host == host)
        #expect(address?.port == port)
    }

    @Test(arguments: [
        "", ":", ":80", "host", "host:", "host:0", "host:65536", "host:-1", "host:+80", "host:8o", "host: 80", "::1",
        "fe80::1:80", "[]:80", "[::1]", "[::1]:", "host:99999999999999999999", "host:٨٠",
    ])
    func refusesWhatIsNoAddress(text: String) {
        #expect(PeerAddress(parsing: text) == nil)
    }

    @Test(arguments: ["192.168.1.7:4711", "laptop.local:1", "[::1]:65535", "[fe80::1%wlan0]:4711"])
    func isWrittenAsItIsRead(text: String) throws {
        let address = try #require(PeerAddress(parsing: text))
        #expect(address.text == text)
        #expect("\(address)" == text)
    }

    @Test(arguments: ["192.0.2.1", "2001:db8::1"]) func theAddressOfASocketHasAText(host: String) throws {
        let address = try SocketAddress(ipAddress: host, port: 4711)
        #expect(PeerAddress(address) == PeerAddress(host: host, port: 4711))
    }

    @Test func anAddressIsItsOwnName() async throws {
        let address = try #require(PeerAddress(parsing: "127.0.0.1:4711"))
        #expect(try await address.resolve() == [SocketAddress(ipAddress: "127.0.0.1", port: 4711)])
    }

    @Test func anUnknownHostIsSaid() async throws {
        // RFC 6761: names under .invalid never exist.
        let address = try #require(PeerAddress(parsing: "nobody.invalid:4711"))
        let error = peerError(await outcome { try await address.resolve() })
        #expect(error?.code == .cannotConnect)
        #expect(error?.message.contains("nobody.invalid") == true)
    }
}
