import PeerCore

/// Decides which of the peers that discovery sees are invited, and when: new ones at once, those whose connection has failed or
/// that were busy after a pause, and few at a time.
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
        /// How often, in succession, the peer has answered that it is busy, or that nobody reads its invitations.
        var busyCount = 0

        /// When the peer is due; nil for at once.
        var dueTime: ContinuousClock.Instant? {
            guard !isNew, let lastLook else { return nil }
            return lastLook + NearbyInviter.pause(after: busyCount)
        }
    }

    /// The maximum number of automatic invitations at the same time.
    static let maximumCount = 8
    /// The pause after a failed invitation.
    static let pause: Duration = .seconds(5)

    /// The pause after so many answers that the peer is busy: twice as long each time, because each invitation may show digits to
    /// people; at most 80 s.
    static func pause(after busyCount: Int) -> Duration { pause * (1 << min(max(busyCount - 1, 0), 4)) }

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
            if candidate.peer.ports != peer.ports { (candidate.isNew, candidate.busyCount) = (true, 0) }
            candidate.peer = peer
            candidates[peer.id] = candidate
        }
    }

    /// Returns the peers that are due: first those that were linked before, then those that have waited longest.
    func due(at now: ContinuousClock.Instant, isStranger: (NearbyPeer) -> Bool) -> [NearbyPeer] {
        let due = candidates.values.filter { candidate in candidate.dueTime.map { $0 <= now } ?? true }
        let order = due.map { candidate in
            let wait = candidate.lastLook.map { now - $0 } ?? .seconds(Int64.max / 2)
            return (rank: isStranger(candidate.peer) ? 1 : 0, wait: wait, peer: candidate.peer)
        }
        .sorted { ($0.rank, $1.wait, $0.peer.id) < ($1.rank, $0.wait, $1.peer.id) }
        return order.map(\.peer)
    }

    /// Considers a peer that is due; nil if it is gone, or if enough invitations are running.
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
    mutating func ended(_ id: String, isBusy: Bool, at now: ContinuousClock.Instant) {
        runningCount -= 1
        guard isBusy else {
            candidates[id]?.busyCount = 0
            return
        }
        // The pause begins with the answer, which may have taken its time.
        candidates[id]?.lastLook = now
        candidates[id]?.busyCount += 1
    }
}
