import HostNetwork
import SharingReports
import Testing

@testable import Diagnosis
@testable import HikeShareCommands

/// The words and commands of findings, which the judgement does not have.
@Suite struct FindingWordsTests {
    private static let address = IPAddress("192.168.1.9")

    private static func interface(_ name: String, isIPv6Off: Bool = false) -> InterfaceFacts {
        InterfaceFacts(
            name: name,
            index: 2,
            kind: .hardware,
            isIPv6Off: isIPv6Off,
            hardwareAddress: [2, 0, 0, 0, 7, 9]
        )
    }

    private static let place: Finding.Place = {
        var place = Finding.Place(of: PeerFacts(name: "“Anna”", ways: []), at: nil)
        (place.text, place.address, place.port) = ("192.168.1.9:64453", "192.168.1.9", 64_453)
        (place.interface, place.source) = ("wlan0", "192.168.1.7")
        return place
    }()
    private static let otherPort: Finding.Place = {
        var other = place
        other.port = 41_455
        return other
    }()
    private static let store = StoreFacts(path: "/a b", mountPoint: "/it's", free: 0)
    private static let opening = "sudo hikeshare doctor --open-firewall"

    /// What is printed is run.
    @Test(
        arguments: [
            (.interfaceDown(["eth0"]), ["sudo ip link set eth0 up"]), (.radioOff(bySwitch: true), []),
            (.radioOff(bySwitch: false), ["sudo rfkill unblock wifi"]),
            (.noAddress(interface("eth0")), ["sudo ip addr add 169.254.8.9/16 dev eth0"]),
            (
                .noAddress(interface("eth0.7", isIPv6Off: true)),
                ["sudo sysctl -w net/ipv6/conf/eth0.7/disable_ipv6=0"]
            ),
            (.tunnelTakesNetwork(tunnel: "tun0", network: "wlan0"), ["sudo ip link set tun0 down"]),
            (.containersTakeNetwork(bridge: "docker0", network: "wlan0"), ["sudo ip link set docker0 down"]),
            (.cardTakesNetwork(card: "eth0", network: "wlan0"), ["sudo ip link set eth0 down"]),
            // Its rules stay without its interface.
            (.tunnelBlocks("tun0"), []), (.routeRefused(interface: "wlan0", network: "10.0.0.1/8"), []),
            (.multicastOff(interface: "eth0"), ["sudo ip link set eth0 multicast on"]),
            (.multicastBlocked(interface: "wlan0", isOutgoing: false, onlyIPv6: nil), [opening]),
            (.phonesBlocked(interface: "wlan0", isOutgoing: false), [opening + " --port 53317"]), (.phonePortTaken, []),
            (.outgoingBlocked(place), [opening]), (.answersBlocked(place), [opening]),
            (.portBlocked(place, isRejected: false), [opening]),
            (.portBlocked(otherPort, isRejected: false), [opening + " --port 41455"]), (.answersKept(place), [opening]),
            (.otherSubnet(place, own: [], further: "10.0.0.11/24"), ["sudo ip addr add 10.0.0.11/24 dev wlan0"]),
            (.peerSilent(place), ["hikeshare doctor --with 192.168.1.7"]),
            (.otherDirection(own: "fe80::7"), ["hikeshare doctor --with '[fe80::7]:64453'"]),
            (.readOnly(store), [#"sudo mount -o remount,rw '/it'\''s'"#]), (.noPermission(store), ["ls -ld '/a b'"]),
            (.clock, []),
        ] as [(Finding.Kind, [String])]
    )
    func namesTheCommands(kind: Finding.Kind, commands: [String]) {
        #expect(FindingAdvice(for: Finding(kind, .problem)).commands == commands)
    }

    /// A command for the other machine says so, and one for this machine says nothing of the other.
    @Test(arguments: [
        (Finding.Kind.portBlocked(place, isRejected: true), true), (.portBlocked(place, isRejected: false), true),
        (.answersKept(place), true), (.outgoingBlocked(place), false), (.answersBlocked(place), false),
        (.multicastBlocked(interface: "wlan0", isOutgoing: true, onlyIPv6: nil), false),
    ])
    func saysWhereToRunIt(kind: Finding.Kind, isThere: Bool) {
        #expect(FindingAdvice(for: Finding(kind, .problem)).remedy?.contains("Run there:") == isThere)
    }

    /// What was done and did not help is not told again.
    @Test func aFirewallThatWasOpenedIsNotOpenedAgain() {
        let kinds: [Finding.Kind] = [
            .multicastBlocked(interface: "wlan0", isOutgoing: true, onlyIPv6: nil), .outgoingBlocked(Self.place),
            .answersBlocked(Self.place), .incomingBlocked(Self.place),
        ]
        for kind in kinds {
            var finding = Finding(kind, .problem)
            #expect(FindingAdvice(for: finding).commands == [Self.opening])
            finding.isFirewallOpened = true
            #expect(FindingAdvice(for: finding).commands.isEmpty)
            #expect(FindingAdvice(for: finding).remedy?.contains("was opened before") == true)
        }
    }

    /// Where a network keeps machines apart, the way out is the same, whatever it is that it does.
    @Test(arguments: [true, false, nil])
    func aNetworkThatBlocksHasOneRemedy(canMakeNetwork: Bool?) {
        let kinds: [Finding.Kind] = [
            .clientIsolation(Self.place), .signInPage(Self.place), .encryptionBlocked(Self.place),
            .onlyWebPorts(Self.place),
        ]
        let advice = kinds.map { kind in
            var finding = Finding(kind, .problem)
            finding.canMakeNetwork = canMakeNetwork
            return FindingAdvice(for: finding)
        }
        #expect(Set(advice.map(\.remedy)).count == 1)
        #expect(advice.first?.commands == (canMakeNetwork == true ? ["hikeshare send REGION --hotspot"] : []))
        #expect(advice.allSatisfy { $0.window?.contains("hikeshare") == false && $0.window?.contains("--") == false })
    }

    /// A person reads what speaks against a guess; programs read everything.
    @Test func saysWhatSpeaksAgainstIt() {
        let guess = Finding(.portBlocked(Self.place, isRejected: false), .problem, against: [.otherSideUnknown])
        #expect(guess.hint.typed.string.contains("(The other machine has not said what it sees.)"))
        let doubted = Finding(
            .portBlocked(Self.place, isRejected: false),
            .problem,
            for: [.neighbourAnswers],
            against: [.closedPortsAnswer]
        )
        #expect(
            doubted.hint.typed.string.contains("(Seen: the network card with that address answers. But: other ports")
        )
        let known = Finding(.answersBlocked(Self.place), .problem, for: [.otherSide(.halfOpen, .silent)])
        #expect(!known.hint.typed.string.contains("Seen:"))
        let line = DoctorReport(findings: [known]).rendered(as: .json)
        #expect(line.contains(#""for":["#) && !line.contains(#""against":"#))
    }

    /// Who reaches this machine is in no network that keeps its devices apart.
    @Test func aViewRulesIsolationOut() {
        var finding = Finding(.portBlocked(Self.place, isRejected: false), .problem, for: [.neighbourAnswers])
        #expect(finding.message.contains("client isolation"))
        finding.speaksFor = [.otherSide(.none, .reached)]
        #expect(!finding.message.contains("client isolation"))
    }

    @Test func withoutARouteTheNetworksAreNamed() {
        let finding = Finding(.noRoute(Self.place, own: ["192.168.1.7/24 on wlan0"]), .problem)
        #expect(
            finding.message
                == "This machine is on no network that leads to 192.168.1.9. It has 192.168.1.7/24 on wlan0."
        )
    }
}
