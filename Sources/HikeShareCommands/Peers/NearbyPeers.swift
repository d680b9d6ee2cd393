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
