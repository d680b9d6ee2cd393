import DBus
import DBusTestSupport
import PeerTestSupport
import Testing

@testable import NetworkManager

/// What is read of a NetworkManager that says what a test wants.
@Suite(.timeLimit(.minutes(10))) struct StateTests {
    private func state(of fake: FakeNetworkManager, defaultRoutes: [String] = []) async throws -> NetworkState {
        try await fake.run { _, address in
            try await NetworkManagerClient.with(bus: address) { try await $0.state(defaultRoutes: defaultRoutes) }
        }
    }

    private static func permitting(_ value: DBusValue?) -> FakeNetworkManager {
        FakeNetworkManager { call in
            guard call.member == "GetPermissions", let value else { return nil }
            let entry = DBusValue.Entry(
                key: .string("org.freedesktop.NetworkManager.wifi.share.protected"),
                value: value
            )
            return .values([.dictionary([entry], key: "s", value: value.typeSignature)])
        }
    }

    @Test func everythingIsRead() async throws {
        let fake = Self.permitting(.string("auth"))
        fake.set(
            FakeNetworkManager.path,
            "",
            [
                "Version": .string("1.42.4"), "NetworkingEnabled": .boolean(true), "WirelessEnabled": .boolean(false),
                "WirelessHardwareEnabled": .boolean(false),
                "Devices": .array([.objectPath("/d/1"), .objectPath("/d/2"), .objectPath("/d/3")], of: "o"),
                "ActiveConnections": .array([.objectPath("/a/1"), .objectPath("/a/2")], of: "o"),
            ]
        )
        fake.set("/d/1", ".Device", ["Interface": .string("eth0"), "DeviceType": .uint32(1)])
        fake.set("/d/2", ".Device", ["Interface": .string("wlan0"), "DeviceType": .uint32(2), "State": .uint32(100)])
        // /d/3 was unplugged meanwhile.
        fake.set(
            "/d/2",
            ".Device.Wireless",
            [
                "WirelessCapabilities": .uint32(0x768), "ActiveAccessPoint": .objectPath("/p/1"),
                "Bitrate": .uint32(144_400),
            ]
        )
        fake.set("/p/1", ".AccessPoint", ["Ssid": .bytes(Array("Hütte".utf8)), "Frequency": .uint32(2437)])
        fake.set(
            "/a/1",
            ".Connection.Active",
            ["Id": .string("Cable"), "Devices": .array([.objectPath("/d/1")], of: "o"), "Default": .boolean(true)]
        )
        fake.set(
            "/a/2",
            ".Connection.Active",
            [
                "Id": .string("Hut"), "Connection": .objectPath("/s/1"),
                "Devices": .array([.objectPath("/d/2")], of: "o"), "Default6": .boolean(true),
            ]
        )
        let device = WiFiDevice(
            path: "/d/2",
            interface: "wlan0",
            state: .connected,
            capabilities: WiFiDevice.Capabilities(rawValue: 0x768),
            connection: .init(name: "Hut", settings: "/s/1"),
            networkName: "Hütte",
            frequency: 2437,
            bitRate: 144_400
        )
        let expected = NetworkState(
            version: "1.42.4",
            isNetworkingEnabled: true,
            isWiFiEnabled: false,
            isWiFiSwitchOn: false,
            devices: [device],
            uplinks: ["eth0", "wlan0"],
            sharing: .auth
        )
        #expect(try await state(of: fake) == expected)
        // Another program manages this cable.
        let uplinks = try await state(of: fake, defaultRoutes: ["wlan0", "enp9s0"]).uplinks
        #expect(uplinks == ["eth0", "wlan0", "enp9s0"])
    }

    @Test func withoutPropertiesThereIsNothing() async throws {
        let fake = Self.permitting(.string("yes"))
        fake.set(FakeNetworkManager.path, "", [:])
        #expect(try await state(of: fake) == NetworkState(version: "", devices: []))
    }

    @Test(arguments: [.string("no"), .string("often"), .byte(1), .variant(.string("yes"))] as [DBusValue])
    func permissions(value: DBusValue) async throws {
        let fake = Self.permitting(value)
        fake.set(FakeNetworkManager.path, "", [:])
        let expected: NetworkState.Permission = value == .string("no") ? .no : value.text == "yes" ? .yes : .auth
        #expect(try await state(of: fake).sharing == expected)
    }

    @Test func withoutAnAnswerOfTheManagerThereIsAnError() async throws {
        for fake in [FakeNetworkManager(), FakeNetworkManager { _ in .values([.string("?")]) }] {
            let error = await #expect(throws: NetworkManagerError.self) { try await state(of: fake) }
            #expect(error?.code == .failed)
        }
        let denying = FakeNetworkManager { _ in .error("org.freedesktop.NetworkManager.PermissionDenied", "no") }
        #expect(await #expect(throws: NetworkManagerError.self) { try await state(of: denying) } == .noPermission)
    }

    /// Absurd values, each in the place of each property of the objects.
    @Test func absurdPropertiesAreSurvived() async throws {
        let absurd: [DBusValue] = [
            .string(""), .string(String(repeating: "/../", count: 1000)), .uint32(.max), .uint64(.max), .int64(-1),
            .double(.nan), .bytes([0xFF, 0]), .array([.structure([.byte(1)])], of: "(y)"), .objectPath("/"),
            .objectPath("/d/1"), .array(Array(repeating: .objectPath("/d/1"), count: 2000), of: "o"), .settings([:]),
        ]
        let fake = Self.permitting(.string("yes"))
        try await fake.run { _, address in
            for value in absurd {
                fake.set(
                    FakeNetworkManager.path,
                    "",
                    [
                        "Version": value, "NetworkingEnabled": value, "WirelessEnabled": value,
                        "WirelessHardwareEnabled": value, "Devices": .array([.objectPath("/d/1")], of: "o"),
                        "ActiveConnections": .array([.objectPath("/a/1")], of: "o"),
                    ]
                )
                fake.set("/d/1", ".Device", ["Interface": value, "DeviceType": .uint32(2), "State": value])
                fake.set("/d/1", ".Device.Wireless", ["WirelessCapabilities": value, "ActiveAccessPoint": value])
                fake.set("/a/1", ".Connection.Active", ["Id": value, "Connection": value, "Devices": value])
                try await NetworkManagerClient.with(bus: address) { client in
                    let state = try await client.state()
                    #expect(state.isNetworkingEnabled && state.isWiFiEnabled && state.isWiFiSwitchOn)
                    #expect(state.devices.count <= 1)
                    #expect(state.devices.first.map { $0.state == .unknown && $0.radio == nil } ?? true)
                    fake.set(FakeNetworkManager.path, "", ["Devices": value, "ActiveConnections": value])
                    #expect(try await client.state().devices.count <= 100)
                }
            }
        }
    }

    @Test func networksWithinReachAreFound() async throws {
        let points = FakeNetworkManager { call in
            call.member == "GetAllAccessPoints"
                ? .values([.array((0..<6).map { .objectPath("/p/\($0)") }, of: "o")]) : nil
        }
        let names = ["hikeshare-AAAA", "hikeshare-BBBB", "Home", "hikeshare-AAAA", "hikeshare-\u{FF}"]
        for (number, name) in names.enumerated() {
            let bytes = name.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
            let properties: [String: DBusValue] = ["Ssid": .bytes(bytes), "Strength": .byte(UInt8(40 + number))]
            points.set("/p/\(number)", ".AccessPoint", properties)
        }
        try await points.run { service, address in
            try await NetworkManagerClient.with(bus: address) { client in
                let found = try await client.accessPoints(
                    namedWith: "hikeshare-",
                    on: Sample.device(),
                    within: .patience
                )
                #expect(
                    found == [
                        AccessPoint(name: "hikeshare-AAAA", strength: 43),
                        AccessPoint(name: "hikeshare-BBBB", strength: 41),
                    ]
                )
                #expect(service.calls.contains { $0.member == "RequestScan" })
                let none = try await client.accessPoints(namedWith: "x", on: Sample.device(), within: .zero)
                #expect(none.isEmpty)
            }
        }
    }
}
