extension PeerBrowser {
    /// Searches for a time, and returns the peers that are present at the end, in the order of their last changes.
    ///
    /// - Parameters:
    ///   - time: How long to search.
    ///   - failed: Called if discovery fails for a while, such as while the Avahi daemon starts again.
    /// - Returns: The peers.
    /// - Throws: ``PeerError`` if discovery does not work; `CancellationError` if the task is cancelled.
    package func collect(
        for time: Duration,
        failed: @escaping @Sendable (PeerError) -> Void = { _ in }
    ) async throws -> [DiscoveredPeer] {
        try await withEvents { events in
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
                // The stream ends early only if the task is cancelled.
                throw CancellationError()
            }
        }
    }
}
