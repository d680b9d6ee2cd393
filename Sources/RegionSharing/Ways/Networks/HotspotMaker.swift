package import NetworkManager
package import PeerCore

/// Makes a Wi-Fi network for as long as a region is sent.
package struct HotspotMaker: Sendable {
    private let wishes: HotspotPlan.Wishes
    private let hasPage: Bool
    private let application: PeerServiceType
    private let consent: Consent
    private let person: any Person

    /// Prepares a network with the name of the application.
    ///
    /// A page for phones needs an IPv4 address. `consent` says whether a person is asked before the Wi-Fi card leaves its network.
    package init(
        _ wishes: HotspotPlan.Wishes,
        hasPage: Bool,
        for application: PeerServiceType,
        consent: Consent,
        person: any Person
    ) {
        (self.wishes, self.hasPage, self.application) = (wishes, hasPage, application)
        (self.consent, self.person) = (consent, person)
    }

    /// Says what will happen, asks, makes the network, calls `body` and takes the network away.
    ///
    /// If the task is cancelled, the former network comes back, too.
    ///
    /// - Throws: ``NetworkError`` if the person declines; `NetworkManagerError`; the error of `body`.
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
