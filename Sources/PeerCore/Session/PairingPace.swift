/// How often pairings may begin at a sender, whoever asks: some at once, then one at a time.
///
/// A pure value; the time is passed in. All addresses share it. Every pairing gives a stranger digits that nobody has
/// compared yet. Who stands between two machines and knows the digits that the receiver will show could go through
/// many of them until one agrees, from as many addresses as it likes; this leaves it a handful.
struct PairingPace: Sendable {
    private let burst: Int
    private let interval: Duration
    /// When as many may begin at once as ever.
    private var isFullAt: ContinuousClock.Instant?

    /// Creates a pace.
    ///
    /// - Parameters:
    ///   - burst: How many may begin at once; at least 1.
    ///   - interval: After what time one more may.
    init(burst: Int, interval: Duration) {
        self.burst = max(1, burst)
        self.interval = interval
    }

    /// Begins a pairing.
    ///
    /// - Returns: nil if it may begin, else after what time it may.
    mutating func begin(at now: ContinuousClock.Instant) -> Duration? {
        let isFullAt = max(self.isFullAt ?? now, now)
        let wait = (isFullAt - now) - interval * (burst - 1)
        guard wait <= .zero else { return wait }
        self.isFullAt = isFullAt + interval
        return nil
    }
}
