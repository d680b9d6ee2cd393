/// Decides when to try which address. (RFC 8305, section 5.)
///
/// A plain value: the caller passes the time and the failures of attempts. The first attempt that succeeds ends the race,
/// without a decision of this type.
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

    // RFC 8305 recommends 250 ms. Peers nearby answer sooner than servers of the internet.
    /// The interval between the starts of two attempts.
    static let delay: Duration = .milliseconds(200)
    // The last address, too, has its whole time to answer before the race is over.
    /// The time within which all attempts start; with many addresses, the intervals are shorter.
    static let startTime: Duration = .milliseconds(1200)
    // Each has a socket and, once it is connected, a TLS handshake.
    /// The number of attempts that run at the same time.
    static let maximumRunning = 24
    /// The time after which an attempt is repeated if the network was not ready.
    static let repetitionDelay: Duration = .milliseconds(250)
    /// The time for which attempts are repeated; an interface needs up to two seconds to get its first address (RFC 4862, 5.4).
    static let repetitionTime: Duration = .seconds(3)

    private let start: ContinuousClock.Instant
    private let interval: Duration
    private let deadline: ContinuousClock.Instant
    private var nextStart: ContinuousClock.Instant
    private var count = 0
    private var waiting: [Int] = []
    private var repetitions: [Int: ContinuousClock.Instant] = [:]
    private var running: Set<Int> = []

    init(count: Int, timeout: Duration, now: ContinuousClock.Instant) {
        self.start = now
        self.interval = min(Self.delay, Self.startTime / max(1, count - 1))
        self.deadline = now + timeout
        self.nextStart = now
        add(count)
    }

    /// Adds addresses at the positions after the last one; they are tried before those that wait.
    mutating func add(_ count: Int) {
        // A new address is a sign of a network that has just come up, such as that of a cable that was plugged in.
        waiting.insert(contentsOf: self.count..<(self.count + count), at: 0)
        self.count += count
    }

    /// Returns the next step.
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

    /// Notes that an attempt has failed; the next one starts immediately.
    mutating func failed(_ position: Int, at now: ContinuousClock.Instant, mayRepeat: Bool = false) {
        guard running.remove(position) != nil else { return }
        nextStart = min(nextStart, now)
        if mayRepeat, now + Self.repetitionDelay < start + Self.repetitionTime {
            repetitions[position] = now + Self.repetitionDelay
        }
    }
}
