import Diagnosis
import SharingReports
import Testing

@testable import HikeShareCommands

@Suite struct FirewallTests {
    @Test func whoseFirewallIsNotKnownIsToldTheCommandOfEach() {
        let finding = Finding(.portBlocked, .peers, .problem, "No answer.", command: "x", port: 64_453)
        let advice = DoctorAdvice(for: finding)
        for firewall in Firewall.allCases {
            let commands = firewall.command(opening: 64_453).split(separator: " && ")
            #expect(commands.allSatisfy { advice.commands.contains(String($0)) })
            #expect(advice.remedy?.contains(firewall.rawValue) == true)
        }
    }

    /// Each of them may be run, and each is a line.
    @Test func alternativesAreLinesOfTheirOwn() {
        let finding = Finding(.multicastBlocked, .discovery, .problem, "", command: "a && b; c")
        #expect(DoctorAdvice(for: finding).commands == ["a", "b", "c"])
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
            (
                .iptables, false,
                "sudo iptables -I INPUT -i wlan0 -p udp --dport 5353 -j ACCEPT "
                    + "&& sudo iptables -I INPUT -i wlan0 -p tcp --dport 64453 -j ACCEPT"
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
