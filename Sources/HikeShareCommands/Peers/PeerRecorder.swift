import PeerCore
import RegionStore

/// Records a session with a peer in the store.
struct PeerRecorder: Sendable {
    var store: RegionStore
    var console: Console

    /// Records the session, and shows that the peer is trusted from now on if people have just confirmed it.
    ///
    /// In plain text, nothing proves the peer's identity, so nothing is recorded.
    func note(_ peer: RemotePeer, wasCompared: Bool) {
        guard let id = peer.security.certifiedID else { return }
        do {
            let trusted = try store.trustedPeers.recordSession(
                with: id,
                wasTrusted: peer.isTrusted,
                wasCompared: wasCompared
            )
            guard let trusted else { return }
            let report = TrustedPeerChangeReport(change: .trusted, peer: trusted)
            console.emitForPrograms(report)
            console.note(report.text)
        } catch {
            // The transfer is complete, so this error does not make it a failure.
            console.warn(ProblemReport(error, severity: .warning))
        }
    }
}
