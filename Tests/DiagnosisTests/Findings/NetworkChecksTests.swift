import HostNetwork
import Testing

@testable import Diagnosis

@Suite struct NetworkChecksTests {
    private static let docker = Machine.interface("docker0", ["172.17.0.1/16"], kind: .virtual)
    private static let tunnel = Machine.interface("wg0", ["10.8.0.2/24"], kind: .tunnel, isEthernet: false)
    private static let offBySoftware = RadioFacts(isOffBySoftware: true, isOffBySwitch: false)
    private static let offBySwitch = RadioFacts(isOffBySoftware: false, isOffBySwitch: true)
    private static let on = RadioFacts(isOffBySoftware: false, isOffBySwitch: false)

    /// Interfaces, radios, and the only finding with its command.
    private static let withoutNetwork: [(MachineFacts, Finding.Code, String?)] = [
        (MachineFacts(), .noInterface, nil),
        (MachineFacts(interfaces: [docker, tunnel]), .noInterface, nil),
        (
            MachineFacts(interfaces: [Machine.interface("eth0", isUp: false, hasCarrier: false), docker]),
            .interfaceDown, "sudo ip link set eth0 up"
        ),
        (MachineFacts(interfaces: [Machine.interface("eth0", hasCarrier: false)]), .noCarrier, nil),
        (
            MachineFacts(interfaces: [
                Machine.interface("wlan0", isUp: false, hasCarrier: false, isWireless: true),
                Machine.interface("eth0", hasCarrier: false),
            ]),
            .noCarrier, nil
        ),
        (MachineFacts(interfaces: [Machine.interface("eth0")]), .noAddress, "sudo ip addr add 169.254.8.9/16 dev eth0"),
        (
            MachineFacts(interfaces: [Machine.interface("eth0", isIPv6Off: true)]),
            .noAddress, "sudo sysctl -w net/ipv6/conf/eth0/disable_ipv6=0"
        ),
        (
            MachineFacts(
                interfaces: [Machine.interface("wlan0", isUp: false, hasCarrier: false, isWireless: true)],
                radios: [offBySoftware]
            ),
            .radioOff, "sudo rfkill unblock wifi"
        ),
        (
            MachineFacts(
                interfaces: [Machine.interface("wlan0", isUp: false, hasCarrier: false, isWireless: true)],
                radios: [offBySwitch]
            ),
            .radioOff, nil
        ),
        // One of two radios is on, or a cable may be plugged in: the radio is not the only way.
        (
            MachineFacts(
                interfaces: [Machine.interface("wlan0", hasCarrier: false, isWireless: true)],
                radios: [offBySoftware, on]
            ),
            .noCarrier, nil
        ),
        (
            MachineFacts(interfaces: [Machine.interface("eth0", hasCarrier: false)], radios: [offBySoftware]),
            .noCarrier, nil
        ),
    ]

    @Test(arguments: withoutNetwork.indices) func saysWhyThereIsNoNetwork(row: Int) {
        let (machine, code, command) = Self.withoutNetwork[row]
        let findings = NetworkChecks.findings(on: machine)
        #expect(findings.map(\.code) == [code])
        #expect(findings.map(\.severity) == [.problem])
        #expect(findings.first?.command == command)
        #expect(findings.first?.remedy?.isEmpty == false)
    }

    /// One address is enough, of whatever kind, whatever the other interfaces lack.
    @Test(arguments: [
        [Machine.interface("eth0", ["10.0.0.1/8"])], [Machine.interface("eth0", ["fe80::1"])],
        [Machine.interface("eth0", ["169.254.3.4/16"])],
        [Machine.interface("eth0", hasCarrier: false), Machine.interface("wlan0", ["10.0.0.1/8"])],
        [Machine.interface("eth0"), Machine.interface("wlan0", ["10.0.0.1/8"])],
        [Machine.interface("bond0", ["10.0.0.1/8"], kind: .other)],
    ])
    func findsTheAddress(interfaces: [InterfaceFacts]) {
        let findings = NetworkChecks.findings(on: MachineFacts(interfaces: interfaces, radios: [Self.offBySoftware]))
        #expect(findings.map(\.code) == [.address])
        #expect(findings.map(\.severity) == [.ok])
    }

    @Test func namesTheTunnelThatTakesTheLocalNetwork() {
        var machine = Machine.laptopWithTunnel
        let route = MachineFacts.LocalRoute(interface: "wlan0", network: "192.168.1.7/24", used: "tun0")
        machine.localRoutes = [route, route]
        let findings = NetworkChecks.findings(on: machine)
        #expect(findings.map(\.code) == [.address, .tunnelTakesNetwork])
        #expect(findings.last?.severity == .problem)
        #expect(findings.last?.command == "sudo ip link set tun0 down")
        #expect(findings.last?.message.contains("wlan0") == true)
    }

    /// Containers with the addresses of the Wi-Fi take its packets.
    @Test func namesTheContainersThatTakeTheLocalNetwork() {
        var machine = Machine.laptop
        machine.interfaces.append(Self.docker)
        machine.localRoutes = [.init(interface: "wlan0", network: "192.168.1.7/24", used: "docker0")]
        let findings = NetworkChecks.findings(on: machine)
        #expect(findings.map(\.code) == [.address, .containersTakeNetwork])
        #expect(findings.last?.command == "sudo ip link set docker0 down")
    }

    /// Another way than through a tunnel, or no way at all, is not a VPN's fault.
    @Test(arguments: ["wlan0", "eth1", nil]) func blamesNoTunnelForOtherRoutes(used: String?) {
        var machine = Machine.laptopWithTunnel
        machine.interfaces.append(Machine.interface("eth1", ["192.168.1.8/24"]))
        machine.localRoutes = [.init(interface: "wlan0", network: "192.168.1.7/24", used: used)]
        #expect(NetworkChecks.findings(on: machine).map(\.code) == [.address])
    }

    @Test func aTunnelToTheInternetIsANote() {
        var machine = Machine.laptopWithTunnel
        machine.internetInterface = "tun0"
        let findings = NetworkChecks.findings(on: machine)
        #expect(findings.map(\.code) == [.address, .tunnelActive])
        #expect(findings.map(\.severity) == [.ok, .note])
        machine.internetInterface = "wlan0"
        #expect(NetworkChecks.findings(on: machine).map(\.code) == [.address])
    }
}
