/// Decides when to send a sign of life and when to give a silent peer up.
///
/// Times are passed in; only receipt of bytes counts, never sending. (Wire format, "Keep-alive".)
package struct KeepAliveStateMachine: Sendable {
    /// What to do.
    package enum OnTick: Equatable, Sendable {
        /// Send a sign of life; look again at the given time.
        case send(nextTick: ContinuousClock.Instant)
        /// The peer was silent for too long.
        case lost
    }

    private let interval: Duration
    private let silence: Duration
    private var lastReceipt: ContinuousClock.Instant

    package init(interval: Duration, silence: Duration, start: ContinuousClock.Instant) {
        self.interval = interval
        self.silence = silence
        self.lastReceipt = start
    }

    /// The time has come to look.
    ///
    /// - `receipt`: When the last byte came from the peer; nil if none ever did.
    package mutating func tick(at now: ContinuousClock.Instant, lastReceipt receipt: ContinuousClock.Instant?) -> OnTick
    {
        if let receipt, receipt > lastReceipt { lastReceipt = receipt }
        if now - lastReceipt >= silence { return .lost }
        // No later than the end of the silence: a dead peer is given up on time, not an interval later.
        return .send(nextTick: min(now + interval, lastReceipt + silence))
    }
}
