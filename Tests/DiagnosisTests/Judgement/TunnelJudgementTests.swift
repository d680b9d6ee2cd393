import HostNetwork
import Testing

@testable import Diagnosis

/// A VPN comes before any rule of a firewall, and is never taken back while a machine is not reached.
@Suite struct TunnelJudgementTests {
    private static let machine: MachineFacts = {
        var machine = Machine.laptopWithTunnel
        (machine.internetInterface, machine.firewall) = ("tun0", .nftables)
        return machine
    }()

    private static func echoes(_ fate: MulticastFacts.Echo.Fate) -> MulticastFacts {
        MulticastFacts(echoes: [.init(interface: "wlan0", isIPv6: false, fate: fate)])
    }

    @Test func isANoteAsLongAsNothingIsBlocked() {
        let alone = Judgement.findings(of: NetworkFacts(machine: Self.machine))
        #expect(alone.map(\.code) == [.address, .tunnelActive])
        #expect(alone.map(\.severity) == [.ok, .note])
        let reached = Ways.facts([Ways.way(Ways.near, .accepted(.milliseconds(3)))], on: Self.machine)
        #expect(Judgement.obstacles(reached).isEmpty)
    }

    /// Who is not found or not reached may be behind it.
    @Test func isAWarningIfNobodyIsReached() {
        let nobody = NetworkFacts(machine: Self.machine, multicast: Self.echoes(.returned), isSearched: true)
        #expect(Judgement.obstacles(nobody) == [.tunnelActive])
        let way = Ways.way(Ways.near, .silent, .present)
        #expect(Judgement.obstacles(Ways.facts([way], on: Self.machine)) == [.tunnelActive, .portBlocked])
    }

    /// The kill switch of a VPN looks like a firewall: each rule that is opened shows the next one.
    @Test(arguments: [MulticastFacts.Echo.Fate.lost, .forbidden])
    func isTheCauseIfNothingGetsOutOrIn(fate: MulticastFacts.Echo.Fate) {
        let facts = NetworkFacts(machine: Self.machine, multicast: Self.echoes(fate), isSearched: true)
        #expect(Judgement.obstacles(facts) == [.tunnelBlocks])
        #expect(Judgement.cause(of: facts)?.code == .tunnelBlocks)
    }

    /// When packets to everybody pass, because somebody let them through, connections are still kept back.
    @Test(arguments: [WayFacts.Connection.forbidden, .silent])
    func staysTheCauseWhenOneRuleIsOpened(connection: WayFacts.Connection) {
        let way = Ways.way(Ways.near, connection, .unasked, heardOn: "wlan0")
        var facts = Ways.facts([way], on: Self.machine)
        facts.multicast = Self.echoes(.returned)
        #expect(Judgement.obstacles(facts) == [.tunnelBlocks])
    }

    /// Without the VPN, the same facts are those of a firewall.
    @Test func aFirewallWithoutATunnelIsAFirewall() {
        let facts = NetworkFacts(machine: Machine.laptop, multicast: Self.echoes(.lost), isSearched: true)
        #expect(Judgement.obstacles(facts) == [.multicastBlocked])
        let way = Ways.way(Ways.near, .silent, .unasked)
        #expect(Judgement.obstacles(Ways.facts([way])) == [.outgoingBlocked])
    }
}
