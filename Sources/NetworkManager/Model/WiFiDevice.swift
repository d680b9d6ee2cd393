/// A Wi-Fi card.
package struct WiFiDevice: Hashable, Sendable {
    /// The network that a card is in.
    package struct Connection: Hashable, Sendable {
        /// The name of the connection, which is mostly the name of the Wi-Fi network.
        package var name: String
        /// The path of its settings, with which it is made again.
        package var settings: String

        package init(name: String, settings: String) {
            self.name = name
            self.settings = settings
        }
    }

    /// The path of the card on D-Bus.
    package var path: String
    /// The name of its interface, such as `wlan0`.
    package var interface: String
    package var state: DeviceState
    package var capabilities: WiFiCapabilities
    /// The radio of the card, such as `phy0`; nil if that is not known.
    ///
    /// Two interfaces can share one.
    package var radio: String?
    /// The network that the card is in; nil for none.
    package var connection: Connection?
    /// The name of the Wi-Fi network that the card is in; nil if there is none, or if that is not known.
    package var networkName: String?
    /// The frequency of that network in MHz; nil if there is none, or if that is not known.
    package var frequency: UInt32?

    package init(
        path: String,
        interface: String,
        state: DeviceState,
        capabilities: WiFiCapabilities,
        radio: String? = nil,
        connection: Connection? = nil,
        networkName: String? = nil,
        frequency: UInt32? = nil
    ) {
        self.path = path
        self.interface = interface
        self.state = state
        self.capabilities = capabilities
        self.radio = radio
        self.connection = connection
        self.networkName = networkName
        self.frequency = frequency
    }
}
