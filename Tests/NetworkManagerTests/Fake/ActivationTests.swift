import DBus
import DBusTestSupport
import PeerTestSupport
import Testing

@testable import NetworkManager

/// Connections that a NetworkManager makes, or does not, as a test wants.
@Suite(.timeLimit(.minutes(10))) struct ActivationTests {
    private static let active = "/active/1"
    private static let device = Sample.device()
    private static let manager = FakeNetworkManager.service

    /// A NetworkManager that begins to make a connection, and then sends signals.
    private static func fake(signals: [FakeService.Signal] = []) -> FakeNetworkManager {
        FakeNetworkManager { call in
            switch call.member {
            case "AddAndActivateConnection2":
                .valuesAndSignals([.objectPath("/settings/9"), .objectPath(active), .settings([:])], signals)
            case "DeactivateConnection": .values([])
            case "ActivateConnection": .values([.objectPath("/active/0")])
            default: nil
            }
        }
    }

    private static func connectionChanged(_ state: UInt32, reason: UInt32) -> FakeService.Signal {
        let interface = manager + ".Connection.Active"
        return .init("StateChanged", at: active, in: interface, [.uint32(state), .uint32(reason)])
    }

    private static func deviceChanged(_ state: UInt32, reason: UInt32) -> FakeService.Signal {
        let values: [DBusValue] = [.uint32(state), .uint32(50), .uint32(reason)]
        return .init("StateChanged", at: device.path, in: manager + ".Device", values)
    }

    private static func set(_ state: UInt32, in fake: FakeNetworkManager) {
        fake.set(active, ".Connection.Active", ["State": .uint32(state), "Id": .string("net")])
    }

    private func activate(
        _ fake: FakeNetworkManager,
        _ settings: [String: [String: DBusValue]] = [:],
        within limit: Duration = .patience
    ) async throws -> Activation {
        try await fake.run { _, address in
            try await NetworkManagerClient.with(bus: address) { client in
                try await client.activate(settings, on: Self.device.path, within: limit)
            }
        }
    }

    /// An access point has no password that could be wrong; its channel may be forbidden.
    @Test func aFailureOfAnOwnNetworkIsNotBlamedOnThePassword() async throws {
        let fake = Self.fake(signals: [Self.deviceChanged(120, reason: 8), Self.connectionChanged(4, reason: 0)])
        let settings: [String: [String: DBusValue]] = ["802-11-wireless": ["mode": .string("ap")]]
        let error = await #expect(throws: NetworkManagerError.self) { try await activate(fake, settings) }
        #expect(error?.message.contains("assword") == false)
        #expect(error?.remedy?.contains("another band") == true)
    }

    @Test func aConnectionIsMadeInMemoryAndBoundToThisProgram() async throws {
        let fake = Self.fake()
        Self.set(2, in: fake)
        try await fake.run { service, address in
            try await NetworkManagerClient.with(bus: address) { client in
                let settings: [String: [String: DBusValue]] = ["connection": ["id": .string("net")]]
                let activation = try await client.activate(settings, on: "/devices/wlan0", within: .patience)
                #expect(activation.active == Self.active && activation.device == "/devices/wlan0")
                let call = try #require(service.calls.first { $0.member == "AddAndActivateConnection2" })
                let group = DBusValue.Entry(key: .string("connection"), value: .settings(["id": .string("net")]))
                #expect(
                    call.arguments == [
                        .dictionary([group], key: "s", value: "a{sv}"), .objectPath("/devices/wlan0"), .objectPath("/"),
                        .settings(["bind-activation": .string("dbus-client"), "persist": .string("volatile")]),
                    ]
                )
            }
        }
    }

    @Test func aChangeEndsTheWait() async throws {
        let fake = Self.fake()
        Self.set(1, in: fake)
        try await fake.run { service, address in
            try await NetworkManagerClient.with(bus: address) { client in
                let task = Task { try await client.activate([:], on: Self.device.path, within: .patience) }
                while !service.calls.contains(where: { $0.interface == "org.freedesktop.DBus.Properties" }) {
                    await Task.yield()
                }
                Self.set(2, in: fake)
                service.emit(Self.connectionChanged(2, reason: 1))
                let activation = try await task.value
                #expect(activation.active == Self.active)
            }
        }
    }

    @Test(arguments: [0, 7, 8, 9, 11, 15, 18, 35, 53] as [UInt32], [true, false])
    func aFailureHasTheReasonOfTheCard(reason: UInt32, isTheCardFirst: Bool) async throws {
        // The connection's end may be told before the card's reason.
        let both = [Self.deviceChanged(120, reason: reason), Self.connectionChanged(4, reason: 0)]
        let fake = Self.fake(signals: isTheCardFirst ? both : both.reversed())
        let error = await #expect(throws: NetworkManagerError.self) { try await activate(fake) }
        #expect(error == NetworkManagerError(deviceReason: UInt64(reason)))
    }

    @Test func theEndOfTheFormerConnectionIsNoFailure() async throws {
        let former = [Self.deviceChanged(110, reason: 60), Self.deviceChanged(30, reason: 60)]
        let error = await #expect(throws: NetworkManagerError.self) { try await activate(Self.fake(signals: former)) }
        #expect(error == NetworkManagerError(deviceReason: 0))
    }

    @Test func aConnectionThatIsNeverReadyIsGivenUp() async throws {
        let fake = Self.fake()
        Self.set(1, in: fake)
        try await fake.run { service, address in
            try await NetworkManagerClient.with(bus: address) { client in
                let error = await #expect(throws: NetworkManagerError.self) {
                    try await client.activate([:], on: Self.device.path, within: .milliseconds(100))
                }
                #expect(error == .tookTooLong)
                #expect(service.calls.last?.member == "DeactivateConnection")
                #expect(service.calls.last?.arguments == [.objectPath(Self.active)])
            }
        }
    }

    @Test func cancellationTakesTheConnectionAway() async throws {
        let fake = Self.fake()
        Self.set(1, in: fake)
        try await fake.run { service, address in
            try await NetworkManagerClient.with(bus: address) { client in
                let task = Task { try await client.activate([:], on: Self.device.path, within: .patience) }
                while !service.calls.contains(where: { $0.member == "GetAll" }) { await Task.yield() }
                task.cancel()
                await #expect(throws: NetworkManagerError.self) { try await task.value }
                while service.calls.last?.member != "DeactivateConnection" { await Task.yield() }
            }
        }
    }

    @Test(arguments: [[], [.string("a")], [.objectPath("/"), .byte(1), .byte(1)]] as [[DBusValue]])
    func anAnswerWithoutTheConnectionIsAnError(values: [DBusValue]) async throws {
        let fake = FakeNetworkManager { $0.member == "AddAndActivateConnection2" ? .values(values) : nil }
        let error = await #expect(throws: NetworkManagerError.self) { try await activate(fake) }
        #expect(error?.code == .failed)
    }

    @Test func aRefusalIsToldWithItsReason() async throws {
        let fake = FakeNetworkManager { call in
            call.member == "AddAndActivateConnection2"
                ? .error("org.freedesktop.NetworkManager.Settings.PermissionDenied", "no") : nil
        }
        #expect(await #expect(throws: NetworkManagerError.self) { try await activate(fake) } == .noPermission)
    }

    // MARK: The end

    private func ending(
        _ fake: FakeNetworkManager,
        after end: @escaping @Sendable (FakeService) async -> Void
    ) async throws -> NetworkManagerClient.Ending {
        Self.set(2, in: fake)
        return try await fake.run { service, address in
            try await NetworkManagerClient.with(bus: address) { client in
                let activation = try await client.activate([:], on: Self.device.path, within: .patience)
                let before = service.calls.count
                let task = Task { await client.waitForEnd(of: activation) }
                while service.calls.count == before { await Task.yield() }
                await end(service)
                return await task.value
            }
        }
    }

    @Test func anObjectThatDisappearsIsLost() async throws {
        let fake = Self.fake()
        #expect(try await ending(fake) { _ in fake.remove(Self.active) } == .lost)
    }

    @Test func aServiceThatDisappearsIsLost() async throws {
        #expect(try await ending(Self.fake()) { $0.end() } == .lost)
    }

    /// The signal may be read after the end has been seen.
    @Test(arguments: [true, false]) func aPersonCanEndIt(byDevice: Bool) async throws {
        let fake = Self.fake()
        let ending = try await ending(fake) { service in
            fake.remove(Self.active)
            service.emit(byDevice ? Self.deviceChanged(110, reason: 39) : Self.connectionChanged(4, reason: 2))
        }
        #expect(ending == .chosen)
    }

    // MARK: The network before

    /// Makes a network with a card that is in another one, and says which calls take it away.
    private func endCalls(current: String, id: String) async throws -> [FakeService.Call] {
        let fake = Self.fake()
        Self.set(2, in: fake)
        let device = Sample.device("wlan0", .connected)
        let plan = try HotspotPlan(Sample.state(device), hasDnsmasq: true)
        return try await fake.run { service, address in
            try await NetworkManagerClient.with(bus: address) { client in
                try await client.withHotspot(plan, named: "net", password: "12345678") { _ in
                    fake.set(device.path, ".Device", ["ActiveConnection": .objectPath(current)])
                    fake.set("/active/2", ".Connection.Active", ["State": .uint32(2), "Id": .string(id)])
                }
            }
            return service.calls.filter { $0.member.contains("ctivateConnection") }
        }
    }

    @Test(arguments: [(active, "-"), ("/active/2", "net"), ("/", "-")])
    func theFormerNetworkIsMadeAgain(current: String, id: String) async throws {
        let calls = try await endCalls(current: current, id: id)
        #expect(calls.map(\.member) == ["AddAndActivateConnection2", "ActivateConnection"])
        #expect(calls.last?.arguments == [.objectPath("/settings/1"), .objectPath("/devices/wlan0"), .objectPath("/")])
    }

    /// The way back is said when NetworkManager goes it, and not before.
    @Test(arguments: [true, false]) func theWayBackIsSaidIfItIsGone(isPossible: Bool) async throws {
        let fake = FakeNetworkManager { call in
            switch call.member {
            case "AddAndActivateConnection2":
                .values([.objectPath("/settings/9"), .objectPath(Self.active), .settings([:])])
            case "ActivateConnection" where isPossible: .values([.objectPath("/active/0")])
            case "ActivateConnection": .error("org.freedesktop.NetworkManager.UnknownConnection", "no")
            case "DeactivateConnection": .values([])
            default: nil
            }
        }
        Self.set(2, in: fake)
        let device = Sample.device("wlan0", .connected)
        fake.set(device.path, ".Device", ["ActiveConnection": .objectPath(Self.active)])
        let plan = try HotspotPlan(Sample.state(device), hasDnsmasq: true)
        let said = Locked<[String]>([])
        let calls = try await fake.run { service, address in
            try await NetworkManagerClient.with(bus: address) { client in
                try await client.withHotspot(plan, named: "net", password: "12345678") { name in
                    #expect(service.calls.contains { $0.member == "ActivateConnection" })
                    said.withLock { $0.append(name) }
                } _: { _ in
                    #expect(said.value.isEmpty)
                }
            }
            return service.calls.map(\.member)
        }
        #expect(said.value == (isPossible ? ["Home"] : []))
        #expect(calls.contains("DeactivateConnection") == !isPossible)
    }

    @Test func aNetworkThatAPersonHasChosenStays() async throws {
        let calls = try await endCalls(current: "/active/2", id: "Other")
        #expect(calls.map(\.member) == ["AddAndActivateConnection2"])
    }
}
