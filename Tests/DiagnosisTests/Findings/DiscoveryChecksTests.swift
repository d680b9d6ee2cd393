import HostNetwork
import Testing

@testable import Diagnosis

@Suite struct DiscoveryChecksTests {
    private static let states: [(AvahiFacts, Finding.Code, String?)] = [
        (AvahiFacts(state: .stopped), .avahiStopped, "sudo systemctl start avahi-daemon"),
        (AvahiFacts(isInstalled: false, state: .stopped), .avahiMissing, "sudo apt install avahi-daemon"),
        (AvahiFacts(isInstalled: false, state: .noBus), .avahiMissing, "sudo apt install avahi-daemon"),
        (AvahiFacts(state: .noBus), .busStopped, "sudo systemctl start dbus avahi-daemon"),
        (AvahiFacts(state: .busDenied), .busDenied, nil),
        (
            AvahiFacts(state: .portTaken), .avahiUnusable,
            "sudo ss -ulpn sport = 5353; sudo systemctl start avahi-daemon"
        ),
        (AvahiFacts(isInstalled: false, state: .portTaken), .avahiMissing, "sudo apt install avahi-daemon"),
        (AvahiFacts(state: .offBus), .avahiUnusable, "sudo systemctl restart avahi-daemon"),
        (AvahiFacts(state: .silent), .avahiSilent, "sudo systemctl restart avahi-daemon"),
        (AvahiFacts(state: .failed("No.")), .avahiSilent, "sudo systemctl restart avahi-daemon"),
        (AvahiFacts(state: .running, interfaces: ["lo"]), .avahiInterface, "sudo systemctl restart avahi-daemon"),
    ]

    @Test(arguments: states.indices) func saysWhyAvahiDoesNotWork(row: Int) {
        let (avahi, code, command) = Self.states[row]
        let findings = DiscoveryChecks.findings(of: avahi, on: Machine.laptop)
        #expect(findings.map(\.code) == [code])
        #expect(findings.map(\.severity) == [.problem])
        #expect(findings.first?.command == command)
    }

    @Test(arguments: [
        (AvahiConfiguration(allowed: ["eth0"]), "Add wlan0 to allow-interfaces"),
        (AvahiConfiguration(denied: ["wlan0"]), "Remove wlan0 from deny-interfaces"),
        (AvahiConfiguration(usesNoIP: true), "Set use-ipv4=yes"), (AvahiConfiguration(), "Check allow-interfaces"),
    ])
    func namesTheSetting(configuration: AvahiConfiguration, words: String) {
        let avahi = AvahiFacts(state: .running, interfaces: [], configuration: configuration)
        let finding = DiscoveryChecks.findings(of: avahi, on: Machine.laptop).first
        #expect(finding?.remedy?.hasPrefix(words) == true)
        #expect(finding?.interface == "wlan0")
    }

    /// A daemon that cannot start with its settings, and one that others do not find, need another setting, not a start.
    @Test(arguments: [
        ("[server]\nuse-ipv4=no\nuse-ipv6=no", AvahiFacts.State.stopped, "Set use-ipv4=yes and use-ipv6=yes in "),
        ("[server]\nenable-dbus=no", .offBus, "Set enable-dbus=yes in "), ("", .offBus, "Restart it:"),
        ("[server]\ndomain-name=home", .running, "Remove domain-name in "),
        ("[publish]\npublish-addresses=no", .running, "Set publish-addresses=yes in "),
    ])
    func namesTheSettingThatMakesItUseless(text: String, state: AvahiFacts.State, words: String) {
        let avahi = AvahiFacts(state: state, interfaces: [], configuration: AvahiConfiguration(parsing: text))
        let findings = DiscoveryChecks.findings(of: avahi, on: Machine.laptop)
        #expect(findings.map(\.code) == [.avahiUnusable])
        #expect(findings.first?.remedy?.hasPrefix(words) == true)
        let usual = AvahiConfiguration(parsing: "[server]\ndomain-name=local\nenable-dbus=yes")
        let fine = AvahiFacts(state: .running, interfaces: ["wlan0"], configuration: usual)
        #expect(DiscoveryChecks.findings(of: fine, on: Machine.laptop).map(\.code) == [.avahi])
    }

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

    @Test func oneOfTwoNetworksWithoutAvahiIsAProblem() {
        var machine = Machine.laptop
        machine.interfaces.append(Machine.interface("eth0", ["10.0.0.1/8"]))
        let avahi = AvahiFacts(state: .running, interfaces: ["eth0", "lo"])
        #expect(DiscoveryChecks.findings(of: avahi, on: machine).map(\.interface) == ["wlan0"])
    }

    /// What is not known is not reported.
    @Test func blamesAvahiForNothingThatItCannotHelp() {
        let running = AvahiFacts(state: .running, interfaces: ["wlan0", "lo", "docker0"])
        #expect(DiscoveryChecks.findings(of: running, on: Machine.laptop).map(\.code) == [.avahi])
        let deaf = AvahiFacts(state: .running, interfaces: ["lo"])
        #expect(DiscoveryChecks.findings(of: deaf, on: Machine.laptop, blocked: ["wlan0"]).isEmpty)
        #expect(DiscoveryChecks.findings(of: deaf, on: MachineFacts()).isEmpty)
        #expect(DiscoveryChecks.findings(of: AvahiFacts(state: .running), on: Machine.laptop).isEmpty)
    }

    @Test func deniedPublishingIsAWarning() {
        let avahi = AvahiFacts(state: .running, deniesPublishing: true)
        let findings = DiscoveryChecks.findings(of: avahi, on: Machine.laptop)
        #expect(findings.map(\.code) == [.publishingDenied])
        #expect(findings.map(\.severity) == [.warning])
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
