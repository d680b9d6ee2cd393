import Testing

@testable import HostNetwork

@Suite struct OwnAddressTests {
    private func own(
        _ ipAddress: String,
        _ name: String,
        _ interface: InterfaceRank,
        hasDefaultRoute: Bool = false
    ) throws -> OwnAddress {
        OwnAddress(
            address: try #require(IPAddress(ipAddress)),
            interfaceName: name,
            interface: interface,
            hasDefaultRoute: hasDefaultRoute
        )
    }

    @Test func hardwareComesBeforeContainersAndTunnelsAndThisMachineLast() throws {
        let all = [
            try own("127.0.0.1", "lo", .other),
            try own("10.8.0.2", "tun0", .tunnel, hasDefaultRoute: true),
            try own("172.17.0.1", "docker0", .virtual),
            try own("fe80::d", "docker0", .virtual),
            try own("192.168.7.2", "eth9", .down),
            try own("fe80::e", "enp3s0", .hardware),
            try own("::1", "lo", .other),
        ]
        let outside = ["fe80::e%enp3s0", "172.17.0.1", "fe80::d%docker0", "10.8.0.2"]
        #expect(OwnAddress.ranked(all) == outside)
        #expect(OwnAddress.ranked(all, includingLoopback: true) == outside + ["127.0.0.1", "::1"])
    }

    @Test func aMachineOnNoNetworkHasNoAddress() throws {
        let all = [
            try own("127.0.0.1", "lo", .other), try own("::1", "lo", .other), try own("10.77.0.1", "eth0", .down),
            try own("127.0.1.1", "dummy0", .virtual), try own("172.17.0.1", "docker0", .virtual),
        ]
        #expect(OwnAddress.ranked(all).isEmpty)
    }

    @Test func theDefaultRouteComesFirstAndTemporaryAddressesLast() throws {
        let texts = OwnAddress.ranked([
            try own("fe80::1", "enp3s0", .hardware),
            try own("2001:db8::1", "wlan0", .hardware, hasDefaultRoute: true),
            try own("2001:db8::2", "wlan0", .hardware, hasDefaultRoute: true),
            try own("fe80::2", "wlan0", .hardware, hasDefaultRoute: true),
            try own("192.168.1.7", "wlan0", .hardware, hasDefaultRoute: true),
        ])
        #expect(texts == ["192.168.1.7", "2001:db8::1", "fe80::2%wlan0", "fe80::1%enp3s0", "2001:db8::2"])
    }

    @Test func theSameAddressIsNamedOnce() throws {
        let texts = OwnAddress.ranked([try own("10.0.0.1", "a", .other), try own("10.0.0.1", "b", .hardware)])
        #expect(texts == ["10.0.0.1"])
    }
}
