/// Why a connection was not made, by NetworkManager's reason. (NetworkManager D-Bus API, `NMDeviceStateReason`.)
extension NetworkManagerError {
    static let interrupted = NetworkManagerError(.ended, "The connection to NetworkManager has ended.")

    static let tookTooLong = NetworkManagerError(
        .timedOut,
        "The Wi-Fi network was not ready in time.",
        remedy: "Try again. If it fails again, look at:  journalctl -u NetworkManager"
    )

    /// Translates the reason for which a card has failed.
    init(deviceReason reason: UInt64) {
        switch reason {
        case 7:
            self.init(
                .wrongPassword,
                "The password of the Wi-Fi network is wrong.",
                remedy: "Compare it with the other screen, and try again."
            )
        case 8, 11:
            // If the password is wrong, the access point ends the connection. NetworkManager sees only that end.
            self.init(
                .failed,
                "The Wi-Fi card has lost the network while it connected. The password may be wrong, or the other laptop too far "
                    + "away.",
                remedy: "Compare the password, go nearer, and try again."
            )
        case 9, 10:
            self.init(
                .failed,
                "The Wi-Fi card cannot use this kind of network or this channel, as the rules of the country or its driver say.",
                remedy: "Try another band. 'iw reg get' shows the country for which the card is set."
            )
        case 5, 6, 15, 16, 17:
            self.init(.failed, "The network gives no address to this machine.", remedy: "Try again.")
        case 18, 19:
            self.init(
                .failed,
                "NetworkManager cannot give addresses to other machines: dnsmasq is missing or does not start.",
                remedy: "Install it:  sudo apt install dnsmasq-base"
            )
        case 35:
            self.init(.unavailable, "The firmware of the Wi-Fi card is missing.", remedy: "Install it for this card.")
        case 53:
            self.init(
                .notFound,
                "No Wi-Fi network of that name is within reach.",
                remedy: "Go nearer to the other laptop, and check that it still sends."
            )
        case 39, 60:
            self.init(.ended, "Another program has changed the Wi-Fi.", remedy: "Try again.")
        default:
            self.init(
                .failed,
                "NetworkManager could not set up the Wi-Fi network (reason \(reason)).",
                remedy: "Look at:  journalctl -u NetworkManager"
            )
        }
    }
}
