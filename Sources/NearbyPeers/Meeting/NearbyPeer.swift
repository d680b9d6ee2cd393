import NIOCore
public import PeerCore

/// A peer that discovery sees.
///
/// Announcements prove nothing. Escape names and properties before you show them.
///
/// See <doc:GettingStarted> for an example.
public struct NearbyPeer: Identifiable, Hashable, Sendable {
    /// Identifies the peer: the id that it claims, or its name if it claims none.
    public var id: String
    /// The id that it claims; nil if it claims none.
    public var peerID: PeerID?
    /// The name to show to people.
    public var displayName: String
    /// The properties that the peer's application announces.
    public var info: [String: String]
    /// The addresses at which the peer listens, the most promising first.
    public var addresses: [PeerAddress] { socketAddresses.compactMap { PeerAddress($0) } }

    /// The addresses as sockets have them.
    var socketAddresses: [SocketAddress]
    /// Those that a program on this machine has announced.
    var localAddresses: [SocketAddress]

    /// The ports of its addresses; a program that has restarted usually has another one.
    var ports: Set<Int> { Set(socketAddresses.compactMap(\.port)) }

    init(_ peer: DiscoveredPeer) {
        self.id = peer.id
        self.peerID = peer.peerID
        self.displayName = peer.displayName
        self.info = peer.info.custom
        self.socketAddresses = peer.socketAddresses
        self.localAddresses = peer.localAddresses
    }
}
