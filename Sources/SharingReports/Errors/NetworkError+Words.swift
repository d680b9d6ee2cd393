import NetworkManager
package import RegionSharing
import Sentences

extension NetworkError: WordedError {
    package var words: CommandError {
        switch self {
        case .nobodyToAsk(let current):
            CommandError(
                .noTerminal,
                "This laptop would leave the Wi-Fi network “\(current)”, and there is no terminal to ask you first.",
                typed: "Add --yes to leave it."
            )
        case .notMade: CommandError(.declined, "No Wi-Fi network was made, and nothing was sent.")
        case .notJoined: CommandError(.declined, "The Wi-Fi network was not joined; nothing was received.")
        case .noneInReach:
            CommandError(
                .noPeerFound,
                "No Wi-Fi network of a sender is within reach.",
                typed: "Run 'hikeshare send REGION --hotspot' on the other laptop, go nearer, and try again.",
                window:
                    "On the other laptop, choose “Send …” and “Make a Wi-Fi network with this laptop”, go nearer, and try again."
            )
        case .noneChosen: CommandError(.declined, "No network was chosen; nothing was received.")
        case .noPassword: CommandError(.declined, "No password was given; nothing was received.")
        case .noAddresses(.noDnsmasq):
            CommandError(
                .network,
                "Phones could not open the page: they get no address in the Wi-Fi network, because dnsmasq is missing.",
                remedy: "Install it:  sudo apt install dnsmasq-base"
            )
        case .noAddresses(.uplink(let interface)):
            CommandError(
                .network,
                "Phones could not open the page: they get no address in the Wi-Fi network, because this laptop does not "
                    + "share its connection \(interface).",
                typed: "Add --share-internet to share it, or disconnect \(interface).",
                window: "Disconnect \(interface)."
            )
        case .noIPv4(let name):
            CommandError(
                .network,
                "The Wi-Fi network \(name) has no IPv4 address, which phones need to open the page.",
                typed: "Send again without --web.",
                window: "Send again without the page for phones."
            )
        case .ended(let name):
            CommandError(
                .network,
                "The Wi-Fi network \(name) has ended, because another program has changed the Wi-Fi, or it was switched off.",
                typed: "Send again with --hotspot. Receivers keep their partial files and resume.",
                window: "Send again. Receivers keep their partial files and resume."
            )
        }
    }
}
