import HostNetwork
import Testing

@testable import Diagnosis

/// What is said of packets to everybody, and of machines that are not listed.
@Suite struct DiscoveryJudgementTests {
    private typealias Fate = MulticastFacts.Echo.Fate

    private static let echoes: [(v4: Fate, v6: Fate, codes: [Finding.Code], severities: [Finding.Severity])] = [
        (.returned, .returned, [.multicast], [.ok]), (.returned, .untested, [.multicast], [.ok]),
        (.returned, .lost, [.multicast, .multicastBlocked], [.ok, .note]),
        (.forbidden, .returned, [.multicast, .multicastBlocked], [.ok, .note]),
        (.lost, .lost, [.multicastBlocked], [.problem]), (.lost, .untested, [.multicastBlocked], [.problem]),
        (.forbidden, .lost, [.multicastBlocked], [.problem]), (.untested, .untested, [], []),
    ]

    @Test(arguments: echoes.indices) func judgesEchoes(row: Int) {
        let (v4, v6, codes, severities) = Self.echoes[row]
        let multicast = MulticastFacts(echoes: [
            .init(interface: "wlan0", isIPv6: false, fate: v4), .init(interface: "wlan0", isIPv6: true, fate: v6),
            // An interface that does not count.
            .init(interface: "docker0", isIPv6: false, fate: .lost),
        ])
        let findings = Judgement.findings(of: NetworkFacts(machine: Machine.laptop, multicast: multicast))
            .filter { $0.subject == .discovery }
        #expect(findings.map(\.code) == codes)
        #expect(findings.map(\.severity) == severities)
    }

    @Test func multicastMayBeSwitchedOff() {
        let machine = MachineFacts(interfaces: [Machine.interface("eth0", ["10.0.0.1/8"], hasMulticast: false)])
        #expect(Judgement.obstacles(NetworkFacts(machine: machine, multicast: MulticastFacts())) == [.multicastOff])
    }

    private static func facts(
        _ multicast: MulticastFacts,
        avahi: AvahiFacts = AvahiFacts(state: .running)
    ) -> NetworkFacts {
        NetworkFacts(machine: Machine.laptop, avahi: avahi, multicast: multicast, isSearched: true)
    }

    @Test func whoAnswersAndIsNotListedIsNamed() {
        let voice = MulticastFacts.Voice(interface: "wlan0", address: Machine.address(Ways.near))
        let heard = MulticastFacts(voices: [voice], announcers: [voice])
        let address = Machine.address(Ways.near)
        #expect(Judgement.findings(of: Self.facts(heard)).last?.kind == .avahiTrouble(.unaware([address])))
        #expect(Judgement.findings(of: Self.facts(MulticastFacts())).last?.kind == .noPeers)
        // This machine's own announcement.
        let own = MulticastFacts.Voice(interface: "wlan0", address: Machine.address("192.168.1.7"))
        #expect(Judgement.findings(of: Self.facts(MulticastFacts(announcers: [own]))).last?.kind == .noPeers)
        // What keeps Avahi from working explains it.
        let stopped = Self.facts(heard, avahi: AvahiFacts(state: .stopped))
        #expect(Judgement.findings(of: stopped).last?.kind == .noPeers)
        #expect(Judgement.obstacles(stopped) == [.avahiStopped])
    }

    /// Machines that only answer when they are asked directly are found all the same.
    @Test func anAnswerToADirectQuestionIsANote() {
        var multicast = MulticastFacts()
        multicast.directAnnouncers = [.init(interface: "wlan0", address: Machine.address(Ways.near))]
        let finding = Judgement.findings(of: Self.facts(multicast)).first { $0.code == .multicastLost }
        #expect(finding?.kind == .multicastLost([Ways.near]))
        #expect(finding?.severity == .note)
    }

    /// Who is found without Avahi and reached shows that sharing works; that this machine is not found may still matter.
    @Test func aPeerThatIsReachedOutweighsWhatWouldKeepItAway() {
        let reached = Ways.way(Ways.near, .accepted(.milliseconds(3)))
        var facts = Ways.facts([reached])
        facts.avahi = AvahiFacts(state: .running, interfaces: ["lo"])
        facts.multicast = MulticastFacts(echoes: [.init(interface: "wlan0", isIPv6: false, fate: .lost)])
        facts.isSearched = true
        #expect(Judgement.findings(of: facts).allSatisfy { $0.severity < .problem })
        // What Avahi has found there proves that it works there.
        facts.multicast = MulticastFacts(echoes: [.init(interface: "wlan0", isIPv6: false, fate: .returned)])
        facts.peersOn = ["wlan0"]
        #expect(Judgement.obstacles(facts).isEmpty)
    }

    @Test func anActiveFirewallIsANote() {
        #expect(Judgement.firewall(.ufw, port: 64_453).severity == .note)
        #expect(Judgement.firewall(nil, port: 64_453).severity == .ok)
    }
}
