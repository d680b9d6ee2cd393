import DBusTestSupport
import PeerTestSupport
import Testing

@testable import NetworkManager

@Suite(.timeLimit(.minutes(10))) struct AvailabilityTests {
    private func error(at address: String) async -> NetworkManagerError? {
        await #expect(throws: NetworkManagerError.self) { try await NetworkManagerClient.with(bus: address) { _ in } }
    }

    @Test func withoutABusThereIsNoNetworkManager() async {
        #expect(await error(at: "unix:path=/nonexistent/bus") == .noNetworkManager([]))
    }

    @Test func withoutTheServiceThereIsNoNetworkManager() async throws {
        try await PrivateBus.with { bus in
            #expect(await error(at: bus.address) == .noNetworkManager([]))
            let silent: @Sendable (FakeService.Call) -> FakeService.Answer = { _ in .nothing }
            try await FakeService.with("net.connman", at: bus.address, answer: silent) { _ in
                let error = await error(at: bus.address)
                #expect(error == .noNetworkManager(["net.connman"]))
                // Both would take the card from each other.
                #expect(error?.remedy == "Make or join the network with ConnMan.")
            }
        }
    }

    @Test func aBusThatEndsIsTheEnd() async throws {
        try await PrivateBus.with { bus in
            let silent: @Sendable (FakeService.Call) -> FakeService.Answer = { _ in .nothing }
            try await FakeService.with(FakeNetworkManager.service, at: bus.address, answer: silent) { service in
                let error = await #expect(throws: NetworkManagerError.self) {
                    try await NetworkManagerClient.with(bus: bus.address) { client in
                        let task = Task { try await client.state() }
                        while service.calls.isEmpty { await Task.yield() }
                        await bus.stop()
                        _ = try await task.value
                    }
                }
                #expect(error?.code == .ended)
            }
        }
    }
}
