import HostNetwork
import NIOCore
import Testing

@testable import PeerCore

@Suite struct DisplayTextTests {
    @Test func addressesReadAsPeopleWriteThem() throws {
        #expect(try SocketAddress(ipAddress: "192.168.1.7", port: 4711).displayText == "192.168.1.7:4711")
        #expect(try SocketAddress(ipAddress: "2001:db8::1", port: 80).displayText == "[2001:db8::1]:80")
    }

    @Test func aLinkLocalAddressKeepsItsZone() throws {
        let name = try #require(HostInterface.name(of: 1))
        let address = try SocketAddress.makeAddressResolvingHost("fe80::1%1", port: 4711)
        #expect(address.scopeIndex == 1)
        #expect(address.displayText == "[fe80::1%\(name)]:4711")
    }
}
