import NIOCore
import PeerCore
import PeerProtocol

/// A peer nearby that may be invited automatically.
struct NearbyCandidate: Sendable {
    var peer: NearbyPeer
    /// Whether the peer has appeared or restarted since it was last considered.
    var isNew = true
    /// When the peer was last considered; nil if it was not.
    var lastLook: ContinuousClock.Instant?
}

/// Automatic invitations of peers that discovery finds.
extension SessionHub {
    /// The maximum number of automatic invitations at the same time.
    static let maximumAutomaticCount = 8
    /// The pause after a failed invitation.
    private static let invitationPause: Duration = .seconds(5)
    /// The shortest time between two lists of peers.
    private static let listPause: Duration = .milliseconds(100)

    /// Updates the addresses of a known peer that discovery sees.
    func sighted(_ peer: NearbyPeer) {
        guard let id = peer.peerID, peers[id] != nil else { return }
        for address in peer.addresses.reversed() { peers[id]?.addAddress(address) }
        peers[id]?.localAddresses = peer.localAddresses
    }

    /// Reports once that discovery does not work.
    func discoveryFailed(_ error: PeerError) {
        guard discoveryFailure?.code != error.code || discoveryFailure?.message != error.message else { return }
        discoveryFailure = error
        board.report(.discoveryFailed(error))
    }

    /// Keeps track of the peers nearby.
    func watchNearby() async {
        while !Task.isCancelled {
            do throws(PeerError) {
                for try await found in PeerBrowsing(hub: self) {
                    note(found)
                    looks.add(())
                    // Each list replaces the one before, so this pause loses nothing, and announcements that change fast cost
                    // little.
                    guard (try? await clock.sleep(for: Self.listPause)) != nil else { return }
                }
            } catch {
                discoveryFailed(error)
            }
            guard (try? await clock.sleep(for: Self.invitationPause)) != nil else { return }
        }
    }

    private func note(_ found: [NearbyPeer]) {
        let before = nearby
        nearby = [:]
        for peer in found {
            var candidate = before[peer.id] ?? NearbyCandidate(peer: peer)
            // Another port is a sign that the program has restarted, so a peer that refused may be invited again.
            if candidate.peer.ports != peer.ports { candidate.isNew = true }
            candidate.peer = peer
            nearby[peer.id] = candidate
        }
    }

    /// Invites peers nearby: new ones at once, those whose connection has failed after a pause, and few at a time.
    func inviteNearby() async {
        while !Task.isCancelled {
            await inviteInTurn()
            let cancelTimer = clock.schedule(at: clock.now + Self.invitationPause) { [looks] in looks.add(()) }
            _ = await looks.next()
            cancelTimer()
        }
    }

    /// Invites the peers that are due: first those that were linked before, then those that have waited longest.
    private func inviteInTurn() async {
        let now = clock.now
        let due = nearby.values.filter { candidate in
            candidate.isNew || candidate.lastLook.map { now - $0 >= Self.invitationPause } ?? true
        }
        let order = due.map { candidate in
            let isStranger = candidate.peer.peerID.flatMap { peers[$0] }?.wasLinked != true
            let pause = candidate.lastLook.map { now - $0 } ?? .seconds(Int64.max / 2)
            return (isStranger: isStranger, pause: pause, id: candidate.peer.id)
        }
        .sorted { ($0.isStranger ? 1 : 0, $1.pause, $0.id) < ($1.isStranger ? 1 : 0, $0.pause, $1.id) }
        for next in order {
            guard automaticCount < Self.maximumAutomaticCount else { return }
            guard let candidate = nearby[next.id] else { continue }
            nearby[next.id]?.isNew = false
            nearby[next.id]?.lastLook = now
            await inviteIfWanted(candidate.peer, isNew: candidate.isNew)
        }
    }

    private func inviteIfWanted(_ peer: NearbyPeer, isNew: Bool) async {
        guard let id = peer.peerID, isFree(id, isNew: isNew) else { return }
        if configuration.invites == .trustedFound {
            let trust = try? await callOut { [configuration] in
                try await configuration.trust.trust(of: id, callingItself: peer.displayName)
            }
            // The state of the peer may have changed while the trust store answered.
            guard case .trusted? = trust, isFree(id, isNew: isNew) else { return }
        }
        let destination = Destination(
            addresses: peer.addresses,
            localAddresses: peer.localAddresses,
            expected: ExpectedPeer(id: id),
            name: peer.displayName
        )
        automaticCount += 1
        let isRunning = spawn {
            _ = try? await self.invite(destination, id, context: nil, timeout: .seconds(30), isAutomatic: true)
            await self.invitedAutomatically()
        }
        if !isRunning { automaticCount -= 1 }
    }

    private func invitedAutomatically() {
        automaticCount -= 1
        looks.add(())
    }

    /// Whether a peer may be invited.
    private func isFree(_ id: PeerID, isNew: Bool) -> Bool {
        guard id != localID else { return false }
        if let record = peers[id] {
            guard !record.isBlocked, record.meeting.wish == nil, record.meeting.incoming == nil, record.link == nil
            else {
                return false
            }
            switch record.state {
            // A person has refused or has not answered. Asking again and again would not change that.
            case .disconnected(.failed(let error)) where error.code == .notTrusted || error.code == .timedOut:
                guard isNew else { return false }
            case .disconnected(.lost), .disconnected(.failed): break
            // A peer that has left or declined is invited again when discovery finds it again.
            case .disconnected(.left), .disconnected(.declined), .disconnected(.leftByUs):
                guard isNew else { return false }
            default: return false
            }
        }
        return !isFull(besides: id)
    }
}
