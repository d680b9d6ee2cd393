/// Decides which address is tried when. (RFC 8305, section 5.)
///
/// A pure value: the time and the failures of attempts come in, steps go out. The first attempt that proves itself ends
/// the race; that needs no decision.
struct ConnectionRace: Sendable {
    /// What to do next.
    enum Step: Equatable, Sendable {
        /// Try the address at this position, then ask again.
        case start(Int)
        /// Wait until this time or until an attempt ends, then ask again.
        case wait(until: ContinuousClock.Instant)
        /// No attempt runs and no address is left, or the time is over.
        case giveUp
    }

    /// How much later than the one before an attempt starts.
    static let delay: Duration = .milliseconds(200)
    /// Within what time all attempts start: many addresses start at shorter intervals.
    static let startTime: Duration = .milliseconds(1200)
    /// How many attempts run at once.
    static let maximumRunning = 24

    private let count: Int
    private let interval: Duration
    private let deadline: ContinuousClock.Instant
    private var nextStart: ContinuousClock.Instant
    private var startedCount = 0
    private var running: Set<Int> = []

    /// Begins a race.
    ///
    /// - Parameters:
    ///   - count: The number of addresses; they are tried in their order.
    ///   - timeout: How long the race may take in all.
    ///   - now: The time.
    init(count: Int, timeout: Duration, now: ContinuousClock.Instant) {
        self.count = count
        self.interval = min(Self.delay, Self.startTime / max(1, count - 1))
        self.deadline = now + timeout
        self.nextStart = now
    }

    /// Says what to do at this time.
    mutating func next(at now: ContinuousClock.Instant) -> Step {
        let isFinished = running.isEmpty && startedCount == count
        guard !isFinished, now < deadline else { return .giveUp }
        guard startedCount < count, running.count < Self.maximumRunning else { return .wait(until: deadline) }
        guard now >= nextStart else { return .wait(until: min(nextStart, deadline)) }
        defer { startedCount += 1 }
        running.insert(startedCount)
        nextStart = now + interval
        return .start(startedCount)
    }

    /// Notes that an attempt has failed: the next one starts at once.
    mutating func failed(_ position: Int, at now: ContinuousClock.Instant) {
        guard running.remove(position) != nil else { return }
        nextStart = min(nextStart, now)
    }
}
