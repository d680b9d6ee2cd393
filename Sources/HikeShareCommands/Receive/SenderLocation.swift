import NIOCore
import PeerCore

/// Where a sender is.
enum SenderLocation: Sendable {
    /// At an address that a person typed; whoever is there is meant.
    case address(PeerAddress)
    /// A peer that was found; it must be who it says it is.
    case peer(DiscoveredPeer)
    /// The sender that a link names, and no other.
    case link(PeerLink)

    /// Whether the sender was found by discovery.
    var isDiscovered: Bool {
        if case .peer = self { true } else { false }
    }

    /// The secret that lets this machine in; nil without a link.
    var token: LinkToken? {
        if case .link(let link) = self { link.token } else { nil }
    }

    /// Returns where the sender may be by now; nil where that does not change while connecting.
    var lookAgain: (@Sendable () -> [SocketAddress])? {
        guard case .link(let link) = self else { return nil }
        return { link.addressesOnEveryNetwork() }
    }

    /// How long connecting may take so that it ends at about the deadline; nil for as long as it takes.
    ///
    /// Only looking for a sender has a deadline: with an address or a link there is nothing to look for.
    func connectingTime(
        until deadline: ContinuousClock.Instant,
        at now: ContinuousClock.Instant
    ) -> Duration? {
        guard case .peer = self else { return nil }
        return max(Self.shortestConnectingTime, deadline - now)
    }

    /// Enough for a sender that was found at the last moment.
    static let shortestConnectingTime: Duration = .seconds(1)
}
