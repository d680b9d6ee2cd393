import NetworkManager
import PeerCore

/// Makes a Wi-Fi network for as long as a region is sent.
package struct HotspotMaker: Sendable {
    let wishes: HotspotPlan.Wishes
    /// Whether phones must get an IPv4 address, for a page.
    let hasPage: Bool
    let application: PeerServiceType
    /// Whether a person is asked before the Wi-Fi card leaves its network.
    let consent: Consent
    let person: any Person

    /// Says what will happen, asks, makes the network, calls `body` and takes the network away.
    ///
    /// If the task is cancelled, the former network comes back, too.
    package func with(_ body: (OwnHotspot) async throws -> Void) async throws {
        try await NetworkManagerClient.with { client in
            let credentials = ShareLinkNetwork.random()
            let name = credentials.name(for: application)
            var plan = try await self.plan(client)
            var asked: HotspotPlan?
            // The laptop may change its network while the person thinks.
            while asked?.leaves?.name != plan.leaves?.name {
                if let current = plan.leaves {
                    try await LeaveNetworkQuestion(current: current.name, name: name, purpose: .making)
                        .settle(consent, person)
                }
                (asked, plan) = (plan, try await self.plan(client))
            }
            let made = plan
            if made.asksForPassword { tell(.needsAdministrator) }
            defer { tell(.working(nil)) }
            tell(.working(.making(name)))
            try await client.withHotspot(made, named: name, password: credentials.password) { former in
                tell(.returning(to: former))
            } _: { network in
                tell(.working(nil))
                tell(.made(MadeNetwork(credentials: credentials, plan: made)))
                try await body(OwnHotspot(name, credentials, network))
            }
        }
    }

    private func tell(_ happening: NetworkHappening) { person.tell(.networks(happening)) }

    /// Plans the network as the card is now.
    private func plan(_ client: NetworkManagerClient) async throws -> HotspotPlan {
        let plan = try HotspotPlan(
            try await client.state(),
            hasDnsmasq: NetworkManagerClient.hasDnsmasq,
            wishes: wishes
        )
        if hasPage, case .linkLocal(let reason) = plan.addresses { throw NetworkError.noAddresses(reason) }
        return plan
    }
}
