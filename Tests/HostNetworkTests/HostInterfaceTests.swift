import Glibc
import Testing

@testable import HostNetwork

@Suite struct HostInterfaceTests {
    /// Every network namespace has a loopback interface, which the kernel creates first.
    @Test func findsLoopback() throws {
        let loopback = try #require(HostInterface.all().first { $0.has(IFF_LOOPBACK) })
        #expect(loopback.index == 1)
        #expect(HostInterface.name(of: 1) == loopback.name)
        #expect(!loopback.has(IFF_POINTOPOINT))
        for own in loopback.addresses where own.address.isLoopback {
            #expect(own.prefixLength == (own.address.isIPv6 ? 128 : 8))
            #expect(own.destination == nil)
        }
    }

    @Test func eachInterfaceIsReadOnce() {
        let names = HostInterface.all().map(\.name)
        #expect(Set(names).count == names.count)
    }

    @Test(arguments: [0, 4_000_000_000]) func anInterfaceThatIsGoneHasNoName(index: UInt32) {
        #expect(HostInterface.name(of: index) == nil)
    }
}
