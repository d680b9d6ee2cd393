package import PeerCore

/// Which senders a machine that keeps its regions up to date connects to, and when.
///
/// A pure value; the time is passed in. A sender is visited when it appears, and again when what it announces has changed, or when it
/// was gone. It is asked for an offer once, unless the transfer was cut off.
///
/// Announcements prove nothing, so they only change what is announced. Pauses, counts and the order of visits follow from visits alone.
package struct KeepStateMachine: Sendable {
    /// How a visit has ended.
    package enum Outcome: Hashable, Sendable {
        /// What there was to take is taken.
        case complete
        /// The sender, or this side, took no interest.
        case declined
        /// The connection failed or broke, or the reason may pass.
        case failed
    }

    /// What a machine announces now.
    private struct Announcement: Sendable {
        var peer: DiscoveredPeer
        /// Counts how often machines have appeared.
        var appearance: Int

        var offer: Offer {
            // Without a mark, it may have something else whenever it comes back.
            let mark = peer.info.offerMark
            return Offer(mark: mark, appearance: mark == nil ? appearance : nil)
        }
    }

    private struct Offer: Hashable, Sendable {
        /// What marks the offer; nil if the sender does not say.
        var mark: String?
        /// When the sender has appeared; nil if the mark says enough.
        var appearance: Int?
    }

    /// What visits to a claimed id have shown.
    private struct History: Sendable {
        /// The number of the last visit.
        var number: Int
        /// The offer of the visit that is going on; nil if there is none.
        var running: Offer?
        /// The offer of the last visit to a machine that has proved the id; nil if there is none.
        var visited: Offer?
        var failureCount = 0
        /// No visit before this time; nil for any time.
        var pause: ContinuousClock.Instant?
    }

    /// The time before a further visit; doubled with each one that fails.
    package static let firstPause: Duration = .seconds(5)
    /// The longest such time.
    package static let longestPause: Duration = .seconds(300)
    /// The number of visits at a time, so that a slow sender, or a question, does not hold back the others.
    package static let maximumVisitCount = 4

    package init() {}

    private var announcements: [DiscoveredPeer.ID: Announcement] = [:]
    private var appearances: Int = 0
    /// Only visits to trusted ids leave something here.
    private var histories: [PeerID: History] = [:]
    private var visits: Int = 0

    /// The number of visits that are going on.
    package var runningCount: Int { histories.values.count { $0.running != nil } }

    /// The number of announcements and ids that are remembered.
    package var count: Int { announcements.count + histories.count }

    /// Handles an event of discovery.
    package mutating func received(_ event: PeerBrowserEvent) {
        switch event {
        case .found(let peer), .changed(let peer):
            if announcements[peer.id] == nil { appearances += 1 }
            announcements[peer.id, default: Announcement(peer: peer, appearance: appearances)].peer = peer
        case .lost(let id): announcements[id] = nil
        case .allForNow, .failed: break
        }
    }

    /// Returns the sender to visit now; nil if there is none, or if enough visits are going on.
    ///
    /// Of several, it is the one whose last visit is the longest ago, so that none waits for more than one visit to each other one.
    package mutating func next(
        among trusted: Set<PeerID>,
        at now: ContinuousClock.Instant
    ) -> (number: Int, id: PeerID, peer: DiscoveredPeer)? {
        histories = histories.filter { trusted.contains($0.key) || $0.value.running != nil }
        guard runningCount < Self.maximumVisitCount else { return nil }
        let due = announcements.values.compactMap { announced -> (id: PeerID, announced: Announcement)? in
            guard let id = announced.peer.peerID, trusted.contains(id) else { return nil }
            guard let history = histories[id] else { return (id, announced) }
            let isDue = history.running == nil && history.visited != announced.offer
            return isDue && history.pause.map { $0 <= now } ?? true ? (id, announced) : nil
        }
        let first = due.min { left, right in
            (histories[left.id]?.number ?? 0, left.id.hex) < (histories[right.id]?.number ?? 0, right.id.hex)
        }
        guard let (id, announced) = first else { return nil }
        visits += 1
        histories[id, default: History(number: visits)].number = visits
        histories[id]?.running = announced.offer
        return (visits, id, announced.peer)
    }

    /// A visit has ended.
    package mutating func ended(_ outcome: Outcome, of id: PeerID, at now: ContinuousClock.Instant) {
        guard var history = histories[id], let offer = history.running else { return }
        history.running = nil
        var pause = Self.firstPause
        if outcome == .failed {
            for _ in 0..<min(history.failureCount, 10) { pause = min(pause * 2, Self.longestPause) }
            history.failureCount += 1
        } else {
            history.visited = offer
            history.failureCount = 0
        }
        history.pause = now + pause
        histories[id] = history
    }
}
