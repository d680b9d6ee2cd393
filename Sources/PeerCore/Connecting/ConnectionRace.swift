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
    /// How much later an attempt is repeated whose network was not ready.
    static let repetitionDelay: Duration = .milliseconds(250)
    /// For how long attempts are repeated: an interface needs up to two seconds for its first address. (RFC 4862, 5.4)
    static let repetitionTime: Duration = .seconds(3)

    private let start: ContinuousClock.Instant
    private let interval: Duration
    private let deadline: ContinuousClock.Instant
    private var nextStart: ContinuousClock.Instant
    private var count = 0
    private var waiting: [Int] = []
    private var repetitions: [Int: ContinuousClock.Instant] = [:]
    private var running: Set<Int> = []

    /// Begins a race.
    ///
    /// - Parameters:
    ///   - count: The number of addresses; they are tried in their order.
    ///   - timeout: How long the race may take in all.
    ///   - now: The time.
    init(count: Int, timeout: Duration, now: ContinuousClock.Instant) {
        self.start = now
        self.interval = min(Self.delay, Self.startTime / max(1, count - 1))
        self.deadline = now + timeout
        self.nextStart = now
        add(count)
    }

    /// Adds addresses at the positions after the last one; they are tried before those that wait.
    mutating func add(_ count: Int) {
        waiting.insert(contentsOf: self.count..<(self.count + count), at: 0)
        self.count += count
    }

    /// Says what to do at this time.
    mutating func next(at now: ContinuousClock.Instant) -> Step {
        let isFinished = running.isEmpty && waiting.isEmpty && repetitions.isEmpty
        guard !isFinished, now < deadline else { return .giveUp }
        for position in repetitions.filter({ $0.value <= now }).keys.sorted() {
            repetitions[position] = nil
            waiting.append(position)
        }
        guard let position = waiting.first, running.count < Self.maximumRunning else {
            return .wait(until: min(repetitions.values.min() ?? deadline, deadline))
        }
        guard now >= nextStart else { return .wait(until: min(nextStart, deadline)) }
        waiting.removeFirst()
        running.insert(position)
        nextStart = now + interval
        return .start(position)
    }

    /// Notes that an attempt has failed: the next one starts at once.
    ///
    /// - Parameters:
    ///   - position: The position of its address.
    ///   - now: The time.
    ///   - mayRepeat: Whether the network was not ready, so that the same address is tried again soon.
    mutating func failed(_ position: Int, at now: ContinuousClock.Instant, mayRepeat: Bool = false) {
        guard running.remove(position) != nil else { return }
        nextStart = min(nextStart, now)
        if mayRepeat, now + Self.repetitionDelay < start + Self.repetitionTime {
            repetitions[position] = now + Self.repetitionDelay
        }
    }
}
