import DBus
import Testing

@testable import NetworkManager

/// What NetworkManager is told, word by word.
///
/// The tests run as root, so there are no permissions among it, which limit a connection to its user.
@Suite struct SettingsTests {
    private static let security: [String: DBusValue] = [
        "key-mgmt": .string("wpa-psk"), "proto": .strings(["rsn"]), "pairwise": .strings(["ccmp"]),
        "group": .strings(["ccmp"]), "psk": .string("mk4t-9rwb-x7hq"),
    ]

    private static let connection: [String: DBusValue] = [
        "id": .string("hikeshare-7K3M"), "type": .string("802-11-wireless"), "autoconnect": .boolean(false),
    ]

    @Test(
        arguments: [
            (.band2GHz, true, "bg", 6, "shared"), (.band5GHz, true, "a", 36, "shared"),
            (.band2GHz, false, "bg", 6, "disabled"),
        ] as [(WiFiChannel.Band, Bool, String, UInt32, String)]
    )
    func aHotspot(band: WiFiChannel.Band, hasDnsmasq: Bool, name: String, channel: UInt32, method: String) throws {
        let state = Sample.state(Sample.device())
        let plan = try HotspotPlan(state, hasDnsmasq: hasDnsmasq, wishes: .init(band: band))
        let settings = plan.settings(named: "hikeshare-7K3M", password: "mk4t-9rwb-x7hq")
        #expect(
            settings == [
                "connection": Self.connection,
                "802-11-wireless": [
                    "ssid": .bytes(Array("hikeshare-7K3M".utf8)), "mode": .string("ap"), "band": .string(name),
                    "channel": .uint32(channel),
                ],
                "802-11-wireless-security": Self.security,
                "ipv4": ["method": .string(method)],
                "ipv6": ["method": .string("link-local")],
            ]
        )
    }

    @Test func joining() {
        #expect(
            JoinPlan.settings(named: "hikeshare-7K3M", password: "mk4t-9rwb-x7hq") == [
                "connection": Self.connection,
                "802-11-wireless": [
                    "ssid": .bytes(Array("hikeshare-7K3M".utf8)), "mode": .string("infrastructure"),
                    "hidden": .boolean(true),
                ],
                "802-11-wireless-security": Self.security,
                "ipv4": [
                    "method": .string("auto"), "never-default": .boolean(true), "ignore-auto-dns": .boolean(true),
                ],
                "ipv6": ["method": .string("link-local"), "never-default": .boolean(true)],
            ]
        )
    }
}
