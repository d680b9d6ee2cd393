import PeerCore
import RegionStore

/// Records a transfer with a peer in the store.
struct PeerRecorder: Sendable {
    var store: RegionStore
    var console: Console

    /// Records the transfer, and if people have just confirmed the peer, asks for its name.
    func note(_ peer: RemotePeer, isNew: Bool) async throws {
        guard let trusted = record(peer, isNew: isNew) else { return }
        try await askForName(of: trusted)
    }

    /// Asks once for the name of a peer that was just trusted; Enter keeps its own.
    func askForName(of peer: TrustedPeer) async throws {
        let form = QuestionForm(text: "What do you call this person?", usual: peer.name)
        while let line = try await console.ask("What do you call this person? [\(peer.name)] ", form: form),
            let name = OwnName(argument: line)?.text, name != peer.name
        {
            // After a transfer, what is typed in a terminal may be the next command.
            let isMeant =
                if console.window == nil {
                    try await console.confirm("Call this person \(DisplayText(quoting: name))?")
                } else {
                    true
                }
            guard isMeant else { return }
            do {
                let named = try store.trustedPeers.trust(peer.id, name: name)
                return console.emit(TrustedPeerChangeReport(change: .renamed(from: peer.name), peer: named))
            } catch let error as RegionStoreError where error.code == .conflict {
                console.tell("\(error.message)")
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
    func record(_ peer: RemotePeer, isNew: Bool) -> TrustedPeer? {
        guard let id = peer.security.certifiedID else { return nil }
        do {
            return try store.trustedPeers.recordTransfer(with: id, isNew: isNew)
        } catch {
            // The transfer is complete, so this error does not make it a failure.
            console.warn(ProblemReport(error, severity: .warning))
            return nil
        }
    }
}

/// The trusted peers of a store; says so when there is one more.
struct ToldTrust: TrustStore {
    var peers: TrustedPeers
    var console: Console

    func trust(of id: PeerID, callingItself name: String) async throws -> PeerTrust {
        try await peers.trust(of: id, callingItself: name)
    }

    func pin(_ id: PeerID, name: String) async throws {
        let isKnown = try peers.all().contains { $0.id == id }
        try peers.pin(id, name: name)
        guard !isKnown, let peer = try peers.all().first(where: { $0.id == id }) else { return }
        let report = TrustedPeerChangeReport(change: .trusted, peer: peer)
        console.emitForPrograms(report)
        console.note(report.text)
    }
}
