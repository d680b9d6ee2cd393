import NIOCore
import Testing

@testable import PeerCore

@Suite struct AddressKeyTests {
    @Test(arguments: [
        ("192.168.1.7", "192.168.1.7", true),
        ("192.168.1.7", "192.168.1.8", false),
        ("192.168.1.7", "::ffff:192.168.1.7", true),
        ("2001:db8::1", "2001:db8::ffff:2", false),
        ("2001:db8::1", "2001:db8:0::1", true),
        ("2001:db8::1", "2001:db8:0:1::1", false),
        ("fe80::1", "fe80::2", false),
        ("fe80::1", "fe80::1", true),
        ("febf::1", "febf::2", false),
        ("fec0::1", "fec0::2", false),
        ("::1", "127.0.0.1", false),
    ])
    func anAddressIsAMachine(one: String, other: String, areSame: Bool) throws {
        let first = AddressKey(try SocketAddress(ipAddress: one, port: 1))
        let second = AddressKey(try SocketAddress(ipAddress: other, port: 2))
        #expect((first == second) == areSame)
    }
}
