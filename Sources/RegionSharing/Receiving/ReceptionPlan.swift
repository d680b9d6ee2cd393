package import PeerCore
import RegionStore

/// A reception: the way to the sender, and what receives from there.
package struct ReceptionPlan: Sendable {
    /// Where the sender is looked for.
    package enum Place: Sendable {
        /// Nearby, selected by a name, the start of an id, or a region; nil for any sender.
        case nearby(query: String?)
        case link(ShareLink)
        case address(PeerAddress)
    }

    /// Receives, and finds the sender by a function.
    package typealias Receiving = @Sendable (@escaping RegionReceiver.Locating) async throws -> Void

    /// The sender is in a Wi-Fi network of its own, as a share link says that was given while others were looked for.
    private struct LinkToNetwork: Error {
        var link: ShareLink
        var network: ShareLinkNetwork
    }

    private let receiver: RegionReceiver
    private let place: Place
    private let joins: Bool
    private let browser: @Sendable (_ limit: Duration?) -> PeerBrowser
    private let advise: @Sendable (SenderSearch, _ others: [DiscoveredPeer]) async -> Void
    /// Is called each time before the network is searched.
    package var searching: @Sendable () -> Void = {}

    /// Creates a plan; `advise` says what to check if only others, or none, were found for some time.
    package init(
        _ receiver: RegionReceiver,
        from place: Place,
        joins: Bool = false,
        browser: @escaping @Sendable (_ limit: Duration?) -> PeerBrowser,
        advise: @escaping @Sendable (SenderSearch, _ others: [DiscoveredPeer]) async -> Void
    ) {
        (self.receiver, self.place, self.joins) = (receiver, place, joins)
        (self.browser, self.advise) = (browser, advise)
    }

    /// Joins the sender's own Wi-Fi network if there is one, finds the sender, and receives.
    ///
    /// - Parameter inNetwork: Runs around everything that needs the network of a sender, which is left at the end.
    /// - Throws: ``NetworkError``, ``FindingError``, `NetworkManagerError`, `PeerError`; the errors of the two functions.
    package func run(
        inNetwork: (@escaping @Sendable () async throws -> Void) async throws -> Void = { try await $0() },
        receiving receive: @escaping Receiving
    ) async throws {
        let joiner = HotspotJoiner(
            application: receiver.local.application,
            consent: receiver.consent,
            person: receiver.person
        )
        func join(_ link: ShareLink, _ network: ShareLinkNetwork) async throws {
            try await inNetwork {
                try await joiner.with(network) { try await receive { _, _ in .link(link) } }
            }
        }
        switch place {
        case .link(let link):
            guard let network = link.network else { return try await receive { _, _ in .link(link) } }
            return try await join(link, network)
        case .nearby, .address:
            let locate: RegionReceiver.Locating = { try await find(after: $0, within: $1) }
            do {
                guard joins else { return try await receive(locate) }
                try await inNetwork { try await joiner.withFound { try await receive(locate) } }
            } catch let found as LinkToNetwork {
                try await join(found.link, found.network)
            }
        }
    }

    /// Finds the sender: not the one that was found before and refuses connections, if there is another one.
    private func find(after refusing: DiscoveredPeer?, within timeout: Duration?) async throws -> SenderLocation {
        let query: String?
        switch place {
        case .address(let address): return .address(address)
        case .link(let link): return .link(link)
        case .nearby(let name): query = name
        }
        searching()
        let picker = PeerPicker(
            browser: browser(timeout),
            for: SenderSearch(
                query: query,
                after: refusing,
                trustedPeers: try receiver.store.trustedPeers.all(),
                timeout: timeout
            ),
            consent: receiver.consent,
            person: receiver.person,
            links: receiver.links,
            advise: advise
        )
        let location = try await picker.choose()
        if let link = location.link, let network = link.network { throw LinkToNetwork(link: link, network: network) }
        return location
    }
}
