import HostNetwork
import RegionSharing
import SharingReports
import SharingTestSupport

@testable import Diagnosis
@testable import HikeShareCommands

/// The screens of `doctor`, and hints of other commands about this machine.
extension Screens {
    private static let store = "/home/anna/.local/share/hikeshare"

    private static func fine(_ peers: [PeerFacts]) -> [Finding] {
        var facts = NetworkFacts(machine: MachineFacts(interfaces: [wlan]), peers: peers, isSearched: true)
        facts.avahi = AvahiFacts(state: .running, interfaces: ["wlan0"])
        facts.multicast = MulticastFacts(echoes: [.init(interface: "wlan0", isIPv6: false, fate: .returned)])
        return Judgement.findings(of: facts)
            + [
                Judgement.firewall(nil, port: 64_453), Judgement.clock(ClockFacts(now: 1)),
                Judgement.storage(StoreFacts(path: store, free: 72_611_000_000)),
            ].compactMap { $0 }
    }

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

    private static func peer(
        _ connection: WayFacts.Connection,
        _ neighbour: Neighbour.State = .unknown,
        heardOn: String? = nil,
        network: String? = "wlan0",
        view: PeerView? = nil
    ) -> PeerFacts {
        let address = IPAddress(network == nil ? "10.20.0.3" : "192.168.1.9")
        let ways = address.map { address in
            WayFacts(
                address: address,
                port: 64_453,
                text: "\(address):64453",
                interface: "wlan0",
                network: network,
                connection: connection,
                neighbour: neighbour,
                heardOn: heardOn
            )
        }
        return PeerFacts(name: "“\(name)”", ways: ways.map { [$0] } ?? [], view: view)
    }

    private static func findings(_ peers: [PeerFacts], on machine: MachineFacts = machine) -> [Finding] {
        Judgement.findings(of: NetworkFacts(machine: machine, peers: peers)).filter { $0.severity >= .warning }
    }

    private static func lost(_ fate: MulticastFacts.Echo.Fate = .lost) -> MulticastFacts {
        MulticastFacts(echoes: [.init(interface: "wlan0", isIPv6: false, fate: fate)])
    }

    static func doctor(_ console: Console) {
        console.emit(DoctorReport(findings: fine([peer(.accepted(.milliseconds(3)))])))
        console.emit(DoctorReport(findings: fine([])))
    }

    static func doctorNetwork(_ console: Console) {
        var vpn = machine
        vpn.internetInterface = "tun0"
        let facts = [
            NetworkFacts(machine: MachineFacts(interfaces: [interface("eth0")])),
            NetworkFacts(machine: MachineFacts(interfaces: [interface("eth0", hasCarrier: false)])),
            NetworkFacts(machine: machine, avahi: AvahiFacts(state: .stopped)),
            NetworkFacts(machine: machine, avahi: AvahiFacts(state: .running, interfaces: [])),
            NetworkFacts(machine: machine, multicast: lost()), NetworkFacts(machine: vpn, multicast: lost()),
        ]
        let findings = facts.flatMap { Judgement.findings(of: $0) }.filter { $0.severity >= .warning }
        console.emit(DoctorReport(findings: findings + [Judgement.firewall(.ufw, port: 64_453)]))
    }

    static func doctorPeers(_ console: Console) {
        var taken = machine
        taken.localRoutes = [.init(interface: "wlan0", network: "192.168.1.7/24", used: "tun0")]
        let peers = [
            peer(.silent, .present), peer(.silent, .absent, heardOn: "wlan0"),
            peer(.unreachable, heardOn: "wlan0", network: nil), peer(.refused), peer(.silent, .absent),
            peer(.silent, .present, view: PeerView(arrivals: .halfOpen, back: .silent)),
            peer(.silent, .present, view: PeerView(arrivals: .none, back: .kept)), peer(.reset),
        ]
        console.emit(DoctorReport(findings: findings([], on: taken) + peers.flatMap { findings([$0]) }))
    }

    static func doctorThisMachine(_ console: Console) {
        let stores = [
            StoreFacts(path: store, free: 1_200_000), StoreFacts(path: store, free: 120_000_000),
            StoreFacts(path: store, free: 0, isReadOnly: true), StoreFacts(path: store, free: .max, isWritable: false),
        ]
        let clock = ClockFacts(now: 1_500_000_000, program: 1_790_000_000)
        console.emit(DoctorReport(findings: stores.compactMap(Judgement.storage) + [Judgement.clock(clock)]))
    }

    static func hints(_ console: Console) {
        for absent in [MachineFacts(interfaces: [interface("eth0", hasCarrier: false)]), MachineFacts()] {
            for finding in findings([], on: absent) { console.note(LocalHints.waiting(for: finding).typed) }
        }
        let facts = NetworkFacts(machine: machine, multicast: lost())
        let hints = Judgement.findings(of: facts).filter { $0.severity == .problem }.map(\.hint)
        let error = FindingError.noSender(SenderSearch(timeout: .seconds(10)), others: [])
        console.warn(ProblemReport(HintedError(underlying: error, hints: hints)))
    }
}
