import DBus

/// Looking for Wi-Fi networks.
extension NetworkManagerClient {
    /// Returns the networks within reach whose names begin with a text, the strongest first.
    ///
    /// - Parameters:
    ///   - start: How the names begin.
    ///   - device: The card.
    ///   - limit: How long to look for the first one.
    /// - Returns: The networks; empty if none was found in time.
    /// - Throws: ``NetworkManagerError``.
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

    private static let maximumAccessPoints = 500
    private static let scanInterval: Duration = .seconds(8)
}

extension NetworkState {
    /// Returns the card with which to join a network: a free card, or the first one if none is free.
    ///
    /// - Throws: ``NetworkManagerError`` if there is none.
    package func deviceForJoining() throws(NetworkManagerError) -> WiFiDevice {
        try checkSwitches()
        let usable = try usableDevices()
        guard let device = usable.first(where: { !$0.state.isInUse }) ?? usable.first else { throw .interrupted }
        return device
    }
}
