import LocalSend

/// When this machine announces itself.
struct AnnouncementPlan: Sendable {
    /// The times after a beginning: a single packet is easily lost.
    private static let repetitions: [Duration] = [.zero, .seconds(1), .seconds(3)]
    /// The shortest time between two announcements, however often something begins.
    private static let shortestInterval: Duration = .seconds(1)
    /// The time between two announcements while nobody looks at the list.
    private static let quietInterval: Duration = .seconds(300)

    private var due: [ContinuousClock.Instant] = []
    private var last: ContinuousClock.Instant?

    /// Something has begun, such as a search, or the machine is in another network.
    mutating func begin(at now: ContinuousClock.Instant) { due = Self.repetitions.map { now + $0 } }

    /// Returns whether it is time for an announcement, which is then made.
    ///
    /// - Parameter isWatched: Whether somebody looks at the list.
    mutating func isDue(at now: ContinuousClock.Instant, isWatched: Bool) -> Bool {
        let past = last.map { now - $0 } ?? Self.quietInterval
        let interval = isWatched ? LocalSendLimits.announcementInterval : Self.quietInterval
        guard past >= Self.shortestInterval, past >= interval || due.contains(where: { $0 <= now }) else {
            return false
        }
        due.removeAll { $0 <= now }
        last = now
        return true
    }
}
