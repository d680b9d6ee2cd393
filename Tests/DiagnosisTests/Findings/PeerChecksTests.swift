import HostNetwork
import PeerCore
import Testing

@testable import Diagnosis

@Suite struct PeerChecksTests {
    private static func way(
        _ address: String,
        _ connection: WayFacts.Connection,
        _ neighbour: Neighbour.State = .unknown,
        over interface: String? = "wlan0",
        network: String? = "wlan0",
        isHeard: Bool = false
    ) -> WayFacts {
        WayFacts(
            address: IPAddress(address) ?? Machine.laptop.interfaces[0].addresses[0].address,
            port: 64_453,
            text: "\(address):64453",
            interface: interface,
            network: network,
            connection: connection,
            neighbour: neighbour,
            isHeard: isHeard
        )
    }

    private static let near = "192.168.1.9"
    private static let machine: MachineFacts = {
        var machine = Machine.laptopWithTunnel
        machine.interfaces.append(Machine.interface("docker0", ["192.168.1.1/24"], kind: .virtual))
        return machine
    }()

    private struct Row {
        var ways: [WayFacts]
        var isAnnounced = true
        var code: Finding.Code
        var severity = Finding.Severity.problem
    }

    private static let rows: [Row] = [
        Row(ways: [way(near, .accepted(.milliseconds(3)))], code: .peerReached, severity: .ok),
        // One address that answers is enough.
        Row(
            ways: [way(near, .silent, .absent), way("fe80::9", .accepted(.milliseconds(3)))],
            code: .peerReached,
            severity: .ok
        ),
        Row(ways: [way(near, .refused)], code: .portRefused),
        Row(ways: [way(near, .refused)], isAnnounced: false, code: .portRefused, severity: .warning),
        // An open port alone proves no peer.
        Row(ways: [way(near, .speechless)], code: .packetsLost),
        Row(ways: [way(near, .otherProgram)], code: .otherProgram),
        Row(
            ways: [way(near, .otherProgram), way("fe80::9", .accepted(.milliseconds(3)))],
            code: .peerReached,
            severity: .ok
        ),
        Row(ways: [way(near, .forbidden)], code: .outgoingBlocked),
        // Nothing has left this machine, whatever its firewall answers.
        Row(ways: [way(near, .silent, .unasked)], code: .outgoingBlocked),
        Row(ways: [way(near, .refused, .unasked)], code: .outgoingBlocked),
        Row(ways: [way(near, .rejected, .unasked)], code: .outgoingBlocked),
        Row(ways: [way(near, .rejected, .present)], code: .portBlocked),
        Row(ways: [way(near, .silent, .unasked), way("fe80::9", .silent, .present)], code: .portBlocked),
        Row(ways: [way(near, .silent, over: "docker0")], code: .containersTakeNetwork),
        Row(ways: [way(near, .silent, .present)], code: .portBlocked),
        Row(ways: [way(near, .unreachable, .present)], code: .portBlocked),
        // The neighbour's presence on one address counts for all of them.
        Row(ways: [way(near, .silent, .absent, isHeard: true), way("fe80::9", .silent, .present)], code: .portBlocked),
        Row(ways: [way(near, .unreachable, .absent, isHeard: true)], code: .clientIsolation),
        Row(
            ways: [way(near, .silent, .absent), way("fe80::9", .silent, .absent, isHeard: true)],
            code: .clientIsolation
        ),
        // Without a packet from the other machine, it may as well be gone.
        Row(ways: [way(near, .unreachable, .absent)], code: .peerGone, severity: .warning),
        Row(ways: [way(near, .unreachable, .absent)], isAnnounced: false, code: .peerGone),
        Row(ways: [way(near, .silent, .unknown, isHeard: true)], code: .peerSilent),
        Row(ways: [way(near, .silent, .unknown, over: "tun0")], code: .tunnelTakesNetwork),
        Row(ways: [way("10.1.2.3", .silent, over: "wlan0", network: nil)], code: .otherSubnet),
        Row(ways: [way("10.1.2.3", .unreachable, over: nil, network: nil)], code: .otherSubnet),
        // A VPN does not put the other machine into another network.
        Row(ways: [way("10.1.2.3", .silent, over: "tun0", network: nil)], code: .otherSubnet),
        // Behind a router nothing is known of the link.
        Row(ways: [way("10.1.2.3", .silent, over: "wlan0", network: nil)], isAnnounced: false, code: .peerSilent),
        Row(ways: [way("10.1.2.3", .unreachable, over: nil, network: nil)], isAnnounced: false, code: .noRoute),
        Row(
            ways: [
                way("10.1.2.3", .unreachable, over: nil, network: nil),
                way("10.1.2.4", .silent, over: "wlan0", network: nil),
            ],
            isAnnounced: false,
            code: .peerSilent
        ),
        // An address in the network of the cable counts more than one of another network.
        Row(
            ways: [way("10.1.2.3", .unreachable, network: nil), way("fe80::9", .silent, .absent, isHeard: true)],
            code: .clientIsolation
        ),
        Row(ways: [], isAnnounced: false, code: .peerSilent),
    ]

    @Test(arguments: rows.indices) func tellsCausesApart(row: Int) {
        let row = Self.rows[row]
        let finding = PeerChecks.finding(
            of: PeerFacts(name: "Anna", ways: row.ways),
            on: Self.machine,
            isAnnounced: row.isAnnounced
        )
        #expect(finding.code == row.code)
        #expect(finding.severity == row.severity)
        #expect(finding.severity == .ok || finding.remedy?.isEmpty == false)
    }

    @Test(arguments: [
        (
            way(near, .forbidden),
            "sudo nft insert rule inet filter output tcp dport 64453 accept; "
                + "sudo iptables -I OUTPUT -p tcp --dport 64453 -j ACCEPT"
        ),
        (way(near, .speechless), "sudo ip link set wlan0 mtu 1280"),
        (way(near, .silent, .present), "sudo ufw allow 64453/tcp"),
        (way(near, .silent, over: "tun0"), "sudo ip link set tun0 down"),
        (way("10.1.2.3", .silent, network: nil), "sudo ip route add 10.1.2.3 dev wlan0"),
        (way(near, .silent, .absent, isHeard: true), "nmcli device wifi hotspot"),
    ])
    func namesTheCommand(way: WayFacts, command: String) {
        let peer = PeerFacts(name: "Anna", ways: [way])
        let finding = PeerChecks.finding(of: peer, on: Machine.laptopWithTunnel, isAnnounced: true)
        #expect(finding.command == command)
    }

    @Test(arguments: [
        (WayFacts.Connection.forbidden, Firewall.ufw, "sudo ufw allow out 64453/tcp"),
        (.forbidden, .firewalld, "sudo firewall-cmd --list-all-policies"),
        (.silent, .nftables, "sudo nft insert rule inet filter input tcp dport 64453 accept"),
    ])
    func namesTheCommandOfTheFirewall(connection: WayFacts.Connection, firewall: Firewall, command: String) {
        var machine = Machine.laptop
        machine.firewall = firewall
        let peer = PeerFacts(name: "Anna", ways: [Self.way(Self.near, connection, .present)])
        let finding = PeerChecks.finding(of: peer, on: machine, isAnnounced: true)
        #expect(finding.command == command)
        #expect(finding.message.contains("keeps its devices apart") == (connection == .silent))
    }

    /// Nothing was sent, so no firewall can have dropped it.
    @Test func withoutARouteTheNetworksAreNamed() {
        let way = Self.way("10.1.2.3", .unreachable, over: nil, network: nil)
        let finding = PeerChecks.finding(
            of: PeerFacts(name: "10.1.2.3", ways: [way]),
            on: Machine.laptop,
            isAnnounced: false
        )
        #expect(
            finding.message == "This machine is on no network that leads to 10.1.2.3. It has 192.168.1.7/24 on wlan0."
        )
        #expect(finding.remedy?.contains("irewall") == false && finding.command == nil && finding.port == nil)
    }

    /// A name cannot pass for what is said about it.
    @Test(arguments: [
        ("Anna", "“Anna”"), ("", "“”"), ("Anna” is gone. Run “reboot", "“Anna' is gone. Run 'reboot”"),
        (String(repeating: "a", count: 40), "“" + String(repeating: "a", count: 40) + "”"),
        (String(repeating: "a", count: 41), "“" + String(repeating: "a", count: 40) + "…”"),
    ])
    func quotesNames(name: String, quoted: String) {
        #expect(PeerFacts.quoted(name) == quoted)
    }

    @Test func saysHowLongTheAnswerTook() {
        let peer = PeerFacts(name: "Anna", ways: [Self.way(Self.near, .accepted(.milliseconds(12)))])
        let finding = PeerChecks.finding(of: peer, on: Machine.laptop, isAnnounced: true)
        #expect(finding.message == "Anna answers at 192.168.1.9:64453 within 13 ms.")
        #expect(finding.severity == .ok)
    }

    @Test func aSlowWayIsANote() {
        let peer = PeerFacts(name: "Anna", ways: [Self.way(Self.near, .accepted(.milliseconds(1018)))])
        let finding = PeerChecks.finding(of: peer, on: Machine.laptop, isAnnounced: true)
        #expect(finding.code == .peerReached && finding.severity == .note)
        #expect(finding.message.contains("slow or loses packets") && finding.remedy != nil)
    }
}
