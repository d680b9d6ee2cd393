package import PeerCore
package import RegionStore

/// The trusted peers of a store; tells when there is one more.
package struct ToldTrust: TrustStore {
    private let peers: TrustedPeers
    private let person: any Person

    /// Creates the trust of a store.
    package init(peers: TrustedPeers, person: any Person) { (self.peers, self.person) = (peers, person) }

    package func trust(of id: PeerID, callingItself name: String) async throws -> PeerTrust {
        try await peers.trust(of: id, callingItself: name)
    }

    package func pin(_ id: PeerID, name: String) async throws {
        let isKnown = try peers.all().contains { $0.id == id }
        try peers.pin(id, name: name)
        guard !isKnown, let peer = try peers.all().first(where: { $0.id == id }) else { return }
        person.tell(.finding(.trusted(peer)))
    }
}
