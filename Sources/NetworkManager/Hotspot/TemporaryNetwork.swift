import DBus
import HostNetwork

/// A Wi-Fi network that this program has made or joined for a limited time.
package struct TemporaryNetwork: Sendable {
    /// The name of the card's interface, such as `wlan0`.
    package var interface: String

    let activation: Activation
    let client: NetworkManagerClient

    /// Waits until the network ends, because another program has changed the Wi-Fi, or because the Wi-Fi was switched off.
    package func waitForEnd() async { await client.waitForEnd(of: activation) }

    /// The addresses of this machine in the network, without zones.
    package var hosts: Set<String> {
        Set(HostInterface.all().filter { $0.name == interface }.flatMap(\.addresses).map(\.address.description))
    }
}

/// Networks that exist while a closure runs.
extension NetworkManagerClient {
    /// The time within which a network must be made or joined; NetworkManager itself gives up after 25 s.
    private static let setupTime: Duration = .seconds(60)

    /// Makes a Wi-Fi network, calls `body`, ends the network, and returns to the former one.
    ///
    /// However this program ends, the network ends with it. `returns` gets the name of the former network, if NetworkManager
    /// returns to it.
    package func withHotspot<Result>(
        _ plan: HotspotPlan,
        named name: String,
        password: String,
        returning returns: (String) -> Void = { _ in },
        _ body: (TemporaryNetwork) async throws -> Result
    ) async throws -> Result {
        try await withNetwork(plan.settings(named: name, password: password), on: plan.device, returns, body)
    }

    /// Joins a Wi-Fi network, calls `body`, leaves the network, and returns to the former one.
    ///
    /// If the network is lost, because the machine was carried out of reach, the machine joins it again as soon as
    /// possible. If a person chooses another network in the meantime, the machine stays in that one.
    package func withJoined<Result>(
        _ device: WiFiDevice,
        named name: String,
        password: String,
        returning returns: (String) -> Void = { _ in },
        _ body: (TemporaryNetwork) async throws -> Result
    ) async throws -> Result {
        let settings = JoinPlan.settings(named: name, password: password)
        return try await withNetwork(settings, on: device, attempts: 2, returns) { network in
            // The end of this scope cancels the task and waits for it: joining again must not overlap with the return
            // to the former network.
            async let _: Void = keepJoined(network.activation, settings)
            return try await body(network)
        }
    }

    /// Joins a network again whenever it is lost, until the task is cancelled or a person chooses another network.
    private func keepJoined(_ activation: Activation, _ settings: [String: [String: DBusValue]]) async {
        var activation = activation
        while await waitForEnd(of: activation) == .lost, !Task.isCancelled {
            while !Task.isCancelled {
                do throws(NetworkManagerError) {
                    activation = try await activate(settings, on: activation.device, within: Self.setupTime)
                    break
                } catch {
                    try? await Task.sleep(for: Self.rejoiningPause)
                }
            }
        }
    }

    // A card that fails at once must not be asked without a pause.
    /// The pause between two attempts to join a network that was lost.
    private static let rejoiningPause: Duration = .seconds(2)

    private func withNetwork<Result>(
        _ settings: [String: [String: DBusValue]],
        on device: WiFiDevice,
        attempts: Int = 1,
        _ returns: (String) -> Void,
        _ body: (TemporaryNetwork) async throws -> Result
    ) async throws -> Result {
        let activation: Activation
        let id = settings["connection"]?["id"]?.text
        do throws(NetworkManagerError) {
            activation = try await activate(settings, on: device.path, attempts: attempts)
        } catch {
            await restore(device, after: nil, named: id, returns)
            throw error
        }
        do {
            let result = try await body(
                TemporaryNetwork(interface: device.interface, activation: activation, client: self)
            )
            await restore(device, after: activation, named: id, returns)
            return result
        } catch {
            await restore(device, after: activation, named: id, returns)
            throw error
        }
    }

    // A scan misses a network now and then, and a slow machine does not join one within the time that NetworkManager gives it.
    /// Makes a connection; tries again if the network was not found.
    private func activate(
        _ settings: [String: [String: DBusValue]],
        on device: String,
        attempts: Int
    ) async throws(NetworkManagerError) -> Activation {
        for _ in 1..<max(1, attempts) {
            do throws(NetworkManagerError) {
                return try await activate(settings, on: device, within: Self.setupTime)
            } catch {
                guard error.code == .notFound, !Task.isCancelled else { throw error }
            }
        }
        return try await activate(settings, on: device, within: Self.setupTime)
    }

    /// Ends a network and returns to the former one.
    ///
    /// NetworkManager itself returns only to a connection that connects automatically, so this asks for the former
    /// connection. It waits only for the answer: NetworkManager continues after this program has ended. If a person has
    /// chosen another network in the meantime, nothing changes.
    private func restore(
        _ device: WiFiDevice,
        after activation: Activation?,
        named id: String?,
        _ returns: (String) -> Void
    ) async {
        // This must also happen in a cancelled task.
        let client = NetworkManagerClient(bus: bus.uncancellable)
        guard await !client.isInOtherNetwork(device, than: id) else { return }
        if let former = device.connection {
            let arguments: [DBusValue] = [
                .objectPath(former.settings), .objectPath(device.path), .objectPath("/"),
            ]
            if (try? await client.call("ActivateConnection", at: Self.path, in: "", arguments)) != nil {
                return returns(former.name)
            }
        }
        guard let activation else { return }
        _ = try? await client.call("DeactivateConnection", at: Self.path, in: "", [.objectPath(activation.active)])
    }

    /// Whether a card is in, or about to join, a network that this program has not made.
    private func isInOtherNetwork(_ device: WiFiDevice, than id: String?) async -> Bool {
        guard let active = try? await properties(at: device.path, in: ".Device")["ActiveConnection"]?.text,
            let current = try? await properties(at: active, in: ".Connection.Active")["Id"]?.text
        else { return false }
        return current != id
    }
}
