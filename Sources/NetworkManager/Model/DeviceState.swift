/// The state of a network card. (NetworkManager D-Bus API, `NMDeviceState`.)
package enum DeviceState: UInt32, Hashable, Sendable {
    case unknown = 0
    /// NetworkManager leaves the card alone.
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
    package var isInUse: Bool { rawValue >= DeviceState.prepare.rawValue && self != .failed }
}
