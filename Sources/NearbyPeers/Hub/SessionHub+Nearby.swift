import NIOCore
import PeerCore
import PeerProtocol

/// Invites peers that discovery finds, as ``NearbyInviter`` decides.
extension SessionHub {
    /// The shortest time between two lists of peers.
    private static let listPause: Duration = .milliseconds(100)

    /// Updates the addresses of a known peer that discovery sees.
    func sighted(_ peer: NearbyPeer) {
        guard let id = peer.peerID, peers[id] != nil else { return }
        peers[id]?.sighted(peer)
    }

    /// Reports once that discovery does not work.
    func discoveryFailed(_ error: PeerError) {
        if inviter.failed(error) { states.report(.discoveryFailed(error)) }
    }

    /// Keeps track of the peers nearby.
    func watchNearby() async {
        while !Task.isCancelled {
            do throws(PeerError) {
                for try await found in PeerBrowsing(hub: self) {
                    inviter.found(found)
                    work.looks.add(())
                    // Each list replaces the one before, so this pause loses nothing, and announcements that change fast cost
                    // little.
                    guard (try? await clock.sleep(for: Self.listPause)) != nil else { return }
                }
            } catch {
                discoveryFailed(error)
            }
            guard (try? await clock.sleep(for: NearbyInviter.pause)) != nil else { return }
        }
    }

    /// Invites the peers that are due, until the session ends.
    func inviteNearby() async {
        while !Task.isCancelled {
            let now = clock.now
            let due = inviter.due(at: now) { peer in
                peer.peerID.flatMap { peers[$0]?.machine.wasLinked } != true
            }
            for next in due {
                // The trust store may have taken its time, so the peer may be gone, and others may have been invited.
                guard let (peer, isNew) = inviter.consider(next.id, at: now) else { continue }
                await inviteIfWanted(peer, isNew: isNew)
            }
            let cancelTimer = clock.schedule(at: clock.now + NearbyInviter.pause) { [looks = work.looks] in
                looks.add(())
            }
            _ = await work.looks.next()
            cancelTimer()
        }
    }

    private func inviteIfWanted(_ peer: NearbyPeer, isNew: Bool) async {
        guard let id = peer.peerID, isFree(id, isNew: isNew) else { return }
        if configuration.invites == .trustedFound {
            let trust = try? await work.callOut { [configuration] in
                try await configuration.trust.trust(of: id, callingItself: peer.displayName)
            }
            // The state of the peer may have changed while the trust store answered.
            guard case .trusted? = trust, isFree(id, isNew: isNew) else { return }
        }
        inviter.began()
        let isRunning = work.add {
            _ = try? await self.invite(Destination(peer), id, context: nil, timeout: .seconds(30), isAutomatic: true)
            await self.invitedAutomatically()
        }
        if !isRunning { inviter.ended() }
    }

    private func invitedAutomatically() {
        inviter.ended()
        work.looks.add(())
    }

    /// Whether a peer may be invited.
    private func isFree(_ id: PeerID, isNew: Bool) -> Bool {
        id != localID && peers[making: id].machine.mayBeInvited(isNew: isNew) && !peers.isFull(besides: id)
    }
}
