import Diagnosis
import HostNetwork
import RegionSharing
import SharingReports
import SharingTestSupport

@testable import HikeShareCommands

/// The screens of `doctor`, and hints of other commands about this machine.
extension Screens {
    private static let fine = [
        Finding(
            .address,
            .network,
            .ok,
            "This machine has an address on a local network: wlan0 (192.168.1.7, fe80::7)."
        ),
        Finding(.avahi, .discovery, .ok, "Avahi is running and uses wlan0."),
        Finding(.multicast, .discovery, .ok, "Multicast packets go out and come in on wlan0."),
        Finding(.noFirewall, .firewall, .ok, "No firewall service seems to be active on this machine."),
        Finding(.clock, .clock, .ok, "The clock is plausible."),
        Finding(.space, .storage, .ok, "The disk has room: 72611 MB free in /home/anna/.local/share/hikeshare."),
    ]

    private static let wlan = interface("wlan0", ["192.168.1.7"])
    private static let machine = MachineFacts(
        interfaces: [wlan, interface("tun0", ["10.8.0.2"], kind: .tunnel)],
        firewall: .ufw
    )

    private static func interface(
        _ name: String,
        _ addresses: [String] = [],
        kind: InterfaceRank = .hardware,
        hasCarrier: Bool = true
    ) -> InterfaceFacts {
        InterfaceFacts(
            name: name,
            index: 2,
            kind: kind,
            hasCarrier: hasCarrier,
            hardwareAddress: [2, 0, 0, 0, 7, 9],
            addresses: addresses.compactMap { IPAddress($0).map { .init($0, prefixLength: 24) } }
        )
    }

    private static func way(
        _ connection: WayFacts.Connection,
        _ neighbour: Neighbour.State = .unknown,
        isHeard: Bool = false,
        network: String? = "wlan0"
    ) -> [WayFacts] {
        guard let address = IPAddress(network == nil ? "10.20.0.3" : "192.168.1.9") else { return [] }
        return [
            WayFacts(
                address: address,
                port: 64_453,
                text: "\(address):64453",
                interface: "wlan0",
                network: network,
                connection: connection,
                neighbour: neighbour,
                isHeard: isHeard
            )
        ]
    }

    private static func finding(_ ways: [WayFacts]) -> Finding {
        PeerChecks.finding(of: PeerFacts(name: "“\(name)”", ways: ways), on: machine, isAnnounced: true)
    }

    static func doctor(_ console: Console) {
        console.emit(DoctorReport(findings: fine + [finding(way(.accepted(.milliseconds(3))))]))
        console.emit(DoctorReport(findings: fine + [PeerChecks.noPeers]))
    }

    static func doctorNetwork(_ console: Console) {
        let echo = MulticastFacts.Echo(interface: "wlan0", isIPv6: false, fate: .lost)
        let findings = [
            NetworkChecks.findings(on: MachineFacts(interfaces: [interface("eth0")])),
            NetworkChecks.findings(on: MachineFacts(interfaces: [interface("eth0", hasCarrier: false)])),
            [AvahiFacts(state: .stopped), AvahiFacts(state: .running, interfaces: [])]
                .flatMap { DiscoveryChecks.findings(of: $0, on: machine) },
            DiscoveryChecks.findings(of: MulticastFacts(echoes: [echo]), on: machine),
            FirewallChecks.findings(of: .ufw, port: 64_453),
        ].flatMap { $0 }
        console.emit(DoctorReport(findings: findings))
    }

    static func doctorPeers(_ console: Console) {
        var taken = machine
        taken.localRoutes = [.init(interface: "wlan0", network: "192.168.1.7/24", used: "tun0")]
        let findings =
            NetworkChecks.findings(on: taken).filter { $0.severity == .problem } + [
                finding(way(.silent, .present)), finding(way(.silent, .absent, isHeard: true)),
                finding(way(.unreachable, network: nil)), finding(way(.refused)), finding(way(.silent, .absent)),
            ]
        console.emit(DoctorReport(findings: findings))
    }

    static func doctorThisMachine(_ console: Console) {
        let store = "/home/anna/.local/share/hikeshare"
        let stores = [
            StoreFacts(path: store, free: 1_200_000), StoreFacts(path: store, free: 120_000_000),
            StoreFacts(path: store, free: 0, isReadOnly: true), StoreFacts(path: store, free: .max, isWritable: false),
        ]
        let clock = ClockFacts(now: 1_500_000_000, program: 1_790_000_000)
        console.emit(DoctorReport(findings: stores.flatMap(StorageChecks.findings) + ClockChecks.findings(of: clock)))
    }

    static func hints(_ console: Console) {
        for absent in [MachineFacts(interfaces: [interface("eth0", hasCarrier: false)]), MachineFacts()] {
            for finding in NetworkChecks.findings(on: absent) { console.note(LocalHints.waiting(for: finding).typed) }
        }
        let echo = MulticastFacts.Echo(interface: "wlan0", isIPv6: false, fate: .lost)
        let hints = DiscoveryChecks.findings(of: MulticastFacts(echoes: [echo]), on: machine).map(DoctorAdvice.item)
        let error = FindingError.noSender(SenderSearch(timeout: .seconds(10)), others: [])
        console.warn(ProblemReport(HintedError(underlying: error, hints: hints)))
    }
}
