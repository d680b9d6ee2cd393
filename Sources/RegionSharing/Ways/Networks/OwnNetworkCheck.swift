package import Diagnosis
package import NetworkManager

/// Finds out whether this machine can make a Wi-Fi network of its own.
package enum OwnNetworkCheck {
    /// The time within which NetworkManager must answer.
    private static let answerTime: Duration = .seconds(3)

    /// Finds it out.
    package static func run() async -> OwnNetworkFacts? {
        await withTaskGroup(of: OwnNetworkFacts?.self) { group in
            group.addTask { await answer() }
            group.addTask {
                try? await Task.sleep(for: answerTime)
                return facts(of: NetworkManagerError(.timedOut, "NetworkManager does not answer."))
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    private static func answer() async -> OwnNetworkFacts? {
        do {
            return try await NetworkManagerClient.with { client in
                let plan = try HotspotPlan(try await client.state(), hasDnsmasq: NetworkManagerClient.hasDnsmasq)
                return facts(of: plan, isRadioOff: MachineFacts.read().isRadioOff)
            }
        } catch let error as NetworkManagerError {
            return facts(of: error)
        } catch {
            return nil
        }
    }

    /// Says what a network of this machine is like; without udev, NetworkManager does not know that a radio is off.
    package static func facts(of plan: HotspotPlan, isRadioOff: Bool) -> OwnNetworkFacts {
        if isRadioOff { return facts(of: NetworkManagerError(.wifiOff, "Wi-Fi is switched off.")) }
        var servesPhones = true
        if case .linkLocal(.noDnsmasq) = plan.addresses { servesPhones = false }
        return .possible(interface: plan.device.interface, servesPhones: servesPhones)
    }

    /// Says why there can be no network of this machine.
    package static func facts(of error: NetworkManagerError) -> OwnNetworkFacts {
        // A command stands behind its remedy.
        let parts = error.remedy?.split(separator: ":  ", maxSplits: 1).map(String.init) ?? []
        let (remedy, command) = parts.count == 2 ? (parts[0] + ":", parts[1]) : (error.remedy, nil)
        return error.code == .networkingOff
            ? .networkingOff(reason: error.message, remedy: remedy, command: command)
            : .impossible(reason: error.message, remedy: remedy, command: command)
    }
}
