import PeerCore
import RegionStore

/// Records a transfer with a peer in the store.
struct PeerRecorder: Sendable {
    var store: RegionStore
    var console: Console

    /// Records the transfer, and shows that the peer is trusted from now on if people have just confirmed it.
    func note(_ peer: RemotePeer, wasCompared: Bool) {
        guard let trusted = record(peer, wasCompared: wasCompared) else { return }
        console.note(TrustedPeerChangeReport(change: .trusted, peer: trusted).text)
    }

    /// Records the transfer, and returns the peer if it is trusted from now on.
    ///
    /// Programs are told at once. In plain text, nothing proves the peer's identity, so nothing is recorded.
    func record(_ peer: RemotePeer, wasCompared: Bool) -> TrustedPeer? {
        guard let id = peer.security.certifiedID else { return nil }
        do {
            let trusted = try store.trustedPeers.recordTransfer(
                with: id,
                wasTrusted: peer.isTrusted,
                wasCompared: wasCompared
            )
            guard let trusted else { return nil }
            console.emitForPrograms(TrustedPeerChangeReport(change: .trusted, peer: trusted))
            return trusted
        } catch {
            // The transfer is complete, so this error does not make it a failure.
            console.warn(ProblemReport(error, severity: .warning))
            return nil
        }
    }
}
