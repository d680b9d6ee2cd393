package import PeerCore
public import RegionStore

/// Records a transfer with a peer in the store.
package struct PeerRecorder: Sendable {
    private let store: RegionStore
    private let person: any Person

    /// Creates a recorder for a store.
    package init(store: RegionStore, person: any Person) {
        (self.store, self.person) = (store, person)
    }

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
    ///
    /// - Parameters:
    ///   - peer: The peer.
    ///   - isNew: Whether it was not trusted before a person compared its digits.
    /// - Returns: The peer; nil if nothing changed.
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

/// What to call a trusted machine.
public struct PeerNameQuestion: Question {
    /// The machine, with the name that it has given itself.
    public let peer: TrustedPeer
    /// Why the last answer was not taken: another machine has the name; nil if there was none.
    public fileprivate(set) var conflict: RegionStoreError?

    /// The name that it has.
    public var defaultAnswer: OwnName? { nil }
}

/// The trusted peers of a store; tells when there is one more.
package struct ToldTrust: TrustStore {
    private let peers: TrustedPeers
    private let person: any Person

    /// Creates the trust of a store.
    package init(peers: TrustedPeers, person: any Person) {
        (self.peers, self.person) = (peers, person)
    }

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
