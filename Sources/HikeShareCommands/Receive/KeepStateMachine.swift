import PeerCore

/// Which sender `receive --keep` connects to, and when.
///
/// A pure value; the time is passed in. A sender is visited when it appears, and again when what it announces has changed, or when it
/// was gone. It is never asked for the same offer twice, but for one that was cut off.
struct KeepStateMachine: Sendable {
    /// How a visit has ended.
    enum Outcome: Hashable, Sendable {
        /// What there was to take is taken.
        case complete
        /// The sender, or this side, took no interest.
        case declined
        /// The connection failed or broke.
        case failed
    }

    /// What is known of a sender.
    private struct Sender: Sendable {
        var peer: DiscoveredPeer
        var isPresent = true
        /// The announcement of the last visit; nil if it has to be visited.
        var visited: Visit?
        var failureCount = 0
        /// No visit before this time.
        var pause: ContinuousClock.Instant?
    }

    private struct Visit: Hashable, Sendable {
        /// What marks the offer; nil if the sender does not say.
        var mark: String?
    }

    /// The time before a further attempt; doubled with each one.
    static let firstPause: Duration = .seconds(5)
    /// The longest such time.
    static let longestPause: Duration = .seconds(300)
    /// How many senders that are gone are remembered.
    static let maximumCount = 256

    private var senders: [DiscoveredPeer.ID: Sender] = [:]
    private var running: (id: DiscoveredPeer.ID, visit: Visit)?

    /// Handles an event of discovery.
    mutating func received(_ event: PeerBrowserEvent) {
        switch event {
        case .found(let peer), .changed(let peer):
            if var sender = senders[peer.id] {
                let isNew = !sender.isPresent || sender.peer.info.offerMark != peer.info.offerMark
                sender.peer = peer
                sender.isPresent = true
                if isNew { (sender.failureCount, sender.pause) = (0, nil) }
                senders[peer.id] = sender
            } else {
                makeRoom()
                senders[peer.id] = Sender(peer: peer)
            }
        case .lost(let id):
            senders[id]?.isPresent = false
            // It may come back with something else, and does not say so.
            if senders[id]?.visited?.mark == nil { senders[id]?.visited = nil }
        case .allForNow, .failed:
            break
        }
    }

    /// Returns the sender to visit now; nil if there is none, or if a visit is going on.
    ///
    /// - Parameters:
    ///   - trusted: The machines that are trusted.
    ///   - now: The time.
    /// - Returns: The sender, which must prove its claimed id.
    mutating func next(among trusted: Set<PeerID>, at now: ContinuousClock.Instant) -> DiscoveredPeer? {
        guard running == nil else { return nil }
        let due = senders.values.filter { sender in
            guard sender.isPresent, let id = sender.peer.peerID, trusted.contains(id) else { return false }
            let visit = Visit(mark: sender.peer.info.offerMark)
            return sender.visited != visit && sender.pause.map { $0 <= now } ?? true
        }
        guard let peer = due.map(\.peer).min(by: { $0.id < $1.id }) else { return nil }
        running = (peer.id, Visit(mark: peer.info.offerMark))
        return peer
    }

    /// The visit has ended.
    mutating func ended(_ outcome: Outcome, at now: ContinuousClock.Instant) {
        guard let (id, visit) = running else { return }
        running = nil
        guard outcome == .failed else {
            senders[id]?.visited = visit
            senders[id]?.failureCount = 0
            return
        }
        let failureCount = senders[id]?.failureCount ?? 0
        var pause = Self.firstPause
        for _ in 0..<min(failureCount, 10) { pause = min(pause * 2, Self.longestPause) }
        senders[id]?.failureCount = failureCount + 1
        senders[id]?.pause = now + pause
    }

    /// How many senders are remembered.
    var count: Int { senders.count }

    /// Forgets a sender that is gone if there are too many.
    private mutating func makeRoom() {
        guard senders.count >= Self.maximumCount,
            let gone = senders.first(where: { !$0.value.isPresent && $0.key != running?.id })
        else { return }
        senders[gone.key] = nil
    }
}
