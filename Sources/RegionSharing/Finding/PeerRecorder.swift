package import PeerCore
package import RegionStore

/// Records a transfer with a peer in the store.
package struct PeerRecorder: Sendable {
    private let store: RegionStore
    private let person: any Person

    package init(store: RegionStore, person: any Person) { (self.store, self.person) = (store, person) }

    /// Records the transfer, and if people have just confirmed the peer, asks for its name.
    package func note(_ peer: RemotePeer, isNew: Bool) async throws {
        guard let trusted = record(peer, isNew: isNew) else { return }
        try await askForName(of: trusted)
    }

    /// Asks for the name of a peer that was just trusted, again if another one has it.
    package func askForName(of peer: TrustedPeer) async throws {
        var question = PeerNameQuestion(peer: peer)
        while let name = try await person.ask(question) {
            do {
                let named = try store.trustedPeers.trust(peer.id, name: name.text)
                return person.tell(.finding(.renamed(from: peer.name, named)))
            } catch let error as RegionStoreError where error.code == .conflict {
                question.conflict = error
            }
        }
    }

    /// Records the transfer, and returns the peer if it is trusted from now on.
    ///
    /// In plain text, nothing proves the peer's identity, so nothing is recorded.
    package func record(_ peer: RemotePeer, isNew: Bool) -> TrustedPeer? {
        guard let id = peer.security.certifiedID else { return nil }
        do {
            return try store.trustedPeers.recordTransfer(with: id, isNew: isNew)
        } catch {
            // The transfer is complete, so this error does not make it a failure.
            person.tell(.problem(error))
            return nil
        }
    }
}
