import DBus
import DBusTestSupport
import Foundation
import PeerCore
import PeerTestSupport
import Testing

/// A person who stops the program before the Wi-Fi network is there.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct HotspotStopTests {
    /// Calls `body` with a NetworkManager whose card is in a network, and that never gets another one ready; and with a stream that
    /// ends when another one is asked for.
    private func withSlowManager(
        _ body: (FakeService, _ address: String, _ asked: AsyncStream<Void>) async throws -> Void
    ) async throws {
        let (asked, continuation) = AsyncStream.makeStream(of: Void.self)
        let fake = FakeNetworkManager { call in
            switch call.member {
            case "GetPermissions":
                let name = "org.freedesktop.NetworkManager.wifi.share.protected"
                let yes = DBusValue.Entry(key: .string(name), value: .string("yes"))
                return .values([.dictionary([yes], key: "s", value: "s")])
            case "AddAndActivateConnection2":
                continuation.finish()
                return .values([.objectPath("/s/9"), .objectPath("/a/9"), .settings([:])])
            case "ActivateConnection": return .values([.objectPath("/a/1")])
            case "DeactivateConnection": return .values([])
            default: return nil
            }
        }
        let (devices, active) = (DBusValue.objectPath("/d/1"), DBusValue.objectPath("/a/1"))
        fake.set(
            FakeNetworkManager.path,
            "",
            [
                "Version": .string("1.42.4"), "Devices": .array([devices], of: "o"),
                "ActiveConnections": .array([active], of: "o"),
            ]
        )
        fake.set("/d/1", ".Device", ["Interface": .string("wlan7"), "DeviceType": .uint32(2), "State": .uint32(100)])
        fake.set("/d/1", ".Device.Wireless", ["WirelessCapabilities": .uint32(0x768)])
        fake.set(
            "/a/1",
            ".Connection.Active",
            ["Id": .string("Home"), "Connection": .objectPath("/s/1"), "Devices": .array([devices], of: "o")]
        )
        fake.set("/a/9", ".Connection.Active", ["State": .uint32(1)])
        try await fake.run { service, address in try await body(service, address, asked) }
    }

    /// NetworkManager returns by itself only to a network that it joins by itself.
    @Test(arguments: ["send", "receive"]) func theFormerNetworkComesBack(command: String) async throws {
        let link = try ShareLink(
            for: .hikeshare,
            addresses: [PeerAddress(host: "127.0.0.1", port: 9)],
            id: PeerIdentity.generate(for: .hikeshare).id,
            token: .random(),
            network: .random()
        )
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            let arguments =
                command == "send" ? ["send", Example.name, "--hotspot", "--no-discovery"] : ["receive", link.text]
            try await withSlowManager { service, address, asked in
                let environment: [String: String?] = ["DBUS_SYSTEM_BUS_ADDRESS": address]
                try await laptop.start(arguments + ["--yes"], environment: environment) { child in
                    for await _ in asked {}
                    child.kill(SIGINT)
                    let ending = await child.ending()
                    #expect(ending.code == 130, "\(ending)")
                    #expect(ending.words.contains("Interrupted"), "\(ending)")
                }
                let back = service.calls.filter { $0.member == "ActivateConnection" }
                #expect(back.map { $0.arguments.compactMap(\.text) } == [["/s/1", "/d/1", "/"]])
            }
        }
    }
}
