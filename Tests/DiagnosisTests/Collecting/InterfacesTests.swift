import HostNetwork
import Testing

@testable import Diagnosis

@Suite struct InterfacesTests {
    @Test(arguments: [
        ("10.77.0.1", 24, "10.77.0.3"), ("10.77.0.2", 24, "10.77.0.3"), ("10.77.0.254", 24, "10.77.0.252"),
        ("10.77.0.1", 30, "10.77.0.2"), ("10.77.0.2", 30, "10.77.0.1"), ("2001:db8::1", 64, "2001:db8::3"),
    ])
    func choosesANeighbourInTheNetwork(own: String, prefixLength: Int, neighbour: String) throws {
        let address = HostInterface.Address(try #require(IPAddress(own)), prefixLength: prefixLength)
        #expect(Routes.neighbour(of: address) == IPAddress(neighbour))
    }

    @Test(arguments: [31, 32, 33]) func choosesNoNeighbourWhereThereIsNoRoom(prefixLength: Int) throws {
        let address = HostInterface.Address(try #require(IPAddress("10.77.0.1")), prefixLength: prefixLength)
        #expect(Routes.neighbour(of: address) == nil)
    }

    @Test(arguments: [
        ("02:fc:00:00:01:05", [2, 0xFC, 0, 0, 1, 5]), ("", []), ("02:fc", []), ("02:fc:00:00:01:zz", []),
    ])
    func readsHardwareAddresses(text: String, bytes: [UInt8]) {
        #expect(Interfaces.hardwareAddress(text) == bytes)
    }
}
