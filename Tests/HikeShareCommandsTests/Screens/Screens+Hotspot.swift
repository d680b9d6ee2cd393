import PeerCore
import SharingReports
import SharingTestSupport

@testable import HikeShareCommands
@testable import NetworkManager
@testable import RegionSharing

/// The screens of Wi-Fi networks.
extension Screens {
    static let wiFi = ShareLinkNetwork(named: "hikeshare-7K3M", password: "mk4t-9rwb-x7hq", for: .hikeshare)

    static func plan(_ addresses: HotspotPlan.Addresses) throws -> HotspotPlan {
        let device = WiFiDevice(
            path: "/d/1",
            interface: "wlp3s0",
            state: .connected,
            capabilities: [.accessPoint, .ccmp, .rsn],
            connection: .init(name: "Hut Wi-Fi", settings: "/s/1")
        )
        var plan = try HotspotPlan(NetworkState(version: "1.42.4", devices: [device]), hasDnsmasq: true)
        plan.addresses = addresses
        return plan
    }

    static func sendHotspot(_ console: Console) throws {
        guard let wiFi else { return }
        console.show("Making the Wi-Fi network hikeshare-7K3M …")
        console.show(nil)
        for addresses in [.shared, .linkLocal(.noDnsmasq), .linkLocal(.uplink("enp0s31f6"))] as [HotspotPlan.Addresses]
        {
            console.emit(MadeNetwork(credentials: wiFi, plan: try plan(addresses)))
        }
    }

    private static func leaving(for purpose: LeaveNetworkQuestion.Purpose) -> LeaveNetworkQuestion {
        LeaveNetworkQuestion(current: "Hut Wi-Fi", name: "hikeshare-7K3M", purpose: purpose)
    }

    static func sendHotspotAsks(_ console: Console) {
        let question = leaving(for: .making)
        console.tell(question.introduction)
        console.setQuestion("\(question.question) [Y/n] ")
    }

    static func receiveJoins(_ console: Console) throws {
        guard let wiFi else { return }
        let question = leaving(for: .joining)
        console.tell(question.introduction)
        console.tell(question.question)
        let name = wiFi.name(for: .hikeshare)
        console.tell(
            JoinByHandQuestion(name: name, password: wiFi.password, reason: .noNetworkManager([])).introduction
        )
        console.tell(JoinedNetwork(name: name, interface: "wlp3s0").text)
    }

    static func wiFiErrors(_ console: Console) {
        let errors: [NetworkManagerError] = [
            .noNetworkManager(["net.connman.iwd"]), .noPermission, .noAccessPoint("wlp3s0"), .tookTooLong,
            .noBand("wlp3s0", .band5GHz), NetworkManagerError(deviceReason: 7), NetworkManagerError(deviceReason: 8),
            NetworkManagerError(deviceReason: 9), NetworkManagerError(deviceReason: 18),
            NetworkManagerError(deviceReason: 53), NetworkManagerError(deviceReason: 1),
        ]
        for error in errors { console.warn(ProblemReport(error)) }
    }
}
