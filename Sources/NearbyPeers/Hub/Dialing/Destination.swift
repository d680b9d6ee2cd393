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
        (addresses, localAddresses, name) = (peer.socketAddresses, peer.localAddresses, peer.displayName)
        expected = ExpectedPeer(id: peer.peerID)
    }

    /// Adds what a call knows of the peer.
    mutating func add(_ other: Destination) {
        if !other.addresses.isEmpty { add(other.addresses, local: other.localAddresses) }
        if !other.texts.isEmpty { texts = other.texts }
    }

    /// Adds addresses from discovery before the others, or moves them there.
    mutating func add(_ found: [SocketAddress], local: [SocketAddress]) {
        localAddresses = local
        for address in found.reversed() {
            addresses.removeAll { $0 == address }
            addresses.insert(address, at: 0)
            if addresses.count > 32 { addresses.removeLast() }
        }
    }
}
