/// An error of making or joining a Wi-Fi network: what went wrong, why, and what a person can do about it.
package struct NetworkManagerError: Error, Hashable, Sendable {
    /// The kind of an error, for programs.
    package enum Code: String, Sendable, CaseIterable {
        /// NetworkManager does not run on this machine.
        case noNetworkManager
        /// Networking is switched off in NetworkManager.
        case networkingOff
        /// Wi-Fi is switched off, by software or by a switch.
        case wifiOff
        /// There is no Wi-Fi card.
        case noWiFi
        /// NetworkManager does not manage the card.
        case unmanaged
        /// The card cannot be used now.
        case unavailable
        /// The card cannot be an access point, or cannot encrypt as one.
        case noAccessPointMode
        /// The card cannot use the band or the channel.
        case noChannel
        /// This user does not have the permission.
        case noPermission
        /// No network of that name is within reach.
        case notFound
        /// The password is wrong.
        case wrongPassword
        /// Any other failure.
        case failed
        /// The network was not ready in time.
        case timedOut
        /// The network has ended.
        case ended
    }

    /// The kind of the error.
    package var code: Code

    /// What went wrong, and why.
    package var message: String

    /// What the person can do; nil if nothing helps.
    package var remedy: String?

    package init(_ code: Code, _ message: String, remedy: String? = nil) {
        self.code = code
        self.message = message
        self.remedy = remedy
    }
}

extension NetworkManagerError: CustomStringConvertible {
    /// The code, the message and the remedy on one line.
    package var description: String {
        [code.rawValue + ":", message, remedy].compactMap { $0 }.joined(separator: " ")
    }
}

/// The errors for everything that prevents a Wi-Fi network.
extension NetworkManagerError {
    static let noPermission = NetworkManagerError(
        .noPermission,
        "NetworkManager allows this only in a desktop session, not over ssh.",
        remedy: "Run it in a terminal of the desktop session, or let the other laptop make the network."
    )

    static let noBusAccess = NetworkManagerError(
        .noPermission,
        "The D-Bus system bus does not let this user in, so NetworkManager cannot be asked.",
        remedy: "Run the program as the user of the desktop session."
    )

    static func noAccessPoint(_ interface: String) -> NetworkManagerError {
        NetworkManagerError(
            .noAccessPointMode,
            "The Wi-Fi card \(interface) cannot make a network of its own.",
            remedy: "Use another laptop's network, a phone's hotspot or a cable."
        )
    }

    static func noBand(_ interface: String, _ band: WiFiChannel.Band) -> NetworkManagerError {
        NetworkManagerError(
            .noChannel,
            "The Wi-Fi card \(interface) cannot use \(band.rawValue) GHz.",
            remedy: "Choose the other band, or let the program choose."
        )
    }

    static func otherChannel(_ interface: String, _ neighbour: WiFiDevice) -> NetworkManagerError {
        NetworkManagerError(
            .noChannel,
            "\(interface) shares its radio with \(neighbour.interface), which is connected on a channel that the new network "
                + "cannot use.",
            remedy: "Disconnect it first:  nmcli device disconnect \(neighbour.interface)"
        )
    }

    /// Returns the error for a machine without NetworkManager; the services on the bus show which program manages the network.
    static func noNetworkManager(_ services: Set<String>) -> NetworkManagerError {
        let others = [
            "net.connman": "ConnMan", "net.connman.iwd": "iwd", "org.freedesktop.network1": "systemd-networkd",
        ]
        let other = others.keys.sorted().first(where: services.contains).flatMap { others[$0] }
        let reason = other.map { "; \($0) manages the network here" } ?? ""
        return NetworkManagerError(
            .noNetworkManager,
            "NetworkManager does not run on this machine\(reason). Without it, no Wi-Fi network can be made or joined by a program.",
            // Two programs that manage the same card take it from each other.
            remedy: other.map { "Make or join the network with \($0)." }
                ?? "Make or join the network by hand, or start NetworkManager:  sudo systemctl start NetworkManager"
        )
    }
}

extension NetworkState {
    /// Checks that Wi-Fi is switched on.
    func checkSwitches() throws(NetworkManagerError) {
        guard isNetworkingEnabled else {
            throw NetworkManagerError(
                .networkingOff,
                "Networking is switched off in NetworkManager.",
                remedy: "Switch it on again:  nmcli networking on"
            )
        }
        guard !devices.isEmpty || isWiFiEnabled && isWiFiSwitchOn else { throw switchedOff }
        guard !devices.isEmpty else {
            throw NetworkManagerError(
                .noWiFi,
                "This machine has no Wi-Fi card that NetworkManager knows.",
                remedy: "Use a cable between the machines, or plug in a Wi-Fi adapter."
            )
        }
        guard isWiFiSwitchOn, isWiFiEnabled else { throw switchedOff }
    }

    private var switchedOff: NetworkManagerError {
        isWiFiSwitchOn
            ? NetworkManagerError(
                .wifiOff,
                "Wi-Fi is switched off, for example by aeroplane mode.",
                remedy: "Switch it on:  nmcli radio wifi on"
            )
            : NetworkManagerError(
                .wifiOff,
                "Wi-Fi is switched off by a switch or key of this machine.",
                remedy: "Use the switch, or the key with the aeroplane."
            )
    }

    /// Returns the cards that NetworkManager can use.
    func usableDevices() throws(NetworkManagerError) -> [WiFiDevice] {
        let usable = devices.filter { ![.unknown, .unmanaged, .unavailable].contains($0.state) }
        guard usable.isEmpty, let first = devices.first else { return usable }
        if first.state == .unmanaged {
            throw NetworkManagerError(
                .unmanaged,
                "NetworkManager does not manage \(first.interface).",
                remedy: "Let it use the card:  sudo nmcli device set \(first.interface) managed yes"
            )
        }
        throw NetworkManagerError(
            .unavailable,
            "The Wi-Fi card \(first.interface) is not ready. Its firmware or the program wpa_supplicant may be missing.",
            remedy: "Look at the state:  nmcli device show \(first.interface)"
        )
    }
}
