import Testing

@testable import Avahi

@Suite struct ServiceAddressTests {
    private static let loopback = NetworkInterface(name: "lo")

    @Test(
        arguments: [
            ([127, 0, 0, 1], "127.0.0.1", false),
            ([169, 254, 1, 2], "169.254.1.2", true),
            ([0x20, 1, 0xD, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], "2001:db8::1", false),
            ([0xFE, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], "fe80::1%lo", true),
            ([0xFE, 0xC0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], "fec0::1", false),
        ] as [([UInt8], String, Bool)]
    )
    func writesAddress(bytes: [UInt8], text: String, isLinkLocal: Bool) throws {
        let address = try #require(ServiceAddress(bytes: bytes, interface: Self.loopback))
        #expect(address.description == text)
        #expect(address.isLinkLocal == isLinkLocal)
        #expect(address.version == (bytes.count == 4 ? .v4 : .v6))
        #expect((address.zone != nil) == text.contains("%"))
    }

    @Test(arguments: [0, 1, 3, 5, 15, 17])
    func rejectsOtherLengths(_ count: Int) {
        #expect(ServiceAddress(bytes: [UInt8](repeating: 0xFE, count: count), interface: nil) == nil)
    }

    @Test func writesNumberOfZoneWithoutName() throws {
        let zone = try #require(NetworkInterface(index: 999_999))
        #expect(zone.name == nil)
        let bytes: [UInt8] = [0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [1]
        #expect(ServiceAddress(bytes: bytes, interface: zone)?.description == "fe80::1%999999")
    }

    @Test func zeroIsNoInterface() {
        #expect(NetworkInterface(index: 0) == nil)
        #expect(NetworkInterface(index: .max) == nil)
        #expect(NetworkInterface(name: "no-such-thing") == nil)
        #expect(NetworkInterface.number(nil) == -1)
    }
}
