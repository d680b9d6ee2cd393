import HostNetwork
import Testing

@testable import Diagnosis

/// Causes that look the same from one side, and what the other machine or the kernel says to tell them apart.
@Suite struct BothSidesTests {
    private static let card: [UInt8] = [2, 0, 0, 0, 0, 1]
    private static let otherCard: [UInt8] = [2, 0, 0, 0, 0, 9]

    private static func view(_ arrivals: PeerView.Arrivals, _ back: PeerView.Back?) -> PeerView {
        PeerView(arrivals: arrivals, back: back, hardwareAddress: card)
    }

    /// The same silence, with the machine in the network, whose cause the other machine knows.
    @Test(arguments: [
        (view(.halfOpen, .silent), Finding.Code.answersBlocked), (view(.halfOpen, nil), .answersBlocked),
        (view(.halfOpen, .kept), .answersKept), (view(.none, .kept), .answersKept), (view(.none, .noRoute), .noWayBack),
        (view(.none, .reached), .portBlocked), (view(.none, .silent), .clientIsolation),
        (view(.none, nil), .portBlocked),
        (view(.accepted, .reached), .portBlocked),
    ])
    func theOtherMachineKnowsWhy(view: PeerView, code: Finding.Code) {
        let way = Ways.way(Ways.near, .silent, .present, heardOn: "wlan0")
        #expect(Judgement.obstacles(Ways.facts([way], view: view)) == [code])
    }

    /// What this machine keeps back itself is known without the other one, whose view cannot say otherwise.
    @Test(arguments: [nil, view(.none, .reached), view(.none, .silent)])
    func whatIsKeptBackHereIsBlamedHere(view: PeerView?) {
        let way = Ways.way(Ways.near, .silent, .present) { $0.isKeptBack = true }
        #expect(Judgement.obstacles(Ways.facts([way], view: view)) == [.outgoingBlocked])
    }

    /// Packets have left, so the entry that the kernel lacks is no proof.
    @Test func whatHasLeftIsNotKeptBack() {
        let way = Ways.way(Ways.near, .silent, .unasked) { $0.isKeptBack = false }
        #expect(Judgement.obstacles(Ways.facts([way])) == [.peerSilent])
        // Its packets arrive there.
        let unasked = Ways.way(Ways.near, .silent, .unasked)
        #expect(Judgement.obstacles(Ways.facts([unasked], view: Self.view(.halfOpen, .silent))) == [.answersBlocked])
    }

    /// A firewall of this machine drops what the other one tries, so that its silence says nothing of the network.
    @Test func ownFirewallExplainsThatTheOtherMachineDoesNotReachThisOne() {
        var machine = Machine.laptop
        machine.firewall = .ufw
        let way = Ways.way(Ways.near, .silent, .present, heardOn: "wlan0")
        let facts = Ways.facts([way], view: Self.view(.none, .silent), on: machine)
        let finding = Judgement.findings(of: facts).last
        #expect(finding?.code == .portBlocked)
        #expect(finding?.speaksAgainst.contains(.firewallHere(.ufw)) == true)
    }

    /// Neither reaches the other, and both hear each other: the network, unless the other machine itself answers where it is.
    @Test func aNetworkThatIsolatesIsKnownByWhoAnswersWhereTheMachineIs() {
        func code(_ neighbour: Neighbour.State, _ card: [UInt8], answers: Bool = true) -> Finding.Code? {
            let way = Ways.way(Ways.near, .silent, neighbour, heardOn: "wlan0") {
                ($0.hardwareAddress, $0.answersDirectly) = (card, answers)
            }
            return Judgement.obstacles(Ways.facts([way], view: Self.view(.none, .silent))).first
        }
        #expect(code(.absent, []) == .clientIsolation)
        #expect(code(.unknown, [], answers: false) == .clientIsolation)
        #expect(code(.present, Self.otherCard) == .clientIsolation)
        #expect(code(.present, Self.card) == .portBlocked)
        // What crosses the network only as broadcast.
        #expect(code(.present, Self.card, answers: false) == .clientIsolation)
    }

    /// The same refusal, of another machine, of a firewall there, or of this machine.
    @Test func whoRefusesIsKnownByTheCard() {
        func codes(_ answering: [UInt8], isKept: Bool? = nil) -> [Finding.Code] {
            let way = Ways.way(Ways.near, .refused, .present, heardOn: "wlan0") {
                ($0.hardwareAddress, $0.isKeptBack) = (answering, isKept)
            }
            return Judgement.obstacles(Ways.facts([way], view: Self.view(.none, .reached)))
        }
        #expect(codes(Self.otherCard) == [.addressTaken])
        #expect(codes(Self.card) == [.portBlocked])
        #expect(codes([]) == [.portBlocked])
        #expect(codes(Self.card, isKept: true) == [.outgoingBlocked])
    }

    /// The same silence, of a firewall or of a network that lets only web pages through.
    @Test(arguments: [nil, view(.none, .silent)])
    func aNetworkForWebPagesIsKnownByItsPorts(view: PeerView?) {
        func code(_ ports: WayFacts.OtherPorts?) -> Finding.Code? {
            let way = Ways.way(Ways.near, .silent, .present, heardOn: "wlan0") {
                ($0.otherPorts, $0.answersDirectly) = (ports, true)
            }
            return Judgement.obstacles(Ways.facts([way], view: view)).first
        }
        #expect(code(.init(webAnswers: true, otherAnswers: false)) == .onlyWebPorts)
        #expect(code(.init(webAnswers: false, otherAnswers: false)) == .portBlocked)
        #expect(code(.init(webAnswers: true, otherAnswers: true)) == .portBlocked)
        #expect(code(nil) == .portBlocked)
    }

    /// Whoever has not said what it sees may be the one to blame, so that is said.
    @Test func withoutTheOtherMachineTheCauseIsAGuess() {
        let way = Ways.way(Ways.near, .silent, .present)
        let alone = Judgement.findings(of: Ways.facts([way])).last
        #expect(alone?.speaksAgainst == [.otherSideUnknown])
        let heard = Judgement.findings(of: Ways.facts([way], view: Self.view(.none, .reached))).last
        #expect(heard?.speaksFor == [.otherSide(.none, .reached)])
        #expect(heard?.speaksAgainst.isEmpty == true)
    }
}
