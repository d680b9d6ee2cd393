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
            // What was to be sent has been; this is no reason to call it a failure.
            console.warn(ProblemReport(error, severity: .warning))
        }
    }
}
