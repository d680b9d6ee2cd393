import DBus
import Glibc

/// NetworkManager's settings for a hotspot. (nm-settings-dbus(5).)
extension HotspotPlan {
    /// Returns the settings.
    func settings(named name: String, password: String) -> [String: [String: DBusValue]] {
        var settings = WiFiSettings.common(named: name, password: password)
        settings["802-11-wireless"]?.merge([
            "mode": .string("ap"),
            "band": .string(channel.band == .band2GHz ? "bg" : "a"),
            "channel": .uint32(channel.number),
        ]) { $1 }
        // With "shared", NetworkManager chooses the range of IPv4 addresses.
        settings["ipv4"] = ["method": .string(addresses == .shared ? "shared" : "disabled")]
        return settings
    }
}

/// NetworkManager's settings for joining a hotspot.
enum JoinPlan {
    /// Returns the settings.
    static func settings(named name: String, password: String) -> [String: [String: DBusValue]] {
        var settings = WiFiSettings.common(named: name, password: password)
        settings["802-11-wireless"]?.merge([
            "mode": .string("infrastructure"),
            // The card asks for the network by its name, so it can join before a scan has found the network.
            "hidden": .boolean(true),
        ]) { $1 }
        // The network leads nowhere else, and its name server knows no names. Traffic to the internet must keep its route.
        settings["ipv4"] = [
            "method": .string("auto"), "never-default": .boolean(true), "ignore-auto-dns": .boolean(true),
        ]
        settings["ipv6"]?["never-default"] = .boolean(true)
        return settings
    }
}

/// The settings that making and joining have in common.
private enum WiFiSettings {
    static func common(named name: String, password: String) -> [String: [String: DBusValue]] {
        [
            "connection": [
                "id": .string(name),
                "type": .string("802-11-wireless"),
                // The network lasts as long as the program, so the card must not join it by itself later.
                "autoconnect": .boolean(false),
            ].merging(permissions) { $1 },
            "802-11-wireless": ["ssid": .bytes(Array(name.utf8))],
            "802-11-wireless-security": [
                "key-mgmt": .string("wpa-psk"),
                // WPA2 with AES only: neither WPA1 nor TKIP.
                "proto": .strings(["rsn"]),
                "pairwise": .strings(["ccmp"]),
                "group": .strings(["ccmp"]),
                "psk": .string(password),
            ],
            // Two laptops need no more than link-local addresses, and these need no DHCP.
            "ipv6": ["method": .string("link-local")],
        ]
    }

    /// Limits the connection to this user, because NetworkManager then asks for no administrator.
    private static var permissions: [String: DBusValue] {
        guard getuid() != 0, let name = getpwuid(getuid())?.pointee.pw_name else { return [:] }
        return ["permissions": .strings(["user:\(String(cString: name)):"])]
    }
}
