import Synchronization

/// The addresses that have failed to pair with a receiver, for all of its sessions.
final class PairingFailures: Sendable {
    private let lockout: Mutex<AddressLockout>

    init(_ configuration: SessionConfiguration) {
        lockout = Mutex(configuration.makePairingLock())
    }

    /// For how long an address may not pair; nil if it may.
    func timeLocked(_ address: AddressKey, at now: ContinuousClock.Instant) -> Duration? {
        lockout.withLock { $0.timeLocked(address, at: now) }
    }

    /// Counts a pairing that began and came to nothing.
    func failed(_ address: AddressKey, at now: ContinuousClock.Instant) {
        lockout.withLock { $0.failed(address, at: now) }
    }
}
