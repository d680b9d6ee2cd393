import Testing

@testable import Diagnosis

@Suite struct AvahiConfigurationTests {
    @Test(arguments: [
        ("[server]\nallow-interfaces=eth0\n", "wlan0", "allow-interfaces"),
        ("[server]\nallow-interfaces=eth0, wlan0\n", "wlan0", nil),
        ("[server]\n  deny-interfaces = wlan0,eth1\n", "wlan0", "deny-interfaces"),
        ("[server]\r\ndeny-interfaces=eth1\r\n", "wlan0", nil),
        ("[server]\n#deny-interfaces=wlan0\n", "wlan0", nil), ("[publish]\ndeny-interfaces=wlan0\n", "wlan0", nil),
        ("[server]\nuse-ipv4=no\nuse-ipv6=no\n", "wlan0", "use-ipv4"), ("[server]\nuse-ipv4=no\n", "wlan0", nil),
        ("[server]\nallow-interfaces=wlan0\ndeny-interfaces=wlan0\n", "wlan0", "deny-interfaces"),
        ("[server]\nallow-interfaces=\n", "wlan0", "allow-interfaces"),
        ("", "wlan0", nil), ("[server", "wlan0", nil), ("=\n==\n[server]\n=\nallow-interfaces", "wlan0", nil),
    ])
    func namesTheSettingThatExcludesAnInterface(text: String, interface: String, setting: String?) {
        #expect(AvahiConfiguration(parsing: text).exclusion(of: interface) == setting)
    }

    @Test func boundsLists() {
        let names = (0..<10_000).map { "eth\($0)" }.joined(separator: ",")
        let configuration = AvahiConfiguration(
            parsing: "[server]\nallow-interfaces=\(names)\ndeny-interfaces=\(names)\n"
        )
        #expect(configuration.allowed?.count == 64)
        #expect(configuration.denied.count == 64)
        let long = AvahiConfiguration(parsing: "[server]\ndeny-interfaces=" + String(repeating: "x", count: 60_000))
        #expect(long.denied.isEmpty)
    }
}
