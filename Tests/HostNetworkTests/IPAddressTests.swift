import Glibc
import Testing

@testable import HostNetwork

@Suite struct IPAddressTests {
    @Test(arguments: ["10.77.0.1", "169.254.1.2", "fe80::1", "2001:db8::7", "::1"])
    func isReadAndWritten(text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(address.description == text)
        #expect(IPAddress(bytes: address.bytes) == address)
    }

    @Test func leavesZonesOutAndTakesMappedAddressesForIPv4() {
        #expect(IPAddress("fe80::1%lan0") == IPAddress("fe80::1"))
        #expect(IPAddress("::ffff:10.77.0.1") == IPAddress("10.77.0.1"))
    }

    @Test(arguments: ["", "1.2.3", "1.2.3.4.5", "example", "fe80::g", "%lan0", String(repeating: "1", count: 200)])
    func rejectsOtherText(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test(arguments: [0, 1, 3, 5, 15, 17]) func rejectsOtherLengths(count: Int) {
        #expect(IPAddress(bytes: [UInt8](repeating: 1, count: count)) == nil)
    }

    @Test(arguments: [
        ("10.77.0.1", "10.77.0.200", 24, true), ("10.77.0.1", "10.77.1.1", 24, false),
        ("10.77.0.1", "10.77.1.1", 23, true),
        ("10.77.0.1", "10.77.0.2", 31, false), ("10.77.0.2", "10.77.0.3", 31, true),
        ("10.77.0.1", "10.77.0.1", 32, true),
        ("10.77.0.1", "1.2.3.4", 0, true), ("10.77.0.1", "fe80::1", 0, false), ("fe80::1", "fe80::2", 64, true),
        ("10.77.0.1", "10.77.0.1", 33, false), ("10.77.0.1", "10.77.0.1", -1, false),
    ])
    func comparesNetworks(one: String, other: String, prefixLength: Int, isInNetwork: Bool) throws {
        let (one, other) = (try #require(IPAddress(one)), try #require(IPAddress(other)))
        #expect(one.isInNetwork(of: other, prefixLength: prefixLength) == isInNetwork)
    }

    @Test(arguments: [
        ("169.254.0.1", true, false), ("fe80::1", true, false), ("febf::1", true, false), ("fec0::1", false, false),
        ("10.77.0.1", false, false), ("127.0.0.1", false, true), ("::1", false, true), ("::2", false, false),
    ])
    func knowsScopes(text: String, isLinkLocal: Bool, isLoopback: Bool) throws {
        let address = try #require(IPAddress(text))
        #expect(address.isLinkLocal == isLinkLocal)
        #expect(address.isLoopback == isLoopback)
    }

    @Test(arguments: [
        ("10.77.0.1", true), ("fe80::1", true), ("127.0.0.1", true), ("0.0.0.0", false), ("0.0.0.1", false),
        ("224.0.0.251", false), ("255.255.255.255", false), ("::", false), ("ff02::fb", false), ("::1", true),
    ])
    func tellsSingleMachinesFromGroups(text: String, isOfOneMachine: Bool) throws {
        #expect(try #require(IPAddress(text)).isOfOneMachine == isOfOneMachine)
    }

    @Test(arguments: [("169.254.0.1", false), ("fe80::1", true), ("10.77.0.1", false), ("2001:db8::1", false)])
    func onlyIPv6LinkLocalAddressesNeedAZone(text: String, needsZone: Bool) throws {
        #expect(try #require(IPAddress(text)).needsZone == needsZone)
    }

    @Test(arguments: [
        ("255.255.255.0", 24), ("255.255.254.0", 23), ("255.255.255.255", 32), ("0.0.0.0", 0), ("ffff:ffff::", 32),
        ("ffff:ffff:ffff:ffff:fe00::", 71),
    ])
    func readsMasks(mask: String, prefixLength: Int) throws {
        #expect(try #require(IPAddress(mask)).leadingOnes == prefixLength)
    }

    @Test(arguments: [
        ("10.77.0.0", 24, true, false), ("10.77.0.255", 24, false, true), ("10.77.0.7", 24, false, false),
        ("10.77.0.128", 25, true, false), ("10.77.1.255", 23, false, true), ("10.77.0.255", 23, false, false),
        ("10.77.0.3", 30, false, true), ("10.77.0.3", 32, true, true), ("2001:db8::", 64, true, false),
        ("2001:db8::ffff:ffff:ffff:ffff", 64, false, true),
    ])
    func knowsTheEdgesOfNetworks(text: String, prefixLength: Int, isFirst: Bool, isLast: Bool) throws {
        let address = try #require(IPAddress(text))
        #expect(address.isFirst(inNetworkOf: prefixLength) == isFirst)
        #expect(address.isLast(inNetworkOf: prefixLength) == isLast)
    }

    @Test(arguments: ["10.77.0.1", "fe80::1"]) func isTheSameAsTheSystemsForm(text: String) throws {
        let address = try #require(IPAddress(text))
        let copy = address.withSocketAddress(port: 4711, scope: 7) { pointer, _ in IPAddress(pointer) }
        #expect(copy == address)
        let ending = address.withSocketAddress(port: 4711, scope: 7) { pointer, length in
            Array(UnsafeRawBufferPointer(start: pointer, count: Int(length)).suffix(4))
        }
        // IPv6 ends with the scope, IPv4 with padding.
        #expect(ending == (address.isIPv6 ? withUnsafeBytes(of: UInt32(7)) { Array($0) } : [0, 0, 0, 0]))
    }
}
