/// How often an attacker may guess: the digits of a pairing, or the token of a share link. (Docs/Trust.md, "How sure
/// pairing is".)
package struct GuessLimits: Sendable {
    // A receiver waits 5 s for the digits. By then, a man in the middle has at most 17 pairings with the sender whose digits
    // may match: 8 that wait for a person, 8 new ones at once, and 1 more.

    /// How many pairings may begin at a sender at once, from all addresses together.
    package var pairingBurst = 8
    /// The time after which one more pairing may begin.
    package var pairingInterval: Duration = .seconds(5)
    /// The time for which an address that has begun a pairing leaves the last slot to other addresses.
    package var pairingMemory: Duration = .seconds(3600)
    /// The number of failed pairings within ``lockDuration`` after which an address cannot pair.
    package var maximumPairingFailures = 3
    /// The number of wrong tokens within ``lockDuration`` after which every token from the address is rejected.
    package var maximumWrongTokens = 5
    /// The time for which failures count, and for which an address is locked out after too many of them.
    package var lockDuration: Duration = .seconds(60)

    package init() {}

    /// Locks out addresses that fail to pair.
    func makePairingLockout() -> AddressLockout {
        AddressLockout(maximumFailures: maximumPairingFailures, window: lockDuration)
    }

    /// Locks out addresses that present wrong tokens.
    func makeTokenLockout() -> AddressLockout {
        AddressLockout(maximumFailures: maximumWrongTokens, window: lockDuration)
    }

    /// Limits how often pairings begin.
    func makePairingRateLimiter() -> RateLimiter {
        RateLimiter(burst: pairingBurst, interval: pairingInterval, memory: pairingMemory)
    }
}

extension GuessLimits {
    /// Limits how often pairings begin at a sender, from all addresses together: a burst, then one at a time.
    ///
    /// A pure value; the time is passed in. All addresses share it. Every pairing gives an unknown peer six digits. An attacker
    /// between two machines that knows the digits of one of them could begin pairings with the other, from many addresses,
    /// until the digits agree. The pace leaves it a handful of tries. (Docs/Trust.md, "How sure pairing is".)
    ///
    /// An address that has begun a pairing leaves the last slot to addresses that have not. So one more of those may begin
    /// after every interval, whatever the others do.
    struct RateLimiter: Sendable {
        /// How many slots an address that has begun recently leaves to others.
        private static let reserve = 1

        private let burst: Int
        private let interval: Duration
        private let memory: Duration
        /// When the whole burst is available again.
        private var isFullAt: ContinuousClock.Instant?
        /// The addresses that have begun recently; their number is bounded by the number of pairings in that time.
        private var begun: [(address: AddressKey, time: ContinuousClock.Instant)] = []

        init(burst: Int, interval: Duration, memory: Duration) {
            self.burst = max(1, burst)
            self.interval = interval
            self.memory = memory
        }

        /// The time until an address may begin a pairing; nil if it may begin now.
        func timeToWait(_ address: AddressKey, at now: ContinuousClock.Instant) -> Duration? {
            let isFullAt = max(self.isFullAt ?? now, now)
            let hasBegun = begun.contains { $0.address == address && now - $0.time < memory }
            let reserved = hasBegun ? min(burst - 1, Self.reserve) : 0
            let wait = (isFullAt - now) - interval * (burst - 1 - reserved)
            return wait > .zero ? wait : nil
        }

        /// Begins a pairing; returns the time until it may begin, or nil if it has begun.
        mutating func begin(_ address: AddressKey, at now: ContinuousClock.Instant) -> Duration? {
            if let wait = timeToWait(address, at: now) { return wait }
            isFullAt = max(isFullAt ?? now, now) + interval
            begun = begun.filter { now - $0.time < memory } + [(address, now)]
            return nil
        }
    }
}
