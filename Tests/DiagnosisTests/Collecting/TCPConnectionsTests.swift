import HostNetwork
import Testing

@testable import Diagnosis

@Suite struct TCPConnectionsTests {
    private static let head =
        "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
    /// A listener, a half-open request, an open connection, one in TIME_WAIT, one of another port, an own one there, and an old
    /// half-open request.
    private static let ipv4 = """
           0: 00000000:FBC5 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 8 1 0 100 0 0 10 0
           1: 01004D0A:FBC5 02004D0A:D1A6 03 00000000:00000000 01:00000064 00000001     0        0 0 1 0
           2: 01004D0A:FBC5 03004D0A:D1A8 01 00000000:00000000 00:00000000 00000000     0        0 9 1 0 20 4 0 10 -1
           3: 01004D0A:FBC5 04004D0A:D1AA 06 00000000:00000000 03:00001770 00000000     0        0 0 3 0
           4: 01004D0A:0016 05004D0A:D1AC 01 00000000:00000000 00:00000000 00000000     0        0 7 1 0 20 4 0 10 -1
           5: 01004D0A:D1AE 06004D0A:FBC5 02 00000001:00000000 01:00000064 00000000     0        0 6 2 0 100 0 0 10 -1
           6: 01004D0A:FBC5 08004D0A:D1A6 03 00000000:00000000 01:00000064 00000004     0        0 0 1 0
        """
    /// An IPv4 connection to a socket of IPv6, and one from a link-local address.
    private static let ipv6 = """
           0: 0000000000000000FFFF000001004D0A:FBC5 0000000000000000FFFF000007004D0A:D1A6 01 00000000:00000000 00:00000000 00000000 0 0
           1: 000080FE00000000FF25FD24F4DAD5FE:FBC5 000080FE00000000FF2431B0E5CB79FE:D1A6 03 00000000:00000000 01:00000064 00000003 0 0
        """

    #if _endian(little)
    @Test func readsTheConnectionsToAPort() throws {
        let entries = TCPConnections.entries(in: Self.head + Self.ipv4, port: 64_453)
        let expected = ["10.77.0.2": true, "10.77.0.3": false, "10.77.0.4": false]
        #expect(
            entries
                == Set(
                    expected.compactMap { text, isHalfOpen in
                        IPAddress(text).map { TCPConnections.Entry(remote: $0, isHalfOpen: isHalfOpen) }
                    }
                )
        )
        let arrivals = ["10.77.0.2", "10.77.0.3", "10.77.0.9"].compactMap { IPAddress($0) }
            .map { PeerView.Arrivals(of: $0, in: entries) }
        #expect(arrivals == [.halfOpen, .accepted, .none])
    }

    @Test func readsAddressesOfBothVersions() throws {
        let entries = TCPConnections.entries(in: Self.head + Self.ipv6, port: 64_453)
        #expect(entries.contains { $0.remote == IPAddress("10.77.0.7") && !$0.isHalfOpen })
        #expect(entries.contains { $0.remote == IPAddress("fe80::b031:24ff:fe79:cbe5") && $0.isHalfOpen })
        #expect(entries.count == 2)
    }
    #endif

    @Test func ignoresWhatItDoesNotUnderstand() {
        for text in ["", "\n\n", "0: :FBC5 : 01", "0: 0:FBC5 0101:1 01 x", "0: 00000000:FBC5 0100zz0A:D1A6 01 x"] {
            #expect(TCPConnections.entries(in: text, port: 64_453).isEmpty)
        }
    }

    @Test func moreConnectionsArePreferredToFewer() {
        #expect(PeerView.Arrivals.allCases.shuffled().sorted() == [.none, .halfOpen, .accepted])
    }
}
