import PeerCore

/// Decides which of the peers that discovery sees are invited, and when: new ones at once, those whose connection has failed after a
/// pause, and few at a time.
///
/// A pure value; the time is passed in.
struct NearbyInviter: Sendable {
    /// A peer nearby that may be invited automatically.
    struct Candidate: Sendable {
        var peer: NearbyPeer
        /// Whether the peer has appeared or restarted since it was last considered.
        var isNew = true
        /// When the peer was last considered; nil if it was not.
        var lastLook: ContinuousClock.Instant?
    }

    /// The maximum number of automatic invitations at the same time.
    static let maximumCount = 8
    /// The pause after a failed invitation.
    static let pause: Duration = .seconds(5)

    /// The peers that discovery sees now, by the ids of ``NearbyPeer``.
    private(set) var candidates: [String: Candidate] = [:]
    /// How many automatic invitations are running.
    private(set) var runningCount = 0
    /// The failure of discovery that was reported last.
    private var failure: PeerError?

    /// Discovery sees these peers and no others.
    mutating func found(_ peers: [NearbyPeer]) {
        let before = candidates
        candidates = [:]
        for peer in peers {
            var candidate = before[peer.id] ?? Candidate(peer: peer)
            // Another port is a sign that the program has restarted, so a peer that refused may be invited again.
            if candidate.peer.ports != peer.ports { candidate.isNew = true }
            candidate.peer = peer
            candidates[peer.id] = candidate
        }
    }

    /// Returns the peers that are due: first those that were linked before, then those that have waited longest.
    func due(at now: ContinuousClock.Instant, isStranger: (NearbyPeer) -> Bool) -> [NearbyPeer] {
        let due = candidates.values.filter { candidate in
            candidate.isNew || candidate.lastLook.map { now - $0 >= Self.pause } ?? true
        }
        let order = due.map { candidate in
            let wait = candidate.lastLook.map { now - $0 } ?? .seconds(Int64.max / 2)
            return (rank: isStranger(candidate.peer) ? 1 : 0, wait: wait, peer: candidate.peer)
        }
        .sorted { ($0.rank, $1.wait, $0.peer.id) < ($1.rank, $0.wait, $1.peer.id) }
        return order.map(\.peer)
    }

    /// Considers a peer that is due.
    ///
    /// - Returns: The peer as discovery sees it now, and whether it is new; nil if it is gone, or if enough invitations are running.
    mutating func consider(_ id: String, at now: ContinuousClock.Instant) -> (peer: NearbyPeer, isNew: Bool)? {
        guard runningCount < Self.maximumCount, let candidate = candidates[id] else { return nil }
        candidates[id]?.isNew = false
        candidates[id]?.lastLook = now
        return (candidate.peer, candidate.isNew)
    }

    /// Discovery works.
    mutating func recovered() { failure = nil }

    /// Discovery has failed; returns whether to report it; false if the same was reported before.
    mutating func failed(_ error: PeerError) -> Bool {
        guard failure?.code != error.code || failure?.message != error.message else { return false }
        failure = error
        return true
    }

    /// An invitation begins.
    mutating func began() { runningCount += 1 }

    /// An invitation has ended.
    mutating func ended() { runningCount -= 1 }
}
