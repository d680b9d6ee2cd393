import PeerCore
import RegionStore

/// What a store keeps of a peer after a session with it.
struct PeerRecorder: Sendable {
    var store: RegionStore
    var console: Console

    /// Notes that a peer was here, and tells that it is trusted from now on if people have just made it so.
    ///
    /// In plain text nobody has proved anything, so that nothing is noted.
    func note(_ peer: RemotePeer, wasCompared: Bool) {
        guard let id = peer.security.certifiedID else { return }
        do {
            try note(peer, id, wasCompared)
        } catch {
            // What was to be sent has been; this is no reason to call it a failure.
            console.warn(ProblemReport(error, severity: .warning))
        }
    }

    private func note(_ peer: RemotePeer, _ id: PeerID, _ wasCompared: Bool) throws {
        try store.trustedPeers.noteSeen(id)
        guard wasCompared, !peer.isTrusted, let known = try store.trustedPeers.all().first(where: { $0.id == id })
        else { return }
        let report = TrustedPeerChangeReport(change: .trusted, peer: known)
        console.emitForPrograms(report)
        console.note(report.text)
    }
}
