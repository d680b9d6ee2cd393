import Testing

@testable import HostNetwork

/// The kernel's lists of routes, as Linux 6.1 writes them.
@Suite struct DefaultRoutesTests {
    @Test func theDefaultRoutesOfIPv4AreRead() {
        let list = """
            Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
            enp9s0\t00000000\t0100A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0
            docker0\t000011AC\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0
            wlan0\t0000A8C0\t00000000\t0001\t0\t0\t600\t00FFFFFF\t0\t0\t0
            tun0\t00000000\t00000000\t0001\t0\t0\t0\t00000080\t0\t0\t0
            *\t00000000\t00000000\t0200\t0\t0\t0\t00000000\t0\t0\t0
            ppp0\t00000000\t00000000\t0001\t0\t0\t700\t00000000\t0\t0\t0
            """
        #expect(DefaultRoutes.ipv4(in: list) == ["enp9s0", "ppp0"])
    }

    @Test func theDefaultRoutesOfIPv6AreRead() {
        let none = String(repeating: "0", count: 32)
        let list = """
            fe800000000000000000000000000000 40 \(none) 00 \(none) 00000100 00000001 00000000 00000001   wlan0
            \(none) 00 \(none) 00 fe800000000000000000000000000001 00000400 00000003 00000000 00000003   enp9s0
            \(none) 00 \(none) 00 \(none) ffffffff 00000001 00000000 00200200       lo
            """
        #expect(DefaultRoutes.ipv6(in: list) == ["enp9s0"])
    }

    @Test(arguments: ["", "\n\n", "a b c", "0 0 0 0 0 0 0 0 0 0 0", "x 0 0 zz 0 0 0 0", "x\nwlan0\n\n0\t0"])
    func otherTextIsIgnored(text: String) {
        #expect(DefaultRoutes.ipv4(in: text).isEmpty && DefaultRoutes.ipv6(in: text).isEmpty)
    }
}
