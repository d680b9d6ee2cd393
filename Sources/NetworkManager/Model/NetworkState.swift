/// The state of a machine's networks, as NetworkManager reports it.
package struct NetworkState: Hashable, Sendable {
    /// Whether something is allowed. (NetworkManager D-Bus API, `GetPermissions`.)
    package enum Permission: String, Hashable, Sendable {
        case yes
        case no
        /// Only after the password of an administrator.
        case auth
    }

    /// The version of NetworkManager.
    package var version: String
    /// Whether NetworkManager may use the network at all.
    package var isNetworkingEnabled: Bool
    /// Whether Wi-Fi is switched on by software.
    package var isWiFiEnabled: Bool
    /// Whether Wi-Fi is switched on by the switch or key of the machine.
    package var isWiFiSwitchOn: Bool
    /// The Wi-Fi cards.
    package var devices: [WiFiDevice]
    /// The interfaces with a default route, which lead to other networks such as the internet.
    package var uplinks: [String]
    /// Whether this user may make a Wi-Fi network with a password.
    package var sharing: Permission

    package init(
        version: String,
        isNetworkingEnabled: Bool = true,
        isWiFiEnabled: Bool = true,
        isWiFiSwitchOn: Bool = true,
        devices: [WiFiDevice],
        uplinks: [String] = [],
        sharing: Permission = .yes
    ) {
        self.version = version
        self.isNetworkingEnabled = isNetworkingEnabled
        self.isWiFiEnabled = isWiFiEnabled
        self.isWiFiSwitchOn = isWiFiSwitchOn
        self.devices = devices
        self.uplinks = uplinks
        self.sharing = sharing
    }
}
