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
            if case .peer(let peer) = location {
                group.addTask {
                    if await follow(peer, seen) { return }
                    // Without discovery, only the time ends the wait.
                    await waitForEnd(TransferControl())
                }
            }
            await group.next()
            group.cancelAll()
        }
        guard !control.isCancelled, !Task.isCancelled else { return nil }
        return await seen.peer.map { .peer($0) } ?? location
    }

    private func waitForEnd(_ control: TransferControl) async {
        while !control.isCancelled, (try? await Task.sleep(for: .milliseconds(100))) != nil {}
    }

    /// Waits until the peer appears at a new address and returns true; returns false if discovery does not work.
    private func follow(_ peer: DiscoveredPeer, _ seen: Seen) async -> Bool {
        guard let id = peer.peerID else { return false }
        let isElsewhere = try? await browser.withEvents { events in
            for await event in events {
                switch event {
                case .found(let found), .changed(let found):
                    guard found.peerID == id else { continue }
                    await seen.set(found)
                    if !Set(found.addresses).isSubset(of: peer.addresses) { return true }
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
    /// The sender that a share link names, and no other.
    case link(ShareLink)

    /// Whether the sender was found by discovery.
    var isDiscovered: Bool {
        if case .peer = self { true } else { false }
    }

    /// The share link that names the sender and admits this machine; nil for none.
    var link: ShareLink? {
        if case .link(let link) = self { link } else { nil }
    }

    /// Returns a function for the current addresses of the sender; nil if they do not change while connecting.
    var lookAgain: (@Sendable () -> [SocketAddress])? {
        guard case .link(let link) = self else { return nil }
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
