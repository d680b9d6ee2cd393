import HostNetwork
import Testing

@testable import Diagnosis

@Suite struct DiscoveryChecksTests {
    @Test func whoAnswersAndIsNotListedIsNamed() {
        #expect(DiscoveryChecks.finding(ofPeersNotListed: []) == PeerChecks.noPeers)
        let others = [Machine.interface("x", ["192.168.1.9/24"]).addresses[0].address]
        let finding = DiscoveryChecks.finding(ofPeersNotListed: others)
        #expect(finding.code == .avahiUnaware && finding.severity == .warning)
        #expect(finding.message.contains("192.168.1.9"))
        // What keeps Avahi from working explains it.
        let silent = DiscoveryChecks.findings(of: AvahiFacts(state: .silent), on: Machine.laptop)
        #expect(Weighing.weighed(silent + [finding]).map(\.code) == [.avahiSilent, .noPeers])
    }

    private typealias Fate = MulticastFacts.Echo.Fate

    private static let echoes: [(v4: Fate, v6: Fate, codes: [Finding.Code], severities: [Finding.Severity])] = [
        (.returned, .returned, [.multicast], [.ok]),
        (.returned, .untested, [.multicast], [.ok]),
        (.returned, .lost, [.multicast, .multicastBlocked], [.ok, .note]),
        (.forbidden, .returned, [.multicast, .multicastBlocked], [.ok, .note]),
        (.lost, .lost, [.multicastBlocked], [.problem]),
        (.lost, .untested, [.multicastBlocked], [.problem]),
        (.forbidden, .lost, [.multicastBlocked], [.problem]),
        (.untested, .untested, [], []),
    ]

    @Test(arguments: echoes.indices) func judgesEchoes(row: Int) {
        let (v4, v6, codes, severities) = Self.echoes[row]
        let multicast = MulticastFacts(echoes: [
            .init(interface: "wlan0", isIPv6: false, fate: v4), .init(interface: "wlan0", isIPv6: true, fate: v6),
            // An interface that does not count.
            .init(interface: "docker0", isIPv6: false, fate: .lost),
        ])
        let findings = DiscoveryChecks.findings(of: multicast, on: Machine.laptop)
        #expect(findings.map(\.code) == codes)
        #expect(findings.map(\.severity) == severities)
    }

    @Test(
        arguments: [
            (Fate.lost, Firewall.ufw, "sudo ufw allow 5353/udp"), (.forbidden, .ufw, "sudo ufw allow out 5353/udp"),
            (.lost, .firewalld, "sudo firewall-cmd --permanent --add-service=mdns && sudo firewall-cmd --reload"),
            (.lost, .nftables, "sudo nft insert rule inet filter input udp dport 5353 accept"),
            // The rules of a firewall that is not known may be those of iptables.
            (
                .lost, nil,
                "sudo nft insert rule inet filter input udp dport 5353 accept; "
                    + "sudo iptables -I INPUT -p udp --dport 5353 -j ACCEPT"
            ),
            (
                .forbidden, nil,
                "sudo nft insert rule inet filter output udp dport 5353 accept; "
                    + "sudo iptables -I OUTPUT -p udp --dport 5353 -j ACCEPT"
            ),
            (.forbidden, .firewalld, "sudo firewall-cmd --list-all-policies"),
        ] as [(Fate, Firewall?, String)]
    )
    func namesTheCommandOfTheFirewall(fate: MulticastFacts.Echo.Fate, firewall: Firewall?, command: String) {
        var machine = Machine.laptop
        machine.firewall = firewall
        let multicast = MulticastFacts(echoes: [.init(interface: "wlan0", isIPv6: false, fate: fate)])
        let findings = DiscoveryChecks.findings(of: multicast, on: machine)
        #expect(findings.map(\.command) == [command])
        let remedy = findings.first?.remedy ?? ""
        #expect(remedy.contains("To see the rules:") == command.contains("--list"))
    }

    @Test func multicastMayBeSwitchedOff() {
        let machine = MachineFacts(interfaces: [Machine.interface("eth0", ["10.0.0.1/8"], hasMulticast: false)])
        let findings = DiscoveryChecks.findings(of: MulticastFacts(), on: machine)
        #expect(findings.map(\.code) == [.multicastOff])
        #expect(findings.first?.command == "sudo ip link set eth0 multicast on")
    }
}
