import HostNetwork
import Testing

@testable import Diagnosis

/// What is said of the interfaces, addresses and routes of this machine.
@Suite struct NetworkJudgementTests {
    private static let docker = Machine.interface("docker0", ["172.17.0.1/16"], kind: .virtual)
    private static let tunnel = Machine.interface("wg0", ["10.8.0.2/24"], kind: .tunnel, isEthernet: false)
    private static let offBySoftware = RadioFacts(isOffBySoftware: true, isOffBySwitch: false)
    private static let on = RadioFacts(isOffBySoftware: false, isOffBySwitch: false)
    private static let radio = Machine.interface("wlan0", isUp: false, hasCarrier: false, isWireless: true)
    private static let unplugged = Machine.interface("eth0", hasCarrier: false)

    private static let withoutNetwork: [(MachineFacts, Finding.Code)] = [
        (MachineFacts(), .noInterface), (MachineFacts(interfaces: [docker, tunnel]), .noInterface),
        (
            MachineFacts(interfaces: [Machine.interface("eth0", isUp: false, hasCarrier: false), docker]),
            .interfaceDown
        ),
        (MachineFacts(interfaces: [unplugged]), .noCarrier),
        (MachineFacts(interfaces: [radio, unplugged]), .noCarrier),
        (MachineFacts(interfaces: [Machine.interface("eth0")]), .noAddress),
        (MachineFacts(interfaces: [radio], radios: [offBySoftware]), .radioOff),
        // One of two radios is on, or a cable may be plugged in: the radio is not the only way.
        (
            MachineFacts(
                interfaces: [Machine.interface("wlan0", hasCarrier: false, isWireless: true)],
                radios: [offBySoftware, on]
            ),
            .noCarrier
        ),
        (MachineFacts(interfaces: [unplugged], radios: [offBySoftware]), .noCarrier),
    ]

    @Test(arguments: withoutNetwork.indices) func saysWhyThereIsNoNetwork(row: Int) {
        let (machine, code) = Self.withoutNetwork[row]
        let findings = Judgement.findings(of: NetworkFacts(machine: machine, isSearched: true))
        #expect(findings.map(\.code) == [code])
        #expect(findings.map(\.severity) == [.problem])
        #expect(findings.first?.isAbsence == true)
    }

    /// The cause stands instead of what follows from it.
    @Test func networkingThatIsOffIsTheCause() {
        let off = OwnNetworkFacts.networkingOff(reason: "Off.", remedy: nil, command: "nmcli networking on")
        let facts = NetworkFacts(machine: MachineFacts(interfaces: [Machine.interface("eth0")]), ownNetwork: off)
        #expect(Judgement.findings(of: facts).map(\.code) == [.networkingOff])
        let online = Judgement.findings(of: NetworkFacts(machine: Machine.laptop, ownNetwork: off))
        #expect(online.map(\.code) == [.address, .hotspot])
        #expect(online.map(\.severity) == [.ok, .note])
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
        let machine = MachineFacts(interfaces: interfaces, radios: [Self.offBySoftware])
        let findings = Judgement.findings(of: NetworkFacts(machine: machine))
        #expect(findings.map(\.code) == [.address])
        #expect(findings.map(\.severity) == [.ok])
    }

    private static func routed(over used: String?) -> MachineFacts {
        var machine = Machine.laptopWithTunnel
        machine.interfaces += [docker, Machine.interface("eth1", ["192.168.1.8/24"])]
        let route = MachineFacts.LocalRoute(interface: "wlan0", network: "192.168.1.7/24", used: used)
        machine.localRoutes = [route, route]
        return machine
    }

    /// Where the kernel sends what is for the local network: into another network, nowhere, or where it should.
    @Test(arguments: [
        ("tun0", [Finding.Code.tunnelTakesNetwork]), ("docker0", [.containersTakeNetwork]), (nil, [.routeRefused]),
        ("wlan0", []), ("eth1", []),
    ])
    func namesWhatTakesTheLocalNetwork(used: String?, codes: [Finding.Code]) {
        #expect(Judgement.obstacles(NetworkFacts(machine: Self.routed(over: used))) == codes)
    }

    @Test func aProblemOfTheNetworkIsAWarningIfAPeerIsReachedOtherwise() {
        for used in ["tun0", "docker0", nil] {
            let machine = Self.routed(over: used)
            let reached = Ways.facts([Ways.way(Ways.near, .accepted(.milliseconds(3)))], on: machine)
            #expect(Judgement.findings(of: reached).allSatisfy { $0.severity < .problem })
        }
    }

    /// An IPv6 address that another machine has, too, is no address.
    @Test func aDuplicateAddressIsTheCauseIfThereIsNoOther() {
        var wlan = Machine.interface("wlan0")
        wlan.addresses = [.init(Machine.address("fe80::7"), prefixLength: 64, state: .duplicate)]
        #expect(Judgement.obstacles(NetworkFacts(machine: MachineFacts(interfaces: [wlan]))) == [.duplicateAddress])
        wlan.addresses.append(.init(Machine.address("192.168.1.7"), prefixLength: 24))
        let findings = Judgement.findings(of: NetworkFacts(machine: MachineFacts(interfaces: [wlan])))
        #expect(findings.map(\.code) == [.address, .duplicateAddress])
        #expect(findings.map(\.severity) == [.ok, .warning])
    }

    /// Packets with an address of this machine as their source: the network of containers, or a shared one, is the usual reason.
    @Test func anAddressOfTwoMachinesIsLookedForWhereMachinesShareThem() {
        var machine = Machine.laptop
        machine.interfaces.append(Self.docker)
        var multicast = MulticastFacts()
        multicast.ownEchoes = 2
        let cause = Judgement.cause(of: NetworkFacts(machine: machine, multicast: multicast))
        guard case .sharedAddress(let shared, peer: nil, other: nil)? = cause?.kind else {
            Issue.record("\(String(describing: cause))")
            return
        }
        #expect(shared.first?.interface == "docker0")
        multicast.ownEchoes = 0
        #expect(Judgement.cause(of: NetworkFacts(machine: machine, multicast: multicast)) == nil)
    }

    /// The only address of a machine leaves no such trace, so other packets are none.
    @Test func theOnlyAddressIsNotBlamed() {
        var facts = NetworkFacts(machine: Machine.laptop, multicast: MulticastFacts(), isSearched: true)
        facts.multicast?.ownEchoes = 2
        #expect(Judgement.obstacles(facts).isEmpty)
    }
}
