import PeerCore
import PeerProtocol

/// Lets others find this machine, and invites peers that discovery finds, as ``NearbyInviter`` decides.
extension SessionHub {
    /// Announces this machine until the task is cancelled or the session ends; of several calls, the latest one counts.
    func advertise(_ info: [String: String], _ name: String?) async throws(PeerError) {
        guard !hasLeft else { throw .sessionEnded }
        let call = presence.add(connections.makeNumber())
        defer { presence.remove(call) }
        let discovery = transport.discovery
        while !Task.isCancelled, !hasLeft {
            if isAnnounced(call) {
                let shown = name ?? states.ownName
                try await states.announce(info, shown, port: presence.port, configuration, by: discovery) {
                    // Until a newer call takes the place of this one, or this machine has another name.
                    while await self.isAnnounced(call), shown == name ?? self.states.ownName,
                        await call.changes.next() != nil
                    {}
                }
            } else {
                _ = await call.changes.next()
            }
        }
    }

    private func isAnnounced(_ call: Presence.Announcement) -> Bool { !hasLeft && presence.isLast(call) }

    /// Makes a share link, whose token admits any peer that has it.
    func makeShareLink() throws(PeerError) -> ShareLink {
        guard !hasLeft else { throw .sessionEnded }
        return try ShareLink(
            for: configuration.local.application,
            addresses: Array(ownAddresses.prefix(ShareLink.maximumAddressCount)),
            id: localID,
            token: presence.token
        )
    }

    /// The search for peers nearby, which keeps the hub informed.
    nonisolated var browsing: PeerBrowsing {
        PeerBrowsing(configuration: configuration, transport: transport, work: work) { await self.handle($0) }
    }

    private func handle(_ event: PeerBrowsing.Event) {
        switch event {
        case .sighted(let peer):
            if let id = peer.peerID { peers[id]?.sighted(peer) }
        case .listed(let found):
            inviter.found(found)
            work.looks.add(())
        case .works: inviter.recovered()
        case .failed(let error):
            if inviter.failed(error) { states.report(.discoveryFailed(error)) }
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
        guard let id = peer.peerID, peers.mayBeInvited(id, isNew: isNew) else { return }
        if configuration.invites == .trustedFound {
            let trust = try? await work.trust(of: id, callingItself: peer.displayName, in: configuration.trust)
            // The state of the peer may have changed while the trust store answered.
            guard trust?.isAdmitted == true, peers.mayBeInvited(id, isNew: isNew) else { return }
        }
        inviter.began()
        let isRunning = work.add {
            var isBusy = false
            do throws(PeerError) {
                _ = try await self.invite(Destination(peer), id, PeerStateMachine.Request(isAutomatic: true))
            } catch {
                isBusy = error.code == .busy
            }
            await self.invitedAutomatically(peer, isBusy: isBusy)
        }
        if !isRunning { inviter.ended(peer.id, isBusy: false, at: clock.now) }
    }

    private func invitedAutomatically(_ peer: NearbyPeer, isBusy: Bool) {
        inviter.ended(peer.id, isBusy: isBusy, at: clock.now)
        work.looks.add(())
    }
}
