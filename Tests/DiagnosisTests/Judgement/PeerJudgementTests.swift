import HostNetwork
import PeerCore
import Testing

@testable import Diagnosis

/// What is said of the way to one machine, by what happened there.
@Suite struct PeerJudgementTests {
    private typealias Row = (ways: [WayFacts], source: PeerFacts.Source, code: Finding.Code, severity: Finding.Severity)

    private static func way(
        _ connection: WayFacts.Connection,
        _ neighbour: Neighbour.State = .unknown,
        heardOn: String? = nil
    ) -> WayFacts { Ways.way(Ways.near, connection, neighbour, heardOn: heardOn) }

    private static let reached = way(.accepted(.milliseconds(3)))
    private static let far = Ways.way("10.1.2.3", .silent, over: "wlan0", network: nil)
    private static let unrouted = Ways.way("10.1.2.3", .unreachable, over: nil, network: nil)

    private static let rows: [Row] = [
        ([reached], .announced, .peerReached, .ok),
        // One address that answers is enough.
        ([way(.silent, .absent), Ways.way("fe80::9", .accepted(.milliseconds(3)))], .announced, .peerReached, .ok),
        ([way(.otherProgram), Ways.way("fe80::9", .accepted(.milliseconds(3)))], .announced, .peerReached, .ok),
        // The kernel repeats what is lost after a second.
        ([way(.accepted(.milliseconds(1018)))], .announced, .peerReached, .note),
        ([way(.accepted(.milliseconds(3), onlySmallPackets: true))], .announced, .peerReached, .note),
        ([way(.refused)], .announced, .portRefused, .problem), ([way(.refused)], .named, .portRefused, .warning),
        // Who is heard listens; something else has refused.
        ([way(.refused, heardOn: "wlan0")], .announced, .portBlocked, .problem),
        // An open port alone proves no peer.
        ([way(.speechless)], .named, .packetsLost, .problem),
        // Packets of any size get lost.
        ([Ways.way(Ways.near, .speechless) { $0.isLossy = true }], .announced, .packetsLost, .problem),
        // Who announces or links a sender is one, whatever answers in its place.
        ([way(.speechless)], .announced, .encryptionBlocked, .problem),
        ([way(.speechless)], .linked, .encryptionBlocked, .problem),
        ([way(.reset)], .linked, .encryptionBlocked, .problem),
        ([way(.reset)], .named, .otherProgram, .problem), ([way(.webPage)], .linked, .signInPage, .problem),
        ([way(.otherProgram)], .announced, .otherProgram, .problem), ([way(.webPage)], .named, .otherProgram, .problem),
        // A network that answers everywhere answers in the place of the machine.
        (
            [
                Ways.way(Ways.near, .webPage) {
                    $0.otherPorts = .init(webAnswers: true, otherAnswers: true, otherOpens: true)
                }
            ],
            .named, .signInPage, .problem
        ),
        ([way(.otherKey)], .linked, .otherKey, .problem), ([way(.forbidden)], .announced, .outgoingBlocked, .problem),
        // Nothing has left this machine, whatever its firewall answers.
        ([way(.silent, .unasked)], .announced, .outgoingBlocked, .problem),
        ([way(.refused, .unasked)], .announced, .outgoingBlocked, .problem),
        ([way(.rejected, .unasked)], .announced, .outgoingBlocked, .problem),
        ([way(.rejected, .present)], .announced, .portBlocked, .problem),
        ([way(.silent, .unasked), Ways.way("fe80::9", .silent, .present)], .announced, .portBlocked, .problem),
        ([way(.silent, .present)], .announced, .portBlocked, .problem),
        ([way(.unreachable, .present)], .announced, .portBlocked, .problem),
        // The neighbour's presence on one address counts for all of them.
        (
            [way(.silent, .absent, heardOn: "wlan0"), Ways.way("fe80::9", .silent, .present)], .announced, .portBlocked,
            .problem
        ),
        ([way(.unreachable, .absent, heardOn: "wlan0")], .announced, .clientIsolation, .problem),
        (
            [way(.silent, .absent), Ways.way("fe80::9", .silent, .absent, heardOn: "wlan0")], .announced,
            .clientIsolation, .problem
        ),
        // Without a packet from the other machine, it may as well be gone.
        ([way(.unreachable, .absent)], .announced, .peerGone, .warning),
        ([way(.unreachable, .absent)], .named, .peerGone, .problem),
        ([way(.silent, heardOn: "wlan0")], .announced, .peerSilent, .problem),
        // Heard from its own address, it is on this link; passed on by a router, it is not.
        ([Ways.way("10.1.2.3", .silent, network: nil, heardOn: "wlan0")], .announced, .otherSubnet, .problem),
        (
            [Ways.way("10.1.2.3", .unreachable, over: nil, network: nil, heardOn: "wlan0")], .named, .otherSubnet,
            .problem
        ),
        ([far], .announced, .peerSilent, .problem), ([far], .named, .peerSilent, .problem),
        ([unrouted], .named, .noRoute, .problem),
        ([unrouted, Ways.way("10.1.2.4", .silent, network: nil)], .named, .peerSilent, .problem),
        // An address in the network of the cable counts more than one of another network.
        ([unrouted, Ways.way("fe80::9", .silent, .absent, heardOn: "wlan0")], .announced, .clientIsolation, .problem),
        ([], .named, .peerSilent, .problem),
    ]

    @Test(arguments: rows.indices) func tellsCausesApart(row: Int) {
        let (ways, source, code, severity) = Self.rows[row]
        let finding = Judgement.findings(of: Ways.facts(ways, source)).last
        #expect(finding?.code == code)
        #expect(finding?.severity == severity)
    }

    private static let laptop = MachineFacts(interfaces: [
        Machine.interface("wlan0", ["192.168.1.7/24", "fe80::7"], isWireless: true),
        Machine.interface("eth0", ["192.168.1.50/24"]),
        Machine.interface("tun0", ["10.8.0.2/24"], kind: .tunnel, isEthernet: false),
        Machine.interface("docker0", ["192.168.1.1/24"], kind: .virtual),
    ])

    /// The interface over which the kernel sends, and what it is blamed for.
    @Test(arguments: [
        ("tun0", Finding.Code.tunnelTakesNetwork), ("docker0", .containersTakeNetwork), ("eth0", .cardTakesNetwork),
        ("wlan0", .portBlocked),
    ])
    func namesWhatTakesThePackets(interface: String, code: Finding.Code) {
        let way = Ways.way(Ways.near, .silent, .present, over: interface, network: "wlan0", heardOn: "wlan0")
        #expect(Judgement.obstacles(Ways.facts([way], on: Self.laptop)) == [code])
    }

    /// The system knows of no address to send from because another machine has the one that it would take.
    @Test func anAddressThatIsADuplicateCannotBeUsed() {
        var wlan = Machine.interface("wlan0", ["192.168.1.7/24"])
        wlan.addresses.append(.init(Machine.address("fe80::7"), prefixLength: 64, state: .duplicate))
        let way = Ways.way("fe80::9", .noOwnAddress)
        let facts = Ways.facts([way], on: MachineFacts(interfaces: [wlan]))
        #expect(Judgement.findings(of: facts).filter { $0.severity == .problem }.map(\.code) == [.duplicateAddress])
    }

    /// Who has an address of this machine cannot be reached there; only the person who typed it can mean this machine.
    @Test(arguments: [
        (PeerFacts.Source.named, Finding.Code.ownAddress), (.announced, .sharedAddress), (.linked, .sharedAddress),
    ])
    func anOwnAddressIsThatOfAnotherMachineIfOneClaimsIt(source: PeerFacts.Source, code: Finding.Code) {
        let shared = PeerFacts.SharedAddress(
            address: Machine.address("192.168.1.7"),
            prefixLength: 24,
            interface: "wlan0"
        )
        let peer = PeerFacts(name: "Anna", source: source, ways: [], shared: [shared])
        #expect(Judgement.obstacles(NetworkFacts(machine: Machine.laptop, peers: [peer])) == [code])
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
}
