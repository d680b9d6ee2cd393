import HostNetwork
import Testing

@testable import PhoneSharing

@Suite struct NetworkSearchTests {
    private func addresses(_ own: String, _ prefix: Int, known: [String] = []) throws -> [String] {
        let address = HostInterface.Address(try #require(IPAddress(own)), prefixLength: prefix)
        let network = LocalNetwork(interface: "wlan0", index: 3, addresses: [address])
        return NetworkSearch.addresses(of: network, known: known.compactMap { IPAddress($0) }).map { "\($0)" }
    }

    @Test func triesEachAddressOnceAndKnownMachinesFirst() throws {
        let known = ["10.42.0.7", "10.42.1.7", "10.42.0.1", "fe80::1"]
        let tried = try addresses("10.42.0.1", 24, known: known)
        #expect(tried.prefix(3) == ["10.42.0.7", "10.42.0.2", "10.42.0.3"] && tried.last == "10.42.0.254")
        #expect(tried.count == 253 && Set(tried).count == 253)
        #expect(try addresses("10.42.0.9", 30) == ["10.42.0.10"])
    }

    /// A larger network is not one that this machine has made.
    @Test func neverSearchesALargeNetwork() throws {
        #expect(try addresses("10.42.0.1", 23) == [])
        #expect(try addresses("10.42.0.1", 16, known: ["10.42.9.9"]) == ["10.42.9.9"])
    }

    @Test func beginsSeldomAndOnlyWithoutNeighbours() {
        let start = ContinuousClock.now
        var search = NetworkSearch(at: start)
        let times = (0...130).filter { search.isDue(at: start + .seconds($0), hasNeighbours: false) }
        #expect(times == [5, 65, 125])
        search = NetworkSearch(at: start)
        #expect((0...130).allSatisfy { !search.isDue(at: start + .seconds($0), hasNeighbours: true) })
    }
}
