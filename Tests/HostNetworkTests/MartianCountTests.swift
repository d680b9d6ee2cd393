import Testing

@testable import HostNetwork

@Suite struct MartianCountTests {
    private static func count(_ impossible: [String], received: Int, delivered: Int) -> MartianCount? {
        let routes =
            "entries  in_hit   in_martian_src out_hit\n"
            + impossible.map { "00000023 00000000 \($0) 0000000f\n" }.joined()
        let packets = """
            Ip: Forwarding InReceives InHdrErrors InDelivers
            Ip: 2 \(received) 0 \(delivered)
            Icmp: InMsgs
            Icmp: 5
            """
        return MartianCount(routes: routes, packets: packets)
    }

    /// The numbers of processors are hexadecimal, and are added.
    @Test func countsWhatWasDropped() throws {
        let before = try #require(Self.count(["0000003a", "00000028"], received: 100, delivered: 90))
        let after = try #require(Self.count(["0000003c", "0000002a"], received: 110, delivered: 97))
        #expect(after.growth(since: before) == 3)
        #expect(before.growth(since: after) == 0)
    }

    /// The packets of containers, and those that a firewall drops.
    @Test func oneOfBothNumbersProvesNothing() throws {
        let before = try #require(Self.count(["1"], received: 100, delivered: 90))
        #expect(try #require(Self.count(["9"], received: 105, delivered: 95)).growth(since: before) == 0)
        #expect(try #require(Self.count(["1"], received: 105, delivered: 90)).growth(since: before) == 0)
    }

    @Test(arguments: ["", "entries\n1\n", "in_martian_src\nxyz"]) func readsAnyTable(text: String) {
        #expect(MartianCount(routes: text, packets: text) == nil)
    }

    @Test func theSystemTells() {
        #expect(MartianCount.read() != nil)
    }
}
