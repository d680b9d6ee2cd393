package import Avahi
package import NIOCore

/// A peer found by a browser.
public struct DiscoveredPeer: Hashable, Sendable, Identifiable {
    /// Identifies the peer: its claimed id, or its instance name if it claims none.
    public var id: String
    /// The name under which it is announced.
    package var instanceName: String
    /// The announced properties; none of them is proved.
    public var info: DiscoveryInfo
    /// The addresses as sockets have them, in the order in which to try them.
    package var socketAddresses: [SocketAddress]
    /// The interfaces on which the peer was found.
    package var interfaceNames: [String]
    /// Those of the addresses that a program on this machine has announced, as the system says.
    package var localAddresses: [SocketAddress]

    package init(
        id: String,
        instanceName: String,
        info: DiscoveryInfo,
        addresses: [SocketAddress],
        interfaceNames: [String],
        localAddresses: [SocketAddress] = []
    ) {
        self.id = id
        self.instanceName = instanceName
        self.info = info
        self.socketAddresses = addresses
        self.interfaceNames = interfaceNames
        self.localAddresses = localAddresses
    }

    /// The addresses of the peer, in the order in which to try them.
    public var addresses: [PeerAddress] { socketAddresses.compactMap { PeerAddress($0) } }

    /// The name to show, which proves nothing; escape it first.
    package var displayName: String { info.displayName ?? instanceName }

    /// The claimed id; nil if the peer claims none.
    ///
    /// The peer's certificate must prove it.
    public var peerID: PeerID? { info.peerID }
}

/// An event of a browser.
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum PeerBrowserEvent: Sendable {
    /// A peer appeared.
    case found(DiscoveredPeer)
    /// The properties or addresses of a peer changed.
    case changed(DiscoveredPeer)
    /// A peer is no longer announced.
    case lost(DiscoveredPeer.ID)
    /// All peers that were known at the start have been reported. More may follow at any time.
    case allForNow
    /// An error occurred; the browser retries.
    case failed(PeerError)
}

extension PeerBrowserEvent: LatestChange {
    /// What the event is about.
    package var subject: SearchSubject<DiscoveredPeer.ID> {
        switch self {
        case .found(let peer), .changed(let peer): .thing(peer.id)
        case .lost(let id): .thing(id)
        case .allForNow: .start
        case .failed: .search
        }
    }

    /// What has happened.
    package var kind: ChangeKind {
        switch self {
        case .found: .found
        case .changed: .changed
        case .lost: .lost
        case .allForNow, .failed: .word
        }
    }

    /// The event for a reader that has not heard of the peer.
    package var asFound: PeerBrowserEvent { if case .changed(let peer) = self { .found(peer) } else { self } }
}

extension DiscoveredPeer {
    /// The addresses as people write them, in the order in which to try: `192.168.1.7:4711`, `[fe80::1%wlan0]:4711`.
    package var addressTexts: [String] { socketAddresses.map(\.displayText) }
}
