import NIOConcurrencyHelpers

/// The failed pairings of a receiver by address, shared by all its sessions.
final class PairingFailures: Sendable {
    private let lockout: NIOLockedValueBox<AddressLockout>

    init(_ configuration: SessionConfiguration) {
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
