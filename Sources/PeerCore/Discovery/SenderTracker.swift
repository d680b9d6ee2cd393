import NIOCore

/// Finds a sender again while a receiver waits for its next attempt.
package struct SenderTracker: Sendable {
    /// The browser that finds senders.
    package var browser: PeerBrowser

    /// Creates a tracker.
    package init(browser: PeerBrowser) { self.browser = browser }

    /// Waits for the next attempt and returns where the sender is then; nil if a person stops the wait.
    ///
    /// The address may change with the network or after a restart. The wait ends as soon as a new address is seen.
    package func nextLocation(
        after location: SenderLocation,
        within patience: Duration,
        _ control: TransferControl
    ) async -> SenderLocation? {
        let seen = Seen()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await Task.sleep(for: patience) }
            group.addTask { await waitForEnd(control) }
            if location.sender != nil {
                group.addTask {
                    if await follow(location, seen) { return }
                    // Without discovery, only the time ends the wait.
                    await waitForEnd(TransferControl())
                }
            }
            await group.next()
            group.cancelAll()
        }
        guard !control.isCancelled, !Task.isCancelled else { return nil }
        guard let peer = await seen.peer else { return location }
        return location.link.map { .link($0, at: peer) } ?? .peer(peer)
    }

    private func waitForEnd(_ control: TransferControl) async {
        while !control.isCancelled, (try? await Task.sleep(for: .milliseconds(100))) != nil {}
    }

    /// Waits until the peer appears at a new address and returns true; returns false if discovery does not work.
    private func follow(_ location: SenderLocation, _ seen: Seen) async -> Bool {
        guard let sender = location.sender else { return false }
        let isElsewhere = try? await browser.withEvents { events in
            for await event in events {
                switch event {
                case .found(let found), .changed(let found):
                    guard let id = found.peerID, sender.accepts(id) else { continue }
                    await seen.set(found)
                    if !Set(found.addresses).isSubset(of: location.knownAddresses) { return true }
                case .lost, .allForNow, .failed:
                    break
                }
            }
            return false
        }
        return isElsewhere ?? false
    }

    /// The sender as it was last seen.
    private actor Seen {
        var peer: DiscoveredPeer?

        func set(_ peer: DiscoveredPeer) { self.peer = peer }
    }
}
