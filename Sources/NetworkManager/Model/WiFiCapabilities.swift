/// What a Wi-Fi card can do. (NetworkManager D-Bus API, `NMDeviceWifiCapabilities`.)
package struct WiFiCapabilities: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// It can encrypt as WPA2 demands.
    package static let ccmp = WiFiCapabilities(rawValue: 0x8)
    /// It can use WPA2.
    package static let rsn = WiFiCapabilities(rawValue: 0x20)
    /// It can be an access point.
    package static let accessPoint = WiFiCapabilities(rawValue: 0x40)
    /// The bits of the bands say something.
    package static let knowsBands = WiFiCapabilities(rawValue: 0x100)
    /// It can use the band of 2.4 GHz.
    package static let band2GHz = WiFiCapabilities(rawValue: 0x200)
    /// It can use the band of 5 GHz.
    package static let band5GHz = WiFiCapabilities(rawValue: 0x400)
}
