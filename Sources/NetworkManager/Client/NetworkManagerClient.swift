import DBus
import Glibc
import HostNetwork

/// The part of NetworkManager's D-Bus API that hotspots need.
///
/// For example:
///
/// ```swift
/// try await NetworkManagerClient.with { client in
///     let plan = try HotspotPlan(try await client.state(), hasDnsmasq: NetworkManagerClient.hasDnsmasq)
///     try await client.withHotspot(plan, named: "trail-1", password: password) { hotspot in … }
/// }
/// ```
package struct NetworkManagerClient: Sendable {
    static let service = "org.freedesktop.NetworkManager"
    static let path = "/org/freedesktop/NetworkManager"

    let bus: DBusConnection

    /// Connects to NetworkManager, calls `body` and ends the connection, and with it the networks that were made through it.
    package static func with<Result>(
        bus address: String? = nil,
        _ body: (NetworkManagerClient) async throws -> Result
    ) async throws -> Result {
        do {
            return try await DBusConnection.withSystemBus(at: address) { bus in
                let services = try await bus.services()
                guard services.contains(service) else { throw NetworkManagerError.noNetworkManager(services) }
                return try await body(NetworkManagerClient(bus: bus))
            }
        } catch let error as DBusError {
            throw NetworkManagerError(error)
        }
    }

    /// Whether dnsmasq is installed, with which NetworkManager gives addresses to other machines.
    package static var hasDnsmasq: Bool {
        let places: [String] = ["/usr/sbin", "/usr/local/sbin", "/sbin", "/usr/bin"]
        return places.contains { access($0 + "/dnsmasq", X_OK) == 0 }
    }

    /// Reads the state of the machine.
    package func state() async throws(NetworkManagerError) -> NetworkState {
        try await state(defaultRoutes: DefaultRoutes.ofIPv4() + DefaultRoutes.ofIPv6())
    }

    /// Reads the state of a machine whose kernel has default routes over some interfaces.
    func state(defaultRoutes: [String]) async throws(NetworkManagerError) -> NetworkState {
        let properties = try await self.properties(at: Self.path, in: "")
        let connections = try await activeConnections(properties)
        var devices: [WiFiDevice] = []
        var interfaces: [String: String] = [:]
        // In NetworkManager 1.42, `Devices` has only real cards, and a machine has a few. The limit bounds the calls.
        for path in (properties["Devices"]?.elements ?? []).compactMap(\.text).prefix(Self.maximumDevices) {
            // A card that is unplugged in the meantime is skipped.
            guard let device = try? await self.properties(at: path, in: ".Device") else { continue }
            interfaces[path] = device["Interface"]?.text
            guard device["DeviceType"]?.unsigned == Self.wifiType else { continue }
            if let wifi = try? await wifiDevice(path, device, connections) { devices.append(wifi) }
        }
        let uplinks = connections.filter(\.isDefault).flatMap(\.devices).compactMap { interfaces[$0] }
        var known: Set<String> = []
        return NetworkState(
            version: properties["Version"]?.text ?? "",
            isNetworkingEnabled: properties["NetworkingEnabled"]?.flag ?? true,
            isWiFiEnabled: properties["WirelessEnabled"]?.flag ?? true,
            isWiFiSwitchOn: properties["WirelessHardwareEnabled"]?.flag ?? true,
            devices: devices,
            uplinks: (uplinks + defaultRoutes).filter { known.insert($0).inserted },
            sharing: try await sharingPermission()
        )
    }

    private static let wifiType: UInt64 = 2
    private static let maximumDevices = 100

    private func wifiDevice(
        _ path: String,
        _ device: [String: DBusValue],
        _ connections: [ActiveConnection]
    ) async throws(NetworkManagerError) -> WiFiDevice? {
        guard let interface = device["Interface"]?.text else { return nil }
        let wireless = try await properties(at: path, in: ".Device.Wireless")
        let active = connections.first { $0.devices.contains(path) && !$0.settings.isEmpty }
        var (networkName, frequency): (String?, UInt32?)
        if let path = wireless["ActiveAccessPoint"]?.text, path != "/" {
            let point = try? await properties(at: path, in: ".AccessPoint")
            networkName = point?["Ssid"]?.data.flatMap { String(validating: $0, as: UTF8.self) }
            frequency = point?["Frequency"]?.unsigned.flatMap { UInt32(exactly: $0) }
        }
        return WiFiDevice(
            path: path,
            interface: interface,
            state: device["State"]?.unsigned.flatMap { UInt32(exactly: $0) }.flatMap(WiFiDevice.State.init) ?? .unknown,
            capabilities: WiFiDevice.Capabilities(
                rawValue: UInt32(truncatingIfNeeded: wireless["WirelessCapabilities"]?.unsigned ?? 0)
            ),
            radio: Self.radio(of: interface),
            connection: active.map { WiFiDevice.Connection(name: $0.name, settings: $0.settings) },
            networkName: networkName,
            frequency: frequency,
            bitRate: wireless["Bitrate"]?.unsigned.flatMap { Int(exactly: $0) }.flatMap { $0 > 0 ? $0 : nil }
        )
    }

    /// The properties of an active connection that matter here.
    private struct ActiveConnection {
        var name: String
        var settings: String
        var devices: [String]
        var isDefault: Bool
    }

    private func activeConnections(
        _ manager: [String: DBusValue]
    ) async throws(NetworkManagerError) -> [ActiveConnection] {
        var connections: [ActiveConnection] = []
        let paths = (manager["ActiveConnections"]?.elements ?? []).compactMap(\.text)
        for path in paths.prefix(Self.maximumDevices) {
            guard let active = try? await properties(at: path, in: ".Connection.Active") else { continue }
            connections.append(
                ActiveConnection(
                    name: active["Id"]?.text ?? "",
                    settings: active["Connection"]?.text ?? "",
                    devices: (active["Devices"]?.elements ?? []).compactMap(\.text),
                    isDefault: active["Default"]?.flag == true || active["Default6"]?.flag == true
                )
            )
        }
        return connections
    }

    private func sharingPermission() async throws(NetworkManagerError) -> NetworkState.Permission {
        let permissions = try await call("GetPermissions", at: Self.path, in: "").first?.members ?? [:]
        let sharing = permissions["org.freedesktop.NetworkManager.wifi.share.protected"]?.text
        return sharing.flatMap(NetworkState.Permission.init) ?? .auth
    }

    /// The name of a card's radio in sysfs.
    private static func radio(of interface: String) -> String? {
        // An interface has at most 15 characters, none of which is a slash. (netdevice(7))
        guard (1...15).contains(interface.utf8.count), !interface.contains("/") else { return nil }
        var buffer = [CChar](repeating: 0, count: 256)
        let count = readlink("/sys/class/net/\(interface)/phy80211", &buffer, buffer.count)
        guard count > 0 else { return nil }
        let target = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return target.split(separator: "/").last.map(String.init)
    }
}
