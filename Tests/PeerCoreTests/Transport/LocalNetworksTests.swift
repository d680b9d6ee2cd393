import NIOCore
import PeerCore
import Testing

/// Which of the addresses that others name are dialed.
@Suite struct LocalNetworksTests {
    private static func interface(_ address: String, _ prefixLength: Int) throws -> LocalNetworks.Interface {
        try #require(LocalNetworks.Interface(SocketAddress(ipAddress: address, port: 0), prefixLength: prefixLength))
    }

    /// A laptop on a network at home, with IPv6.
    private static func laptop(isOnLoopback: Bool = false) throws -> LocalNetworks {
        LocalNetworks(
            [
                try interface("192.168.7.9", 24), try interface("fe80::9", 64), try interface("fd12::9", 64),
                try interface("2001:db8:1::9", 64), try interface("127.0.0.1", 8), try interface("::1", 128),
            ],
            isOnLoopback: isOnLoopback
        )
    }

    @Test func onlyOtherMachinesOfNetworksOfThisMachineAreDialed() throws {
        let named = [
            "192.168.7.8:1", "192.168.8.8:1", "10.1.2.3:1", "172.16.0.1:1", "169.254.1.1:1", "8.8.8.8:53",
            "127.0.0.1:22", "192.168.7.9:22", "192.168.7.255:1", "0.0.0.0:1", "224.0.0.251:5353",
            "255.255.255.255:1", "[fe80::1]:1", "[fe80::2%eth7]:1", "[fe80::9]:22", "[fd12::1]:1", "[fd13::1]:1",
            "[2001:db8:1::1]:1", "[2001:db8:2::1]:1", "[::1]:22", "[ff02::1]:1", "[::ffff:8.8.8.8]:53",
            "[::ffff:127.0.0.1]:22", "[::]:1", "example.org:80", "203.0.113.9:1", "nonsense",
        ]
        let expected = [
            "192.168.7.8:1", "[fe80::1]:1", "[fe80::2]:1", "[fd12::1]:1", "[2001:db8:1::1]:1", "203.0.113.9:1",
        ]
        #expect(try Self.laptop().nearby(named, remote: "203.0.113.9:4000") == expected)
    }

    /// One peer must not make this machine try all ports of another machine.
    @Test func ofEachHostTwoPortsAreDialed() throws {
        let networks = try Self.laptop()
        let named = (1...20).map { "192.168.7.8:\($0)" } + ["192.168.7.7:1"]
        #expect(networks.nearby(named, remote: "") == ["192.168.7.8:1", "192.168.7.8:2", "192.168.7.7:1"])
        let addresses = try named.map { try #require(PeerAddress(parsing: $0)) }
            .map { try SocketAddress(ipAddress: $0.host, port: $0.port) }
        #expect(networks.nearby(addresses, local: []).map(\.port) == [1, 2, 1])
    }

    /// Two programs of one machine find each other; nobody else can name an address of this machine.
    @Test func aProgramOfThisMachineIsDialedIfTheSystemSaysThatItIsOne() throws {
        let networks = try Self.laptop()
        let own = try SocketAddress(ipAddress: "192.168.7.9", port: 4711)
        let loopback = try SocketAddress(ipAddress: "127.0.0.1", port: 4711)
        let other = try SocketAddress(ipAddress: "127.0.0.1", port: 22)
        #expect(networks.nearby([own, loopback, other], local: []).isEmpty)
        #expect(networks.nearby([own, loopback, other], local: [own, loopback]) == [own, loopback])
        let far = try SocketAddress(ipAddress: "8.8.8.8", port: 53)
        #expect(networks.nearby([far], local: [far]).isEmpty)
        #expect(try Self.laptop(isOnLoopback: true).nearby([loopback, far], local: []) == [loopback])
    }

    @Test func aNetworkThatIsTheWholeWorldIsAMistake() throws {
        let networks = LocalNetworks([try Self.interface("10.0.0.1", 0)])
        #expect(!networks.contains(try SocketAddress(ipAddress: "8.8.8.8", port: 53)))
    }
}
