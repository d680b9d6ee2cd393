import DBus
import Synchronization

/// A connection that this program has made, and that ends with it.
struct Activation: Sendable {
    /// The path of the active connection.
    var active: String
    /// The path of the card.
    var device: String

    /// The state of an active connection. (NetworkManager D-Bus API, `NMActiveConnectionState`.)
    enum State: UInt64 {
        case unknown = 0
        case activating = 1
        case activated = 2
        case deactivating = 3
        case deactivated = 4
    }
}

/// Making connections.
extension NetworkManagerClient {
    /// Makes a connection that ends with this program, and waits until it is ready.
    ///
    /// NetworkManager keeps the connection in memory only, and ends it when the connection to D-Bus ends. Then
    /// NetworkManager returns to the former connection, if that one connects automatically.
    func activate(
        _ settings: [String: [String: DBusValue]],
        on device: String,
        within limit: Duration
    ) async throws(NetworkManagerError) -> Activation {
        // Subscribe before the connection is made, so that no change is missed.
        let changes = try await signals("StateChanged", in: ".Connection.Active")
        let deviceChanges = try await signals("StateChanged", in: ".Device")
        let groups = settings.sorted { $0.key < $1.key }.map { group in
            DBusValue.Entry(key: .string(group.key), value: .settings(group.value))
        }
        let options: DBusValue = .settings(["persist": .string("volatile"), "bind-activation": .string("dbus-client")])
        let answer = try await call(
            "AddAndActivateConnection2",
            at: Self.path,
            in: "",
            [.dictionary(groups, key: "s", value: "a{sv}"), .objectPath(device), .objectPath("/"), options],
            // If the desktop asks for a password, the answer comes after the person has typed it.
            within: Self.permissionTime
        )
        guard answer.count >= 2, let active = answer[1].text else {
            throw NetworkManagerError(.failed, "NetworkManager has answered without naming the connection.")
        }
        let activation = Activation(active: active, device: device)
        if var failure = await outcome(of: activation, changes, deviceChanges, within: limit) {
            let isOwn = settings["802-11-wireless"]?["mode"]?.text == "ap"
            if isOwn, failure == NetworkManagerError(deviceReason: 8) { failure = NetworkManagerError(deviceReason: 9) }
            _ = try? await call("DeactivateConnection", at: Self.path, in: "", [.objectPath(active)])
            throw failure
        }
        return activation
    }

    /// The time that a person has to type a password.
    private static let permissionTime: Duration = .seconds(60)

    /// Returns the state of a connection; deactivated if the connection no longer exists.
    func state(of activation: Activation) async -> Activation.State {
        do throws(NetworkManagerError) {
            let properties = try await properties(at: activation.active, in: ".Connection.Active")
            return properties["State"]?.unsigned.flatMap(Activation.State.init) ?? .unknown
        } catch {
            // A busy NetworkManager does not answer in time, and says nothing about the connection. Any other error
            // means that the connection no longer exists.
            return error.code == .timedOut ? .activated : .deactivated
        }
    }

    /// Returns why a connection was not made; nil if it is ready.
    private func outcome(
        of activation: Activation,
        _ changes: AsyncStream<DBusSignal>,
        _ deviceChanges: AsyncStream<DBusSignal>,
        within limit: Duration
    ) async -> NetworkManagerError? {
        let (ticks, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let told = Told<UInt64>()
        return await withTaskGroup(of: NetworkManagerError?.self) { group in
            group.addTask {
                for await change in changes where change.path == activation.active { continuation.yield() }
                return .interrupted
            }
            group.addTask {
                for await change in deviceChanges where change.path == activation.device {
                    if let reason = Self.reasonOfFailure(in: change) { told.tell(reason) }
                    continuation.yield()
                }
                return .interrupted
            }
            // Unread signals can be dropped (`DBusLimits.unreadSignals`), so the state is also read once a second.
            group.addTask {
                await Self.tick(continuation, every: .seconds(1))
                return .interrupted
            }
            group.addTask {
                try? await Task.sleep(for: limit)
                return Task.isCancelled ? .interrupted : .tookTooLong
            }
            group.addTask { await followState(of: activation, ticks, told) }
            defer { group.cancelAll() }
            return await group.next() ?? .interrupted
        }
    }

    /// Waits until a connection is ready or has ended; returns why it has ended, or nil if it is ready.
    private func followState(
        of activation: Activation,
        _ ticks: AsyncStream<Void>,
        _ told: Told<UInt64>
    ) async -> NetworkManagerError? {
        var iterator = ticks.makeAsyncIterator()
        while true {
            switch await state(of: activation) {
            case .activated: return nil
            case .deactivated, .deactivating: return NetworkManagerError(deviceReason: await told.latest() ?? 0)
            case .unknown, .activating: break
            }
            guard await iterator.next() != nil else { return .interrupted }
        }
    }

    /// Returns the reason in a change of a card's state; nil if the card has not failed.
    ///
    /// The end of the former network is such a change too, but not a failure.
    private static func reasonOfFailure(in change: DBusSignal) -> UInt64? {
        // New state, old state, reason.
        guard change.arguments.count == 3, let state = change.arguments[0].unsigned,
            let reason = change.arguments[2].unsigned
        else { return nil }
        let userRequested: UInt64 = 39
        return state == WiFiDevice.State.failed.rawValue || reason == userRequested ? reason : nil
    }

    static func tick(_ continuation: AsyncStream<Void>.Continuation, every interval: Duration) async {
        while !Task.isCancelled {
            try? await Task.sleep(for: interval)
            continuation.yield()
        }
    }
}

extension NetworkManagerClient {
    /// The latest reason that a signal has named, for a task that learns of the end in another way.
    final class Told<Value: Sendable>: Sendable {
        private let value = Mutex<Value?>(nil)

        func tell(_ value: Value) { self.value.withLock { $0 = value } }

        /// Returns the latest value; nil if there is none.
        ///
        /// Waits up to 300 ms for a first value: the signal may have arrived, but the task that reads it may not have run yet.
        func latest() async -> Value? {
            for _ in 0..<30 {
                if let value = value.withLock({ $0 }) { return value }
                try? await Task.sleep(for: .milliseconds(10))
            }
            return value.withLock { $0 }
        }
    }
}

/// Why a connection was not made, by NetworkManager's reason. (NetworkManager D-Bus API, `NMDeviceStateReason`.)
extension NetworkManagerError {
    static let interrupted = NetworkManagerError(.ended, "The connection to NetworkManager has ended.")

    static let tookTooLong = NetworkManagerError(
        .timedOut,
        "The Wi-Fi network was not ready in time.",
        remedy: "Try again. If it fails again, look at:  journalctl -u NetworkManager"
    )

    /// Translates the reason for which a card has failed.
    init(deviceReason reason: UInt64) {
        switch reason {
        case 7:
            self.init(
                .wrongPassword,
                "The password of the Wi-Fi network is wrong.",
                remedy: "Compare it with the other screen, and try again."
            )
        case 8, 11:
            // If the password is wrong, the access point ends the connection. NetworkManager sees only that end.
            self.init(
                .failed,
                "The Wi-Fi card has lost the network while it connected. The password may be wrong, or the other laptop too far "
                    + "away.",
                remedy: "Compare the password, go nearer, and try again."
            )
        case 9, 10:
            self.init(
                .failed,
                "The Wi-Fi card cannot use this kind of network or this channel, as the rules of the country or its driver say.",
                remedy: "Try another band. 'iw reg get' shows the country for which the card is set."
            )
        case 5, 6, 15, 16, 17: self.init(.failed, "The network gives no address to this machine.", remedy: "Try again.")
        case 18, 19:
            self.init(
                .failed,
                "NetworkManager cannot give addresses to other machines: dnsmasq is missing or does not start.",
                remedy: "Install it:  sudo apt install dnsmasq-base"
            )
        case 35:
            self.init(.unavailable, "The firmware of the Wi-Fi card is missing.", remedy: "Install it for this card.")
        case 53:
            self.init(
                .notFound,
                "No Wi-Fi network of that name is within reach.",
                remedy: "Go nearer to the other laptop, and check that it still sends."
            )
        case 39, 60: self.init(.ended, "Another program has changed the Wi-Fi.", remedy: "Try again.")
        default:
            self.init(
                .failed,
                "NetworkManager could not set up the Wi-Fi network (reason \(reason)).",
                remedy: "Look at:  journalctl -u NetworkManager"
            )
        }
    }
}
