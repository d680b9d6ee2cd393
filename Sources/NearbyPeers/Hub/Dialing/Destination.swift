import NIOCore
import PeerCore

/// The addresses at which a peer is dialed.
struct Destination: Sendable {
    /// The addresses from announcements; only those on networks of this machine are dialed.
    var addresses: [SocketAddress] = []
    /// Those of these addresses that a program on this machine has announced.
    var localAddresses: [SocketAddress] = []
    /// Further addresses as text, all of which are dialed.
    var texts: [String] = []
    var expected: ExpectedPeer?
    /// The name from discovery.
    var name: String?
}

extension Destination {
    /// Where discovery has found a peer.
    init(_ peer: NearbyPeer) {
        self.init(
            addresses: peer.addresses,
            localAddresses: peer.localAddresses,
            expected: ExpectedPeer(id: peer.peerID),
            name: peer.displayName
        )
    }
}
