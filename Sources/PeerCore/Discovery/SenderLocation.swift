package import NIOCore

/// The location of a sender.
package enum SenderLocation: Sendable {
    /// An address that a person typed; any peer there is acceptable.
    case address(PeerAddress)
    /// A discovered peer, which must prove its claimed id.
    case peer(DiscoveredPeer)
    /// The sender that a share link names, and no other; discovered if the addresses of the share link led nowhere.
    case link(ShareLink, at: DiscoveredPeer? = nil)

    /// Whether the sender was found by discovery.
    package var isDiscovered: Bool {
        switch self {
        case .peer, .link(_, at: .some): true
        case .address, .link(_, at: nil): false
        }
    }

    /// The share link that names the sender and admits this machine; nil for none.
    package var link: ShareLink? { if case .link(let link, _) = self { link } else { nil } }

    /// The only peer that can be the sender; nil if nothing is known of its id.
    package var sender: ExpectedPeer? {
        switch self {
        case .address: nil
        case .peer(let peer): ExpectedPeer(id: peer.peerID)
        case .link(let link, _): ExpectedPeer(id: nil, prefix: link.sender)
        }
    }

    /// Returns the addresses at which to connect.
    package func addresses() async throws -> [SocketAddress] {
        switch self {
        case .address(let address): try await address.resolve()
        case .peer(let peer), .link(_, at: let peer?): peer.socketAddresses
        case .link(let link, at: nil): try await link.resolve()
        }
    }

    /// The addresses at which the sender was until now.
    package var knownAddresses: [SocketAddress] {
        switch self {
        case .address: []
        case .peer(let peer), .link(_, at: let peer?): peer.socketAddresses
        case .link(let link, at: nil): link.addressesOnEveryNetwork()
        }
    }

    /// Whether discovery may find the sender elsewhere than at the addresses of its share link.
    package func mayHaveMoved(after error: any Error) -> Bool {
        guard case .link(_, at: nil) = self, let error = error as? PeerError else { return false }
        return [.cannotConnect, .timedOut, .notTrusted, .protocolViolation].contains(error.code)
    }

    /// Returns a function for the current addresses of the sender; nil if they do not change while connecting.
    package var lookAgain: (@Sendable () -> [SocketAddress])? {
        guard case .link(let link, at: nil) = self else { return nil }
        return { link.addressesOnEveryNetwork() }
    }

    /// Returns the time for connecting so that it ends at about the deadline; nil for no limit.
    ///
    /// Only a search has a deadline. With an address or a share link, nothing is searched for.
    package func connectingTime(until deadline: ContinuousClock.Instant, at now: ContinuousClock.Instant) -> Duration? {
        guard case .peer = self else { return nil }
        return max(Self.shortestConnectingTime, deadline - now)
    }

    /// The minimum time, for a sender that was found just before the deadline.
    package static let shortestConnectingTime: Duration = .seconds(1)
}
