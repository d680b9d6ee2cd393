import Glibc
import Testing

@testable import WebServer

@Suite struct ConnectionOwnerTests {
    private static let list = """
          sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1 0 100 0 0 10 0
           1: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000     0        0 2 1 0 20 4 30 10 -1
           2: 0100007F:C350 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1000        0 3 1 0 20 4 30 10 -1
           3: 0200A8C0:C351 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1001        0 4 1 0 20 4 30 10 -1
        """

    @Test func findsTheOwnerOfTheClientsSocket() {
        #expect(ConnectionOwner.user(Self.list, 50_000, 8080) == 1000)
        // The server's own socket has the ports the other way round.
        #expect(ConnectionOwner.user(Self.list, 8080, 50_000) == 0)
    }

    @Test func findsNothingElse() {
        #expect(ConnectionOwner.user(Self.list, 50_001, 8080) == nil)
        #expect(ConnectionOwner.user(Self.list, 50_002, 8080) == nil)
        #expect(ConnectionOwner.user("", 50_000, 8080) == nil)
        #expect(ConnectionOwner.user("a\nb\n\n  1: x y 1 2 3 4 5 6 7", 50_000, 8080) == nil)
    }

    @Test func readsTheListForIPv6() {
        let list = """
            header
               0: 0000000000000000FFFF00000100007F:C350 0000000000000000FFFF00000100007F:1F90 01 0:0 00:0 0 1002 0 5
            """
        #expect(ConnectionOwner.user(list, 50_000, 8080) == 1002)
        // IPv6 addresses that only end like 127.0.0.1.
        #expect(ConnectionOwner.user(list.replacing("FFFF0000", with: "00000000"), 50_000, 8080) == nil)
    }
}
