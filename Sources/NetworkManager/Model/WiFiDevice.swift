/// A Wi-Fi card.
package struct WiFiDevice: Hashable, Sendable {
    /// The network that a card is in.
    package struct Connection: Hashable, Sendable {
        /// The name of the connection, usually that of the Wi-Fi network.
        package var name: String
        /// The path of its settings, from which NetworkManager makes it again.
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
    package var state: State
    package var capabilities: Capabilities
    /// The radio of the card, such as `phy0`; nil if it is not known.
    ///
    /// Two interfaces can share a radio.
    package var radio: String?
    /// The network that the card is in; nil for none.
    package var connection: Connection?
    /// The name of the Wi-Fi network that the card is in; nil if there is none, or if that is not known.
    package var networkName: String?
    /// The frequency of that network in MHz; nil if there is none, or if that is not known.
    package var frequency: UInt32?
    /// The bit rate at which the card sends now, in kbit/s; nil if that is not known.
    package var bitRate: Int?

    package init(
        path: String,
        interface: String,
        state: State,
        capabilities: Capabilities,
        radio: String? = nil,
        connection: Connection? = nil,
        networkName: String? = nil,
        frequency: UInt32? = nil,
        bitRate: Int? = nil
    ) {
        self.path = path
        self.interface = interface
        self.state = state
        self.capabilities = capabilities
        self.radio = radio
        self.connection = connection
        self.networkName = networkName
        self.frequency = frequency
        self.bitRate = bitRate
    }
}

extension WiFiDevice {
    /// What a Wi-Fi card can do. (NetworkManager D-Bus API, `NMDeviceWifiCapabilities`.)
    package struct Capabilities: OptionSet, Hashable, Sendable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) { self.rawValue = rawValue }

        /// It can encrypt with AES, which WPA2 requires.
        package static let ccmp = Capabilities(rawValue: 0x8)
        /// It can use WPA2.
        package static let rsn = Capabilities(rawValue: 0x20)
        /// It can be an access point.
        package static let accessPoint = Capabilities(rawValue: 0x40)
        /// The bits of the bands are valid.
        package static let knowsBands = Capabilities(rawValue: 0x100)
        /// It can use the band of 2.4 GHz.
        package static let band2GHz = Capabilities(rawValue: 0x200)
        /// It can use the band of 5 GHz.
        package static let band5GHz = Capabilities(rawValue: 0x400)
    }
}

extension WiFiDevice {
    /// The state of a network card. (NetworkManager D-Bus API, `NMDeviceState`.)
    package enum State: UInt32, Hashable, Sendable {
        case unknown = 0
        /// NetworkManager does not manage the card.
        case unmanaged = 10
        /// The card cannot be used: no radio, no firmware, or no wpa_supplicant.
        case unavailable = 20
        case disconnected = 30
        case prepare = 40
        case configuring = 50
        case needsSecrets = 60
        case configuringAddresses = 70
        case checkingAddresses = 80
        case waitingForSecondaries = 90
        case connected = 100
        case deactivating = 110
        case failed = 120

        /// Whether the card is connected, or about to be.
        package var isInUse: Bool { rawValue >= State.prepare.rawValue && self != .failed }
    }
}

/// A Wi-Fi network within reach.
package struct AccessPoint: Hashable, Sendable {
    /// The name of the network, if it is text.
    package var name: String
    /// The strength of its signal in percent.
    package var strength: UInt8

    package init(name: String, strength: UInt8) {
        self.name = name
        self.strength = strength
    }
}

extension WiFiChannel {
    /// A band of radio frequencies.
    package enum Band: String, Hashable, Sendable, CaseIterable {
        /// 2.4 GHz, which every card has.
        case band2GHz = "2.4"
        /// 5 GHz, which is faster and reaches less far.
        case band5GHz = "5"
    }
}
