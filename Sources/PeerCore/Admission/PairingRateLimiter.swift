/// How often pairings may begin at a sender, whoever asks: some at once, then one at a time.
///
/// A pure value; the time is passed in. All addresses share it. Every pairing gives an unknown peer six digits. An attacker
/// between two machines that knows the digits of one of them could begin pairings with the other, from many addresses,
/// until the digits agree. The pace leaves it a handful of tries. (Docs/Threats.md, "How sure pairing is".)
///
/// An address that has begun a pairing leaves the last place to addresses that have not. So one more of those may begin
/// after every interval, whatever the others do.
struct PairingRateLimiter: Sendable {
    /// How many an address that has begun lately leaves to others.
    private static let reserve = 1

    private let burst: Int
    private let interval: Duration
    private let memory: Duration
    /// When as many may begin at once as ever.
    private var isFullAt: ContinuousClock.Instant?
    /// Who has begun lately; as few as there may be pairings in that time.
    private var begun: [(address: AddressKey, time: ContinuousClock.Instant)] = []

    /// Creates a pace.
    ///
    /// - Parameters:
    ///   - burst: How many may begin at once; at least 1.
    ///   - interval: After what time one more may.
    ///   - memory: How long it counts that an address has begun.
    init(burst: Int, interval: Duration, memory: Duration) {
        self.burst = max(1, burst)
        self.interval = interval
        self.memory = memory
    }

    /// After what time an address may begin a pairing; nil if it may now.
    func timeToWait(_ address: AddressKey, at now: ContinuousClock.Instant) -> Duration? {
        let isFullAt = max(self.isFullAt ?? now, now)
        let hasBegun = begun.contains { $0.address == address && now - $0.time < memory }
        let reserved = hasBegun ? min(burst - 1, Self.reserve) : 0
        let wait = (isFullAt - now) - interval * (burst - 1 - reserved)
        return wait > .zero ? wait : nil
    }

    /// Begins a pairing.
    ///
    /// - Returns: nil if it may begin, else after what time it may.
    mutating func begin(_ address: AddressKey, at now: ContinuousClock.Instant) -> Duration? {
        if let wait = timeToWait(address, at: now) { return wait }
        isFullAt = max(isFullAt ?? now, now) + interval
        begun = begun.filter { now - $0.time < memory } + [(address, now)]
        return nil
    }
}
