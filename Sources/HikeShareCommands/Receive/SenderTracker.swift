import NIOCore
import PeerCore

/// Finds a sender again while a receiver waits for its next attempt.
struct SenderTracker: Sendable {
    /// The browser that finds senders.
    var browser: PeerBrowser

    /// Waits for the next attempt and returns where the sender is then; nil if a person stops the wait.
    ///
    /// The address may change with the network or after a restart. The wait ends as soon as a new address is seen.
    func nextLocation(
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

/// The location of a sender.
enum SenderLocation: Sendable {
    /// An address that a person typed; any peer there is acceptable.
    case address(PeerAddress)
    /// A discovered peer, which must prove its claimed id.
    case peer(DiscoveredPeer)
    /// The sender that a share link names, and no other; discovered if the addresses of the share link led nowhere.
    case link(ShareLink, at: DiscoveredPeer? = nil)

    /// Whether the sender was found by discovery.
    var isDiscovered: Bool {
        switch self {
        case .peer, .link(_, at: .some): true
        case .address, .link(_, at: nil): false
        }
    }

    /// The share link that names the sender and admits this machine; nil for none.
    var link: ShareLink? {
        if case .link(let link, _) = self { link } else { nil }
    }

    /// The only peer that can be the sender; nil if nothing is known of its id.
    var sender: ExpectedPeer? {
        switch self {
        case .address: nil
        case .peer(let peer): ExpectedPeer(id: peer.peerID)
        case .link(let link, _): ExpectedPeer(id: nil, prefix: link.sender)
        }
    }

    /// The addresses at which the sender was until now.
    var knownAddresses: [SocketAddress] {
        switch self {
        case .address: []
        case .peer(let peer), .link(_, at: let peer?): peer.addresses
        case .link(let link, at: nil): link.addressesOnEveryNetwork()
        }
    }

    /// Whether discovery may find the sender elsewhere than at the addresses of its share link.
    func mayHaveMoved(after error: any Error) -> Bool {
        guard case .link(_, at: nil) = self, let error = error as? PeerError else { return false }
        return [.cannotConnect, .timedOut, .notTrusted, .protocolViolation].contains(error.code)
    }

    /// Returns an error in words that fit a share link, if this is one.
    func explained(_ error: any Error) -> any Error {
        guard case .link = self, var error = error as? PeerError, error.code == .notTrusted else { return error }
        error.message = "This link belongs to another laptop than the one that answers, or its address has changed."
        error.remedy = "Ask for the link that is on the sender's screen now."
        return error
    }

    /// Returns a function for the current addresses of the sender; nil if they do not change while connecting.
    var lookAgain: (@Sendable () -> [SocketAddress])? {
        guard case .link(let link, at: nil) = self else { return nil }
        return { link.addressesOnEveryNetwork() }
    }

    /// Returns the time for connecting so that it ends at about the deadline; nil for no limit.
    ///
    /// Only a search has a deadline. With an address or a share link, nothing is searched for.
    func connectingTime(
        until deadline: ContinuousClock.Instant,
        at now: ContinuousClock.Instant
    ) -> Duration? {
        guard case .peer = self else { return nil }
        return max(Self.shortestConnectingTime, deadline - now)
    }

    /// The minimum time, for a sender that was found just before the deadline.
    static let shortestConnectingTime: Duration = .seconds(1)
}
