import PeerCore

/// The peers nearby.
struct NearbyPeers: Sendable {
    var browser: PeerBrowser

    /// Searches for a time, and returns the peers that are present at the end, in the order in which they were found.
    ///
    /// - Throws: ``PeerError`` if discovery does not work.
    func collect(
        for time: Duration,
        failed: @escaping @Sendable (PeerError) -> Void
    ) async throws -> [DiscoveredPeer] {
        try await browser.withEvents { events in
            let (news, inbox) = AsyncStream.makeStream(of: PeerBrowserEvent?.self)
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { for await event in events { inbox.yield(event) } }
                group.addTask {
                    try await Task.sleep(for: time)
                    inbox.yield(nil)
                }
                defer { group.cancelAll() }
                var peers: [DiscoveredPeer] = []
                for await event in news {
                    switch event {
                    case .found(let peer), .changed(let peer):
                        peers.removeAll { $0.id == peer.id }
                        peers.append(peer)
                    case .lost(let id): peers.removeAll { $0.id == id }
                    case .failed(let error): failed(error)
                    case .allForNow: break
                    case nil: return peers
                    }
                }
                throw CancellationError()
            }
        }
    }
}

extension PeerBrowser {
    /// Creates a browser for machines that run this program.
    ///
    /// - Parameters:
    ///   - ownID: The id of this machine, which is not reported; nil to report every machine.
    ///   - limit: The duration of the search; a missing Avahi daemon is reported by then.
    /// - Returns: The browser.
    static func nearby(except ownID: PeerID? = nil, within limit: Duration? = nil) -> PeerBrowser {
        PeerBrowser(
            serviceType: .hikeshare,
            ownID: ownID,
            backend: limit.map { AvahiDiscovery(within: $0) } ?? AvahiDiscovery(),
            logger: Software.logger("discovery")
        )
    }
}
