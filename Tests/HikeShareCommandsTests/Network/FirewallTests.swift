import Diagnosis
import PeerCore
import Testing

@testable import HikeShareCommands

@Suite struct FirewallTests {
    @Test func aReceiverWithoutAnAnswerIsToldTheCommandOfEach() {
        let error = PeerError(.cannotConnect, "No answer.", cause: UnansweredConnection(ports: [64_453, 1]))
        let hints = ProblemReport(error).hints.map(\.string)
        #expect(hints.count == Firewall.allCases.count)
        for firewall in Firewall.allCases {
            let command = firewall.command(opening: 64_453)
            #expect(hints.contains { $0.contains(firewall.rawValue) && $0.hasSuffix(command) })
        }
        #expect(ProblemReport(PeerError(.cannotConnect, "Refused.")).hints.isEmpty)
    }

    @Test(
        arguments: [
            (
                .ufw, true,
                "sudo ufw allow in on wlan0 to any port 67 proto udp && sudo ufw allow in on wlan0 to any port 5353 proto udp "
                    + "&& sudo ufw allow in on wlan0 to any port 64453 proto tcp"
            ),
            (
                .ufw, false,
                "sudo ufw allow in on wlan0 to any port 5353 proto udp "
                    + "&& sudo ufw allow in on wlan0 to any port 64453 proto tcp"
            ),
            (.firewalld, true, "sudo firewall-cmd --zone=nm-shared --add-port=64453/tcp --add-service=mdns"),
            (.firewalld, false, "sudo firewall-cmd --add-port=64453/tcp --add-service=mdns"),
            (
                .nftables, true,
                "sudo nft insert rule inet filter input iifname wlan0 udp dport 67 accept "
                    + "&& sudo nft insert rule inet filter input iifname wlan0 udp dport 5353 accept "
                    + "&& sudo nft insert rule inet filter input iifname wlan0 tcp dport 64453 accept"
            ),
            (
                .nftables, false,
                "sudo nft insert rule inet filter input iifname wlan0 udp dport 5353 accept "
                    + "&& sudo nft insert rule inet filter input iifname wlan0 tcp dport 64453 accept"
            ),
        ] as [(Firewall, Bool, String)]
    )
    func aHotspotOpensWhatReceiversNeed(firewall: Firewall, givesAddresses: Bool, command: String) {
        func made(on interface: String?) -> String {
            firewall.command(opening: 64_453, forHotspotOn: interface, givesAddresses: givesAddresses)
        }
        #expect(made(on: "wlan0") == command)
        #expect(made(on: nil) == firewall.command(opening: 64_453))
    }
}
