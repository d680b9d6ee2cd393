import DBus

/// Calls of NetworkManager's methods.
extension NetworkManagerClient {
    /// Calls a method of one of NetworkManager's interfaces.
    ///
    /// `interface` is the part of the interface's name that follows the name of the service: empty, or a text that begins
    /// with a dot.
    func call(
        _ name: String,
        at path: String,
        in interface: String,
        _ arguments: [DBusValue] = [],
        within limit: Duration = DBusLimits.answerTime
    ) async throws(NetworkManagerError) -> [DBusValue] {
        let method = DBusMethod(service: Self.service, path: path, interface: Self.service + interface, name: name)
        do throws(DBusError) {
            return try await bus.call(method, arguments, within: limit)
        } catch {
            throw NetworkManagerError(error)
        }
    }

    /// Reads the properties of an object.
    func properties(at path: String, in interface: String) async throws(NetworkManagerError) -> [String: DBusValue] {
        do throws(DBusError) {
            return try await bus.properties(of: Self.service, at: path, in: Self.service + interface)
        } catch {
            throw NetworkManagerError(error)
        }
    }

    /// Begins to report signals.
    func signals(_ name: String, in interface: String) async throws(NetworkManagerError) -> AsyncStream<DBusSignal> {
        do throws(DBusError) {
            return try await bus.signals(
                DBusSignal.Filter(service: Self.service, interface: Self.service + interface, name: name)
            )
        } catch {
            throw NetworkManagerError(error)
        }
    }
}

extension NetworkManagerError {
    /// Translates an error of D-Bus.
    init(_ error: DBusError) {
        switch error.code {
        case .busUnavailable, .serviceUnavailable: self = .noNetworkManager([])
        case .notAccepted: self = .noBusAccess
        case .accessDenied: self = .noPermission
        case .refused where error.name?.hasSuffix(".PermissionDenied") == true: self = .noPermission
        case .connectionLost, .closed: self.init(.ended, "The connection to NetworkManager has ended.")
        case .timedOut:
            self.init(
                .timedOut,
                "NetworkManager does not answer.",
                remedy: "Restart it:  sudo systemctl restart NetworkManager"
            )
        case .refused, .badAnswer, .invalidArgument: self.init(.failed, "NetworkManager refuses: \(error.message)")
        }
    }
}

/// Looking for Wi-Fi networks.
extension NetworkManagerClient {
    /// Returns the networks within reach whose names begin with a text, the strongest first; empty if none was found in time.
    package func accessPoints(
        namedWith start: String,
        on device: WiFiDevice,
        within limit: Duration
    ) async throws(NetworkManagerError) -> [AccessPoint] {
        let deadline = ContinuousClock.now + limit
        var nextScan = ContinuousClock.now
        while true {
            if ContinuousClock.now >= nextScan {
                // NetworkManager refuses a scan during or just after another one, whose results serve as well.
                _ = try? await call("RequestScan", at: device.path, in: ".Device.Wireless", [.settings([:])])
                nextScan = .now + Self.scanInterval
            }
            let found = try await knownAccessPoints(on: device).filter { $0.name.hasPrefix(start) }
            guard found.isEmpty, ContinuousClock.now < deadline, !Task.isCancelled else { return found }
            try? await Task.sleep(for: .milliseconds(500))
        }
    }

    private func knownAccessPoints(on device: WiFiDevice) async throws(NetworkManagerError) -> [AccessPoint] {
        let answer = try await call("GetAllAccessPoints", at: device.path, in: ".Device.Wireless")
        var points: [String: AccessPoint] = [:]
        for path in (answer.first?.elements ?? []).compactMap(\.text).prefix(Self.maximumAccessPoints) {
            guard let properties = try? await properties(at: path, in: ".AccessPoint"),
                let bytes = properties["Ssid"]?.data, let name = String(validating: bytes, as: UTF8.self)
            else { continue }
            let strength = UInt8(clamping: properties["Strength"]?.unsigned ?? 0)
            if points[name].map({ $0.strength < strength }) ?? true {
                points[name] = AccessPoint(name: name, strength: strength)
            }
        }
        return points.values.sorted { ($0.strength, $1.name) > ($1.strength, $0.name) }
    }

    // Each access point takes a call, and any machine nearby can make many.
    private static let maximumAccessPoints = 500
    // A scan takes some seconds, and NetworkManager refuses one that follows another too soon.
    private static let scanInterval: Duration = .seconds(8)
}

extension NetworkState {
    /// Returns the card with which to join a network: a free card, or the first one if none is free.
    package func deviceForJoining() throws(NetworkManagerError) -> WiFiDevice {
        try checkSwitches()
        let usable = try usableDevices()
        guard let device = usable.first(where: { !$0.state.isInUse }) ?? usable.first else { throw .interrupted }
        return device
    }
}

/// The ends of connections that this program has made.
extension NetworkManagerClient {
    /// Why a connection has ended.
    enum Ending: Sendable {
        /// The network was lost.
        case lost
        /// A person has ended it, or has chosen another network.
        case chosen
    }

    /// Waits until a connection has ended, or the task was cancelled.
    @discardableResult
    func waitForEnd(of activation: Activation) async -> Ending {
        let (ticks, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let told = Told<Ending>()
        return await withTaskGroup(of: Ending?.self) { group in
            group.addTask {
                guard let changes = try? await signals("StateChanged", in: ".Connection.Active") else { return nil }
                for await change in changes where change.path == activation.active {
                    // New state, reason; 2 is “the user has disconnected it”.
                    let reason = change.arguments.count == 2 ? change.arguments[1].unsigned : nil
                    if reason == 2 { told.tell(.chosen) }
                    continuation.yield()
                }
                return nil
            }
            group.addTask {
                guard let changes = try? await signals("StateChanged", in: ".Device") else { return nil }
                for await change in changes where change.path == activation.device {
                    // New state, old state, reason; 39 is “the user has asked for it”, 60 is “another connection begins”.
                    let reason = change.arguments.count == 3 ? change.arguments[2].unsigned : nil
                    if reason == 39 || reason == 60 { told.tell(.chosen) }
                    continuation.yield()
                }
                return nil
            }
            // No signal reports the end of NetworkManager itself, so the state is also read every two seconds.
            group.addTask {
                await Self.tick(continuation, every: .seconds(2))
                return nil
            }
            group.addTask {
                var iterator = ticks.makeAsyncIterator()
                while true {
                    let state = await state(of: activation)
                    guard state == .activated || state == .activating else { return await told.latest() ?? .lost }
                    guard await iterator.next() != nil else { return nil }
                }
            }
            defer { group.cancelAll() }
            for await ending in group {
                if let ending { return ending }
                if Task.isCancelled { break }
            }
            return .lost
        }
    }
}
