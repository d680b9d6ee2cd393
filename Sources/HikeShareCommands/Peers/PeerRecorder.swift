import PeerCore
import RegionStore

/// Records a transfer with a peer in the store.
struct PeerRecorder: Sendable {
    var store: RegionStore
    var console: Console

    /// Records the transfer, and if people have just confirmed the peer, shows that it is trusted from now on, and asks for its name.
    func note(_ peer: RemotePeer, isNew: Bool) async throws {
        guard let trusted = record(peer, isNew: isNew) else { return }
        console.note(TrustedPeerChangeReport(change: .trusted, peer: trusted).text)
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
    /// Programs are told at once. In plain text, nothing proves the peer's identity, so nothing is recorded.
    ///
    /// - Parameters:
    ///   - peer: The peer.
    ///   - isNew: Whether it was not trusted before a person compared its digits.
    /// - Returns: The peer; nil if nothing changed.
    func record(_ peer: RemotePeer, isNew: Bool) -> TrustedPeer? {
        guard let id = peer.security.certifiedID else { return nil }
        do {
            guard let trusted = try store.trustedPeers.recordTransfer(with: id, isNew: isNew) else { return nil }
            console.emitForPrograms(TrustedPeerChangeReport(change: .trusted, peer: trusted))
            return trusted
        } catch {
            // The transfer is complete, so this error does not make it a failure.
            console.warn(ProblemReport(error, severity: .warning))
            return nil
        }
    }
}
