import Testing

@testable import HostNetwork

@Suite struct LocalNetworkTests {
    private func network(_ address: String, _ prefix: Int) throws -> LocalNetwork {
        let address = try #require(IPAddress(address))
        return LocalNetwork(
            interface: "lan0",
            index: 2,
            addresses: [HostInterface.Address(address, prefixLength: prefix)]
        )
    }

    @Test(
        arguments: [
            ("10.0.0.1", 24, "10.0.0.2", true), ("10.0.0.1", 24, "10.0.0.1", true), ("10.0.0.1", 24, "10.0.1.2", false),
            ("10.0.0.1", 24, "10.0.0.0", false), ("10.0.0.1", 24, "10.0.0.255", false),
            ("10.0.0.1", 31, "10.0.0.0", true), ("10.0.0.1", 32, "10.0.0.2", false),
            ("10.0.0.1", 24, "fe80::1", false), ("10.0.0.1", 0, "224.0.0.1", false),
            ("10.0.0.1", 0, "255.255.255.255", false),
        ]
    )
    func hasTheAddressesOfItsMachines(own: String, prefix: Int, other: String, isThere: Bool) throws {
        let other = try #require(IPAddress(other))
        #expect(try network(own, prefix).contains(other) == isThere)
    }

    @Test func loopbackIsNoLocalNetwork() {
        #expect(LocalNetwork.all().allSatisfy { $0.interface != "lo" })
        #expect(LocalNetwork.loopback().allSatisfy { $0.addresses.allSatisfy(\.address.isLoopback) })
    }
}
