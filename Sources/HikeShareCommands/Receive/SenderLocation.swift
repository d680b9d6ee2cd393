import NIOCore
import PeerCore

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
