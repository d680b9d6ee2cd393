@testable import NetworkManager

/// Cards and states for tests.
enum Sample {
    static let able: WiFiDevice.Capabilities = [.accessPoint, .ccmp, .rsn, .knowsBands, .band2GHz, .band5GHz]

    static func device(
        _ interface: String = "wlan0",
        _ state: WiFiDevice.State = .disconnected,
        _ capabilities: WiFiDevice.Capabilities = able,
        radio: String? = nil,
        frequency: UInt32? = nil
    ) -> WiFiDevice {
        WiFiDevice(
            path: "/devices/" + interface,
            interface: interface,
            state: state,
            capabilities: capabilities,
            radio: radio,
            connection: state.isInUse ? .init(name: "Home", settings: "/settings/1") : nil,
            frequency: frequency
        )
    }

    static func state(
        _ devices: WiFiDevice...,
        uplinks: [String] = [],
        sharing: NetworkState.Permission = .yes
    ) -> NetworkState {
        NetworkState(version: "1.42.4", devices: devices, uplinks: uplinks, sharing: sharing)
    }
}
