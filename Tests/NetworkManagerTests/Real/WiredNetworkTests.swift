import Glibc
import PeerTestSupport
import Testing

@testable import NetworkManager

/// A wired network that the real NetworkManager makes by the code that makes hotspots, and that ends in every way it can.
@Suite(.timeLimit(.minutes(10)), .serialized) struct WiredNetworkTests {
    private static let address = "10.99.7.1"
    private static let former = "10.99.8.1"

    /// Makes the network, with another one there before, calls `body` and expects that everything is as before.
    private func make(
        thenExpectsHome: Bool = true,
        _ body: (PrivateNetworkManager, ChildProcess) async throws -> Void
    ) async throws {
        try await PrivateNetworkManager.with { manager in
            try await manager.output(
                of: "nmcli",
                "connection",
                "add",
                "type",
                "ethernet",
                "ifname",
                "net0",
                "con-name",
                "Home",
                "ipv4.method",
                "manual",
                "ipv4.addresses",
                Self.former + "/24",
                "ipv6.method",
                "disabled"
            )
            try await expectHome(manager)
            try await manager.run(Place.wiredNetwork, ["net0"]) { program in
                try await program.waitForOutput { $0 == "ready" }
                try await wait(for: Self.address, manager)
                let names = try await manager.output(of: "nmcli", "-g", "NAME", "connection", "show", "--active")
                #expect(names.contains("hikeshare-test") && !names.contains("Home"))
                try await body(manager, program)
            }
            guard thenExpectsHome else { return }
            try await expectHome(manager)
            let names = try await manager.output(of: "nmcli", "-g", "NAME", "connection", "show")
            #expect(!names.contains("hikeshare-test"))
        }
    }

    private func wait(for address: String, _ manager: PrivateNetworkManager) async throws {
        try await manager.wait(until: { $0.joined().contains(address + "/24") }, "ip", "-4", "-o", "address")
    }

    /// Waits until the former network is there again, and the other one is not.
    private func expectHome(_ manager: PrivateNetworkManager) async throws {
        try await wait(for: Self.former, manager)
        let addresses = try await manager.output(of: "ip", "-4", "-o", "address").joined()
        #expect(!addresses.contains(Self.address))
    }

    @Test func itEndsWithItsScope() async throws {
        try await make { _, program in
            program.closeInput()
            let (status, lines, errors) = await program.complete()
            #expect(status == .exited(0) && lines == ["ready"], "\(lines + errors)")
        }
    }

    @Test(arguments: [SIGKILL, SIGTERM]) func itEndsWithTheProgram(signal: Int32) async throws {
        try await make { _, program in
            program.kill(signal)
            let status = await program.waitForExit()
            #expect(status == .signalled(signal))
        }
    }

    @Test func anotherProgramCanEndIt() async throws {
        try await make { manager, program in
            try await manager.output(of: "nmcli", "connection", "up", "Home")
            try await program.waitForOutput { $0 == "ended" }
        }
    }

    /// What it has set up stays there, as NetworkManager cannot take it away any more.
    @Test func theEndOfNetworkManagerIsNoticed() async throws {
        try await make(thenExpectsHome: false) { manager, program in
            await manager.stopDaemon()
            try await program.waitForOutput { $0 == "ended" }
        }
    }

    // MARK: Refusals

    @Test func whatNetworkManagerSaysIsRead() async throws {
        try await PrivateNetworkManager.with { manager in
            try await NetworkManagerClient.with(bus: manager.busAddress) { client in
                let state = try await client.state()
                #expect(state.version.contains(".") && state.isNetworkingEnabled && state.isWiFiEnabled)
                #expect(state.devices.isEmpty && state.sharing == .yes)
                #expect(throws: NetworkManagerError.self) { try HotspotPlan(state, hasDnsmasq: true) }
                try await manager.output(of: "nmcli", "networking", "off")
                let off = try await client.state()
                let error = #expect(throws: NetworkManagerError.self) { try HotspotPlan(off, hasDnsmasq: true) }
                #expect(error?.code == .networkingOff)
            }
        }
    }

    @Test func aCardThatIsNotThereIsAnError() async throws {
        try await PrivateNetworkManager.with { manager in
            let error = await #expect(throws: NetworkManagerError.self) {
                try await NetworkManagerClient.with(bus: manager.busAddress) { client in
                    let plan = try HotspotPlan(Sample.state(Sample.device()), hasDnsmasq: true)
                    try await client.withHotspot(plan, named: "hikeshare-7K3M", password: "mk4t-9rwb-x7hq") { _ in }
                }
            }
            #expect(error?.code == .failed && error?.description.contains("mk4t") == false)
            let names = try await manager.output(of: "nmcli", "-g", "NAME", "connection", "show")
            #expect(!names.contains("hikeshare-7K3M"))
        }
    }
}
