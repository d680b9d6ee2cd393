import NIOCore

/// Finds a sender again while a receiver waits for its next attempt.
package struct SenderTracker: Sendable {
    /// The browser that finds senders.
    package var browser: PeerBrowser

    package init(browser: PeerBrowser) { self.browser = browser }

    /// Waits for the next attempt and returns where the sender is then; nil if a person stops the wait.
    ///
    /// The address may change with the network or after a restart. The wait ends as soon as a new address is seen, or another
    /// sender that is preferred.
    package func nextLocation(
        after location: SenderLocation,
        within patience: Duration,
        or substitutes: Substitutes? = nil,
        isSearch: Bool = false,
        _ control: TransferControl
    ) async -> SenderLocation? {
        let seen = Seen()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await Task.sleep(for: patience) }
            group.addTask { await waitForEnd(control) }
            if location.sender != nil || substitutes != nil {
                group.addTask {
                    if await follow(location, seen, substitutes) || isSearch { return }
                    // Without discovery, only the time ends the wait.
                    await waitForEnd(TransferControl())
                }
            }
            await group.next()
            group.cancelAll()
        }
        guard !control.isCancelled, !Task.isCancelled else { return nil }
        if let substitutes, let other = substitutes.choice(of: await seen.others) {
            let isAlone = await seen.peer == nil
            if isAlone || substitutes.isPreferred { return .peer(other) }
        }
        guard let peer = await seen.peer else { return location }
        return location.link.map { .link($0, at: peer) } ?? .peer(peer)
    }

    private func waitForEnd(_ control: TransferControl) async {
        while !control.isCancelled, (try? await Task.sleep(for: .milliseconds(100))) != nil {}
    }

    /// Waits until the peer appears at a new address, or a preferred substitute, and returns true; returns false if discovery does
    /// not work.
    private func follow(_ location: SenderLocation, _ seen: Seen, _ substitutes: Substitutes?) async -> Bool {
        let isFound = try? await browser.withEvents { events in
            for await event in events {
                switch event {
                case .found(let found), .changed(let found):
                    guard let id = found.peerID else { continue }
                    guard location.sender?.accepts(id) == true else {
                        guard let substitutes, substitutes.accepts(found) else { continue }
                        await seen.add(found)
                        if substitutes.isPreferred { return true }
                        continue
                    }
                    await seen.set(found)
                    if !Set(found.socketAddresses).isSubset(of: location.knownAddresses) { return true }
                case .lost(let id): await seen.lose(id)
                case .allForNow, .failed: break
                }
            }
            return false
        }
        return isFound ?? false
    }

    /// The sender as it was last seen, and those that may take its place.
    private actor Seen {
        var peer: DiscoveredPeer?
        var others: [DiscoveredPeer] = []

        func set(_ peer: DiscoveredPeer) { self.peer = peer }

        func add(_ other: DiscoveredPeer) {
            lose(other.id)
            others.append(other)
        }

        func lose(_ id: DiscoveredPeer.ID) {
            if peer?.id == id { peer = nil }
            others.removeAll { $0.id == id }
        }
    }

    /// Other senders that may take the place of one that is gone.
    package struct Substitutes: Sendable {
        /// Returns whether a sender has what is wanted, as far as its announcement tells.
        package var accepts: @Sendable (DiscoveredPeer) -> Bool
        /// Whether one of them is tried although the sender is announced, because it does not answer.
        package var isPreferred: Bool
        /// The ids that come first: anyone can announce others, as many and as late as they like.
        package var trusted: Set<PeerID>

        package init(
            isPreferred: Bool,
            trusted: Set<PeerID> = [],
            accepts: @escaping @Sendable (DiscoveredPeer) -> Bool
        ) {
            self.accepts = accepts
            self.isPreferred = isPreferred
            self.trusted = trusted
        }

        /// Picks one of those that have what is wanted; nil if there is none.
        func choice(of peers: [DiscoveredPeer]) -> DiscoveredPeer? {
            let known = peers.filter { $0.peerID.map(trusted.contains) == true }
            return (known.isEmpty ? peers : known).randomElement()
        }
    }
}
