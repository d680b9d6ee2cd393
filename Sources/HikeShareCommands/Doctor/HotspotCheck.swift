import Diagnosis
import NetworkManager
import SharingReports

/// Whether this machine can make a Wi-Fi network of its own.
enum HotspotCheck {
    /// The time within which NetworkManager must answer.
    private static let answerTime: Duration = .seconds(3)

    /// Examines it.
    static func findings() async -> [Finding] {
        await withTaskGroup(of: [Finding].self) { group in
            group.addTask { await answer() }
            group.addTask {
                try? await Task.sleep(for: answerTime)
                return [finding(for: NetworkManagerError(.timedOut, "NetworkManager does not answer."))]
            }
            defer { group.cancelAll() }
            return await group.next() ?? []
        }
    }

    private static func answer() async -> [Finding] {
        do {
            return try await NetworkManagerClient.with { client in
                let plan = try HotspotPlan(try await client.state(), hasDnsmasq: NetworkManagerClient.hasDnsmasq)
                return [finding(for: plan, isRadioOff: MachineFacts.read().isRadioOff)]
            }
        } catch let error as NetworkManagerError {
            return [finding(for: error)]
        } catch {
            return []
        }
    }

    /// Says what a network of this machine is like.
    ///
    /// Without udev, NetworkManager does not know that a radio is off.
    static func finding(for plan: HotspotPlan, isRadioOff: Bool) -> Finding {
        if isRadioOff { return finding(for: NetworkManagerError(.wifiOff, "Wi-Fi is switched off.")) }
        let message = "This machine can make a Wi-Fi network of its own (\(plan.device.interface))"
        guard case .linkLocal(.noDnsmasq) = plan.addresses else {
            return Finding(.hotspot, .network, .ok, message + ".", interface: plan.device.interface)
        }
        return Finding(
            .hotspot,
            .network,
            .note,
            message + ", but phones cannot use it, because dnsmasq is missing.",
            remedy: "Install it:",
            command: "sudo apt install dnsmasq-base",
            interface: plan.device.interface
        )
    }

    /// Says why there can be no network of this machine, which matters only where there is no other.
    static func finding(for error: NetworkManagerError) -> Finding {
        // A command stands behind its remedy.
        let parts = error.remedy?.split(separator: ":  ", maxSplits: 1).map(String.init) ?? []
        return Finding(
            error.code == .networkingOff ? .networkingOff : .hotspot,
            .network,
            .note,
            "This machine cannot make a Wi-Fi network of its own. \(error.message)",
            remedy: parts.count == 2 ? parts[0] + ":" : error.remedy,
            command: parts.count == 2 ? parts[1] : nil
        )
    }
}

extension Finding.Code {
    /// Whether this machine can make a Wi-Fi network of its own.
    static let hotspot = Self("hotspot")
}
