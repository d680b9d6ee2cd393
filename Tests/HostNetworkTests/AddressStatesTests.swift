import Glibc
import Testing

@testable import HostNetwork

/// Messages of the kernel about addresses (RTM_NEWADDR), as bytes in the order of a little-endian machine.
@Suite struct AddressStatesTests {
    /// A message about fd00::1 on interface 2: ifaddrmsg, IFA_ADDRESS, IFA_CACHEINFO, IFA_FLAGS.
    private static func message(flags: UInt8) -> [UInt8] {
        [10, 64, flags, 0, 2, 0, 0, 0] + [20, 0, 1, 0, 0xfd] + [UInt8](repeating: 0, count: 14) + [1]
            + [20, 0, 6, 0] + [UInt8](repeating: 0xff, count: 8) + [0x32, 0x34, 0x43, 0, 0x32, 0x34, 0x43, 0]
            + [8, 0, 8, 0, flags, 0, 0, 0]
    }

    @Test(
        arguments: [
            (0x80, nil), (0x82, nil), (0xc0, .tentative), (0xc8, .duplicate), (0x88, .duplicate), (0xc4, nil),
        ] as [(UInt8, HostInterface.Address.State?)]
    )
    func readsWhatTheKernelHasFoundOut(flags: UInt8, state: HostInterface.Address.State?) {
        let entry = AddressStates.entry(Self.message(flags: flags))
        #expect(entry?.1 == state)
        guard let entry else { return }
        #expect(entry.0.interface == 2)
        #expect(entry.0.address.description == "fd00::1")
    }

    /// The lower flags are in the header, too, which is all that old kernels have.
    @Test func readsTheFlagsOfTheHeader() {
        let entry = AddressStates.entry(Array(Self.message(flags: 0xc8).dropLast(8)))
        #expect(entry?.1 == .duplicate)
    }

    /// On a tunnel, one attribute has the address of the other end, and IFA_LOCAL has the own one.
    @Test func prefersTheOwnAddress() {
        let local = [20, 0, 2, 0, 0xfd] + [UInt8](repeating: 0, count: 14) + [9]
        #expect(AddressStates.entry(Self.message(flags: 0xc0) + local)?.0.address.description == "fd00::9")
    }

    @Test func survivesAnyBytes() {
        let whole = Self.message(flags: 0xc8)
        for length in 0..<24 { #expect(AddressStates.entry(Array(whole.prefix(length))) == nil, "\(length)") }
        for position in whole.indices {
            for value in [0, 1, 0x7f, 0xff] as [UInt8] {
                var bytes = whole
                bytes[position] = value
                _ = AddressStates.entry(bytes)
            }
        }
    }

    /// The addresses of loopback are never tested.
    @Test func loopbackIsReady() {
        let loopback = HostInterface.all().first { $0.has(IFF_LOOPBACK) }
        #expect(loopback?.addresses.allSatisfy { $0.state == .ready } != false)
    }
}
