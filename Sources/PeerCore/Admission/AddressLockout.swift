import NIOConcurrencyHelpers

/// Counts failed attempts by address and locks an address out for a while after too many.
///
/// A pure value; the time is passed in. One address never locks out another. The number of remembered addresses is bounded.
struct AddressLockout: Sendable {
    private struct Record {
        var failures: [ContinuousClock.Instant] = []
        var lockedUntil: ContinuousClock.Instant?

        var last: ContinuousClock.Instant? { max(failures.last, lockedUntil) }

        private func max(_ one: ContinuousClock.Instant?, _ other: ContinuousClock.Instant?) -> ContinuousClock.Instant?
        {
            guard let one, let other else { return one ?? other }
            return Swift.max(one, other)
        }
    }

    /// How many addresses are remembered; beyond that, the address with the oldest failure is forgotten.
    static let maximumAddressCount = 1024

    private let maximumFailures: Int
    private let window: Duration
    private var records: [AddressKey: Record] = [:]

    init(maximumFailures: Int, window: Duration) {
        self.maximumFailures = max(1, maximumFailures)
        self.window = window
    }

    /// How long an address is still locked; nil if it is not.
    func timeLocked(_ address: AddressKey, at now: ContinuousClock.Instant) -> Duration? {
        guard let until = records[address]?.lockedUntil, until > now else { return nil }
        return until - now
    }

    /// Counts a failure.
    mutating func failed(_ address: AddressKey, at now: ContinuousClock.Instant) {
        records = records.filter { _, record in record.last.map { now - $0 < window } ?? false }
        var record = records[address] ?? Record()
        record.failures = record.failures.filter { now - $0 < window } + [now]
        if record.failures.count >= maximumFailures {
            record.failures = []
            record.lockedUntil = now + window
        }
        records[address] = record
        if records.count > Self.maximumAddressCount,
            let stalest = records.min(by: { ($0.value.last ?? now) < ($1.value.last ?? now) })?.key
        {
            records[stalest] = nil
        }
    }
}

extension AddressLockout {
    /// The failed pairings of a receiver by address, shared by all its connections.
    final class Shared: Sendable {
        private let lockout: NIOLockedValueBox<AddressLockout>

        init(_ configuration: ConnectionConfiguration) {
            lockout = NIOLockedValueBox(configuration.guesses.makePairingLockout())
        }

        /// How long an address is still locked out; nil if it may pair.
        func timeLocked(_ address: AddressKey, at now: ContinuousClock.Instant) -> Duration? {
            lockout.withLockedValue { $0.timeLocked(address, at: now) }
        }

        /// Counts a pairing that began and failed.
        func failed(_ address: AddressKey, at now: ContinuousClock.Instant) {
            lockout.withLockedValue { $0.failed(address, at: now) }
        }
    }
}
